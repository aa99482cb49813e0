"""What is known of how measures, and the encoders that they use, track people: the rows of ``cards.tsv``, which ``make cards`` writes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from goldassay.core.measure import Measure

PATH = Path(__file__).with_name("cards.tsv")
UNKNOWN = "unknown"
OF_ENCODER = "encoder "


@dataclass(frozen=True, kw_only=True)
class Card:
    """One statistic of one measure or encoder."""

    about: str  # the spec of a measure, or the name of an encoder after `OF_ENCODER`
    data: str  # the data set
    items: str  # what people judged, with their number
    statistic: str  # the statistic, with its value by chance
    value: str  # the value with its interval
    ceiling: str  # the same statistic of people among themselves; `UNKNOWN` where that is not known
    date: str  # when it was computed

    def line(self) -> str:
        """Write the card as a line."""
        return (
            f"{self.about}: {self.statistic} {self.value} on {self.items} ({self.data}); "
            f"people among themselves: {self.ceiling}; {self.date}"
        )


@cache
def every_card() -> tuple[Card, ...]:
    """Read all cards."""
    with PATH.open(encoding="utf-8", newline="") as stream:
        return tuple(Card(**row) for row in csv.DictReader(stream, delimiter="\t"))


def write_cards(cards: Sequence[Card], path: Path = PATH) -> None:
    """Write cards as a table."""
    names = [field.name for field in fields(Card)]
    rows = [names, *([getattr(card, name) for name in names] for card in cards)]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def card_lines(measure: type[Measure[Any, Any]]) -> Iterator[str]:
    """List what is known of how a measure tracks people; and of encoders, if it needs one."""
    own = [card.line() for card in every_card() if card.about.partition("(")[0] == measure.name]
    yield from own or [UNKNOWN]
    if measure().needs_encoder:
        yield from (card.line() for card in every_card() if card.about.startswith(OF_ENCODER))
