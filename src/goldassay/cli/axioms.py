"""``goldassay axioms``: score axioms of a class, a property and an object."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from goldassay.cli import common
from goldassay.cli.flags import expanded

if TYPE_CHECKING:
    pass

Text = Annotated[Literal["name", "label", "iri"], typer.Option("--text", help="What a thing of an ontology is called.")]
Language = Annotated[str, typer.Option("--language", metavar="TAG", help="Preferred language of labels.")]
FoldCase = Annotated[bool, typer.Option("--fold-case", help="Compare names without case.")]
StripKey = Annotated[bool, typer.Option("--strip-key", help="Take Product(ProductName) for Product.")]
Equivalences = Annotated[
    str | None,
    typer.Option("--equivalences", metavar="FILE", help="A table (pred, gold) of names that are one."),
]
Alignment = Annotated[
    str | None,
    typer.Option(
        "--alignment",
        metavar="FILE",
        help="A table (pred, gold, score) of axioms aligned by hand, in place of weighted's search.",
    ),
]
By = Annotated[
    Literal["kind", "class", "property"] | None,
    typer.Option("--by", help="Also split precision, recall and F1 (text layout)."),
]


@expanded
def axioms(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    text: Text = "name",
    language: Language = "en",
    fold_case: FoldCase = False,
    strip_key: StripKey = False,
    equivalences: Equivalences = None,
    alignment: Alignment = None,
    by: By = None,
    input_format: common.InputFormat = None,
    on_error: common.OnErrorOption = "stop",
    *,
    vectors: common.Vectors,
    scoring: common.Scoring,
) -> None:
    """Score axioms (class, property, object) against a gold standard.

    Reads tables (CSV, TSV, Parquet, JSON Lines, Markdown: page.md#2 is its second table of axioms) and ontologies (RDF in
    every syntax, OWL), also gzipped.
    """
    common.score(
        "axioms",
        preds,
        gold,
        measures=declared(measure, equivalences=equivalences, alignment=alignment),
        vectors=vectors,
        scoring=scoring,
        by=by or (),
        text=text,
        language=language,
        fold_case=fold_case,
        strip_key=strip_key,
        input_format=input_format,
        on_error=on_error,
    )


def declared(specs: list[str] | None, **files: str | None) -> list[str] | None:
    """Write declared files into the measures that can use them."""
    given = {name: file for name, file in files.items() if file}
    if not given:
        return specs
    from goldassay.axioms import FAMILY

    measures = [FAMILY.parse(spec) for spec in specs] if specs else list(FAMILY.default)
    return [str(_with(measure, given)) for measure in measures]


def _with(measure: Any, files: dict[str, str]) -> Any:
    known = {field.name for field in dataclasses.fields(measure)}
    return dataclasses.replace(measure, **{name: file for name, file in files.items() if name in known})
