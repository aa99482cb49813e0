"""Labels of instances in a hierarchy: hierarchical classification, indexing and function prediction."""

from goldassay.core.family import Family, Measures, Reading, Trust, Views
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.measures.flat import ExactMatch, Flat
from goldassay.labels.measures.hierarchical import Hierarchical
from goldassay.labels.measures.lca import Lca
from goldassay.labels.measures.thresholds import Smin, WeightedFmax
from goldassay.labels.measures.wu_palmer import WuPalmer
from goldassay.labels.model import Labels, is_flat
from goldassay.labels.read import claims, labels_of_columns, read_labels
from goldassay.labels.reading import LabelReading
from goldassay.labels.trust import DISJOINT, GROUPINGS, NOISES, NULLS, RESTRICTION, find_warnings, merge_labels

FAMILY = Family(
    kind="labels",
    title="Labels in hierarchies",
    item="label",
    about="""Score labels of instances (documents, terms, proteins, images), over a hierarchy of labels or without one.

Reads tables (CSV, TSV, Parquet, JSON Lines) of instance, label and score, GAF, CAFA's predictions and HEMKit's integers; the
hierarchy from a table (child, parent), OBO, OWL or RDF, also gzipped.""",
    examples=(
        "goldassay labels pred.tsv --gold gold.tsv --hierarchy subjects.csv",
        "goldassay labels pred.tsv --gold gold.tsv --hierarchy subjects.csv -m lca -m wu_palmer",
        "goldassay labels pred.tsv --gold gold.tsv --hierarchy subjects.csv --sweep",
        "goldassay labels pred.tsv --gold gold.tsv --by label",
    ),
    reading=Reading(
        options=LabelReading,
        read=read_labels,
        claims=claims,
        tuples=(("instance", "label"), ("instance", "label", "score")),
        from_columns=labels_of_columns,
        documents=True,
    ),
    measures=Measures(
        classes=(Hierarchical, Lca, WuPalmer, WeightedFmax, Smin, Flat, ExactMatch),
        default=(Hierarchical(), Lca(), WuPalmer()),
        other=(Flat(), Flat(average="macro"), ExactMatch()),
        is_other=is_flat,
        preset_file=("goldassay.labels", "presets.toml"),
        flags=("ic",),
    ),
    trust=Trust(
        warnings=find_warnings,
        disjoint=DISJOINT,
        merged=merge_labels,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
    ),
    views=Views(
        groupings=GROUPINGS,
    ),
)

__all__ = [
    "FAMILY",
    "ExactMatch",
    "Flat",
    "Hierarchical",
    "Hierarchy",
    "LabelReading",
    "Labels",
    "Lca",
    "Smin",
    "WeightedFmax",
    "WuPalmer",
    "read_labels",
]
