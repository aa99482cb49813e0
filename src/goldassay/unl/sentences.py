"""Sentences generated from UNL, a separate family since they are not graphs."""

from goldassay.core.family import Family, Measures, Reading, Trust, Views
from goldassay.report.others import also
from goldassay.unl.match import wordings_of
from goldassay.unl.measures.levenshtein import Levenshtein
from goldassay.unl.panels import sentence_panels
from goldassay.unl.read_sentences import SentenceReading, read_sentences
from goldassay.unl.trust import TEXT_NOISES, TEXT_NULLS, TEXT_RESTRICTION, merge_texts, sentence_warnings

FAMILY = Family(
    kind="sentences",
    title="Sentences",
    item="sentence",
    about="""Score generated sentences against expected ones (NLization).

Reads UNL documents, plain text with one sentence per line, and tables (CSV, TSV, Parquet, JSON Lines) with text and id, also gzipped.""",
    examples=(
        "goldassay sentences produced.tsv --gold expected.tsv",
        "goldassay sentences produced.tsv --gold expected.tsv -m 'levenshtein(limit=0.2)'",
        "goldassay sentences produced.tsv --gold expected.tsv --ci --report out.html",
    ),
    reading=Reading(
        options=SentenceReading,
        read=read_sentences,
        tuples=(("id", "text"),),
        texts=True,
    ),
    measures=Measures(
        classes=(Levenshtein,),
        default=(Levenshtein(),),
        preset_file=("goldassay.unl", "sentence_presets.toml"),
    ),
    trust=Trust(
        warnings=sentence_warnings,
        merged=merge_texts,
        nulls=TEXT_NULLS,
        noises=TEXT_NOISES,
        restriction=TEXT_RESTRICTION,
    ),
    views=Views(
        panels=sentence_panels,
        extras=(also(("bleu", "chrf", "ter", "rouge", "bertscore"), wordings_of),),
    ),
)
