"""Sentences generated from UNL, a separate family since they are not graphs."""

from goldassay.core.family import Family
from goldassay.unl.levenshtein import Levenshtein
from goldassay.unl.panels import sentence_panels
from goldassay.unl.read_sentences import SentenceReading, read_sentences
from goldassay.unl.trust import TEXT_NOISES, TEXT_NULLS, TEXT_RESTRICTION, merged, sentence_suspicions

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
    measures=(Levenshtein,),
    default=(Levenshtein(),),
    texts=True,
    preset_file=("goldassay.unl", "sentence_presets.toml"),
    reading=SentenceReading,
    read=read_sentences,
    tuples=(("id", "text"),),
    suspicions=sentence_suspicions,
    panels=sentence_panels,
    merged=merged,
    restriction=TEXT_RESTRICTION,
    nulls=TEXT_NULLS,
    noises=TEXT_NOISES,
)
