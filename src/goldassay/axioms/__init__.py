"""Family 2: axioms of a class, a property and an object."""

from goldassay.axioms.lazy import LAZILY
from goldassay.axioms.measures.coverage import Coverage
from goldassay.axioms.measures.weighted import Exact, Weighted
from goldassay.axioms.model import Axioms
from goldassay.axioms.read import axioms_of_columns, claims, read_axioms
from goldassay.axioms.reading import AxiomReading
from goldassay.axioms.trust import GROUPINGS, NOISES, NULLS, RESTRICTION, find_warnings, merge_axioms
from goldassay.core.family import Family, Measures, Reading, Trust, Views

FAMILY = Family(
    kind="axioms",
    title="Axioms",
    item="axiom",
    about="""Score axioms (class, property, object) against a gold standard.

Reads tables (CSV, TSV, Parquet, JSON Lines, Markdown: page.md#2 is its second table of axioms) and ontologies (RDF in
every syntax, OWL), also gzipped.""",
    examples=(
        "goldassay axioms learned.csv --gold reference.md",
        "goldassay axioms learned.csv --gold reference.md -m exact -m coverage --fold-case",
        "goldassay axioms learned.csv --gold reference.md --by kind",
    ),
    reading=Reading(
        options=AxiomReading,
        read=read_axioms,
        claims=claims,
        naming={"text": ("name", "label", "iri"), "fold_case": (False, True)},
        tuples=(("class", "property", "object"), ("class", "property", "object", "kind")),
        from_columns=axioms_of_columns,
        lazily=LAZILY,
    ),
    measures=Measures(
        classes=(Weighted, Coverage, Exact),
        default=(Weighted(), Coverage(), Exact()),
        preset_file=("goldassay.axioms", "presets.toml"),
        flags=("equivalences", "alignment"),
    ),
    trust=Trust(
        warnings=find_warnings,
        merged=merge_axioms,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
    ),
    views=Views(
        groupings=GROUPINGS,
    ),
)

__all__ = ["FAMILY", "AxiomReading", "Axioms", "Coverage", "Exact", "Weighted", "read_axioms"]
