"""Signatures: one line with everything that can change a value, written and read here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldassay.core.errors import UsageError

ESCAPES = {"%": "%25", "|": "%7C", "\n": "%0A", "\r": "%0D"}


@dataclass(frozen=True)
class Signature:
    """The reproducibility line of a score.

    Attributes:
        measure: The measure as its spec.
        fields: The rest, in order: how the items were chosen, the encoder, the sizes, the version.

    Example:
        >>> line = "fuzzy(threshold=0.436)|edges:rdfs:subClassOf|text:label|gold:565|pred:208|goldassay:0.2.0"
        >>> signature = Signature.parse(line)
        >>> signature.measure, signature.fields["edges"]
        ('fuzzy(threshold=0.436)', 'rdfs:subClassOf')
        >>> str(signature) == line
        True
    """

    measure: str
    fields: Mapping[str, str]

    def __str__(self) -> str:
        parts = [self.measure, *(f"{key}:{value}" for key, value in self.fields.items())]
        return "|".join(_escape(part) for part in parts)

    def with_field(self, name: str, value: str) -> Signature:
        """Return the same signature with one more field, before the version of goldassay, which comes last."""
        last = {"goldassay": self.fields["goldassay"]} if "goldassay" in self.fields else {}
        others = {key: one for key, one in self.fields.items() if key not in ("goldassay", name)}
        return Signature(self.measure, {**others, name: value, **last})

    @classmethod
    def shared(cls, several: Sequence[Signature]) -> Signature:
        """Keep what the signatures of all runs of a system share, and say how many they are."""
        first = several[0]
        same = {key: one for key, one in first.fields.items() if all(other.fields.get(key) == one for other in several)}
        return cls(first.measure, same).with_field("runs", str(len(several)))

    @classmethod
    def parse(cls, line: str) -> Signature:
        """Read a signature back.

        Raises:
            UsageError: If a part has no name.
        """
        measure, *parts = (_unescape(part) for part in line.split("|"))
        fields = {}
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon:
                raise UsageError("Invalid signature.", found=part, expected="name:value between the bars")
            fields[key] = value
        return cls(measure, fields)


def _escape(part: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in part)


def _unescape(part: str) -> str:
    for character, escape in reversed(ESCAPES.items()):
        part = part.replace(escape, character)
    return part
