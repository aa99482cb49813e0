"""Treatment of bad records in an otherwise good file: reading stops, or the record is counted and listed."""

from __future__ import annotations

from dataclasses import dataclass, field

from goldassay.core.errors import RecordError
from goldassay.core.text import LISTED
from goldassay.formats.options import OnError


@dataclass(kw_only=True)
class BadRecords:
    """Receives the bad records of one file.

    Attributes:
        on_error: ``"stop"`` raises the first, ``"skip"`` keeps them all.
        errors: The errors kept.

    Example:
        >>> bad = BadRecords(on_error="skip")
        >>> bad.add(RecordError("The row is short.", path="a.csv", line=3, found="1 cell"))
        >>> bad.notes()
        ('1 bad record skipped', 'skipped line 3: The row is short. (1 cell)')
    """

    on_error: OnError = "stop"
    errors: list[RecordError] = field(default_factory=list)

    def add(self, error: RecordError) -> None:
        """Raise the error, or keep it.

        Raises:
            RecordError: The error itself, unless bad records are skipped.
        """
        if self.on_error == "stop":
            raise error
        self.errors.append(error)

    def add_line(self, line: str, *, path: str, number: int, message: str, expected: str) -> None:
        """Add a line that is not what it should be.

        Args:
            line: The line.
            path: The file.
            number: Its number, from 1.
            message: What it is not, in one sentence.
            expected: What it should be.
        """
        self.add(RecordError(message, path=path, line=number, found=repr(line[:60]), expected=expected))

    def left_out(self) -> dict[str, int]:
        """Count skipped records for the ``left_out`` of a model; empty if there are none."""
        return {"skipped_records": len(self.errors)} if self.errors else {}

    def notes(self) -> tuple[str, ...]:
        """Return how many records were skipped, and describe the first few."""
        if not self.errors:
            return ()
        several = "record" if len(self.errors) == 1 else "records"
        return (f"{len(self.errors):,} bad {several} skipped", *(_described(error) for error in self.errors[:LISTED]))


def _described(error: RecordError) -> str:
    place = f"skipped line {error.line}" if error.line is not None else "skipped"
    return f"{place}: {error.message}" + (f" ({error.found})" if error.found else "")
