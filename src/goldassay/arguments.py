"""What `goldassay.evaluate` takes by name, for type checkers and editors; docs/generate.py writes this file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from goldassay.core.chance import Chance
from goldassay.core.combination import Rule
from goldassay.core.context import Progress
from goldassay.core.partial import Completeness
from goldassay.core.significance import Resampling
from goldassay.engines import EngineName
from goldassay.inputs import Input
from goldassay.request import EncoderLike, Measures


class EvaluateArguments(TypedDict, total=False):
    """The arguments of `goldassay.evaluate` except the two sides; options of readers have an effect in some families only."""

    kind: str | None
    measures: Measures
    encoder: EncoderLike
    progress: Progress
    memory: int
    intervals: bool | Resampling
    against: str | Sequence[str]
    chance: bool | str | Chance
    selfcheck: bool
    by: str | Sequence[str]
    combine: Rule | None
    judged: Input | None
    ignore: Input | None
    scope: str | PathLike[str] | Collection[str] | None
    completeness: Completeness | None
    unreadable: Literal["stop", "keep"]
    evidence: bool
    as_: str | None
    engine: EngineName | None
    spark_remote: str | None
    spark_vectors: str | None
    gold_options: Mapping[str, Any] | None
    pred_options: Mapping[str, Any] | None
    edges: str | list[str] | tuple[str, ...]
    text: str | None
    nodes: Literal["declared", "linked"]
    obsolete: Literal["drop", "keep"]
    blank_nodes: Literal["drop", "keep"]
    language: str | None
    child_column: str | None
    parent_column: str | None
    relation_column: str | None
    arrows: Literal["child-parent", "parent-child"] | None
    header: Literal["no", "yes"] | None
    input_format: str | None
    on_error: Literal["skip", "stop"]
    fold_case: bool
    strip_key: bool
    class_column: str | None
    property_column: str | None
    object_column: str | None
    kind_column: str | None
    source_column: str | None
    target_column: str | None
    score_column: str | None
    relations: list[str] | tuple[str, ...] | None
    justification: list[str] | tuple[str, ...] | None
    unordered: bool
    scores: Literal["any", "unit"]
    block: int | None
    metadata: str | None
    source_ontology: str | None
    target_ontology: str | None
    dictionary: str | None
    names: Literal["id", "label", "name"] | list[str] | tuple[str, ...]
    vocabularies: list[str] | tuple[str, ...]
    suppressed: bool
    variants: str
    spacy: str | None
    abbreviations: bool
    longest: int
    fold: bool
    terms: bool
    id: str | None
    concepts: str | None
    tree: str | None
    separator: str | None
    on_unpaired: Literal["empty", "error"]
    normalise: str
    unit: Literal["corpus", "document"]
    ids: Literal["file", "order"] | None
    repeated: Literal["error", "last"]
    id_column: str | None
    subject_column: str | None
    predicate_column: str | None
    weight_column: str | None
    hierarchy: str | None
    root: list[str] | tuple[str, ...]
    instance_column: str | None
    label_column: str | None
    keep: Literal["all", "best"] | None
    encoding: str | None
    text_column: str | None
