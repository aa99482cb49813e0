"""The context of a measure while it matches: vectors of texts, progress, and the memory limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import EncoderError, UsageError
from goldassay.core.timing import stage
from goldassay.kernels.cosine import compute_squared_lengths

if TYPE_CHECKING:
    from goldassay.core.significance import Resampling

FloatMatrix: TypeAlias = NDArray[np.float32]
Made = TypeVar("Made")

WORTH_KEEPING = 5
"""From how many predictions on, given or drawn, it pays to keep which texts are near which."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)`` while long work runs; raises nothing, returns nothing."""


def ignore_progress(stage: str, done: int, total: int) -> None:
    """Ignore progress: the default."""


@runtime_checkable
class Encoder(Protocol):
    """Text in, unit vectors out.

    Attributes:
        name: Its name, for example ``all-MiniLM-L6-v2``.
        fingerprint: Lower-case hexadecimal digest of everything that can change a vector (weights, pooling, length
            limit).
        dimension: Length of a vector.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - described in the class
    @property
    def fingerprint(self) -> str: ...  # noqa: D102 - described in the class
    @property
    def dimension(self) -> int: ...  # noqa: D102 - described in the class

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts."""
        ...


class Texts(Protocol):
    """A column of texts that can be listed: a numpy column, or `goldassay.core.intern.Names`."""

    def tolist(self) -> Any:
        """Return the texts as a list."""
        ...


@dataclass(eq=False)
class Context:
    """The context of one evaluation, shared by all its measures, so that no text is encoded twice.

    Attributes:
        repeats: Whether many predictions of the same texts are matched one after another, so that it pays to keep which
            texts are near which.
        shared: Gold standards that several predictions are scored against, so that it pays to keep which texts are near theirs.
        evidence: Whether the best counterpart of every item will be asked for: it also decides which items match.
        groupings: What the family can group items by, for `Resampling.unit`.

    Example:
        >>> from goldassay.encoders import HashingEncoder
        >>> context = Context(encoder=HashingEncoder())
        >>> vectors, rows = context.vectors(np.array(["cat", "dog", "cat"]))
        >>> vectors.shape[0], rows.tolist()
        (2, [0, 1, 0])
    """

    encoder: Encoder | None = None
    progress: Progress = ignore_progress
    memory: int = 512 * 2**20
    resampling: Resampling | None = None
    repeats: bool = False
    shared: tuple[object, ...] = ()
    evidence: bool = False
    groupings: Mapping[str, Callable[[Any, Any], Any]] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict, repr=False)
    _vectors: FloatMatrix = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32), repr=False)
    _made: dict[str, tuple[tuple[object, ...], Any]] = field(default_factory=dict, repr=False)

    @contextmanager
    def looking_up(self, evidence: bool = True) -> Iterator[Context]:
        """Set, in a context, whether the best counterpart of every item will be needed.

        Example:
            >>> with Context().looking_up() as context:
            ...     context.evidence
            True
        """
        before, self.evidence = self.evidence, evidence
        try:
            yield self
        finally:
            self.evidence = before

    def get_or_make(self, name: str, owners: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """Return a value that several measures need of the same models, computed once.

        Only the latest value of a name is kept, so that several predictions need no more memory than one.

        Example:
            >>> context, model = Context(), object()
            >>> context.get_or_make("answer", (model,), lambda: [42]) is context.get_or_make("answer", (model,), lambda: [42])
            True
        """
        kept = self._made.get(name)
        if kept is None or len(kept[0]) != len(owners) or any(a is not b for a, b in zip(kept[0], owners, strict=True)):
            kept = (owners, make())
            self._made[name] = kept
        made: Made = kept[1]
        return made

    def require_encoder(self) -> Encoder:
        """Return the encoder."""
        if self.encoder is None:
            raise UsageError("This measure compares meanings and needs an encoder.", hint="encoder='minilm'")
        return self.encoder

    @property
    def encoder_name(self) -> str:
        """The name of the encoder with the begin of its digest; empty without one."""
        return f"{self.encoder.name}@{self.encoder.fingerprint[:8]}" if self.encoder else ""

    def vectors(self, texts: Texts) -> tuple[FloatMatrix, NDArray[np.int64]]:
        """Look up the vectors of texts, encoding each distinct text once in the lifetime of this context."""
        encoder = self.require_encoder()
        # Several measures, and samples of a prediction, ask for the same texts one after another.
        rows = self.get_or_make("rows of texts", (texts,), lambda: self._encode_texts(texts.tolist(), encoder))
        return self._vectors[: len(self._rows)], rows

    def _encode_texts(self, words: list[str], encoder: Encoder) -> NDArray[np.int64]:
        """Encode those texts that are not known, and return the row of each."""
        fresh = [text for text in dict.fromkeys(words) if text not in self._rows]
        known = len(self._rows)
        if fresh or not known:
            with stage("encoding", f"{len(fresh):,} texts"):
                added = _check_vectors(encoder.encode(fresh, progress=self.progress), fresh, encoder)
            if known:
                self._vectors = _grow_table(self._vectors, known + len(added))
                self._vectors[known : known + len(added)] = added
            else:
                self._vectors = added
            self._rows.update(zip(fresh, range(known, known + len(added)), strict=True))
        return np.fromiter(map(self._rows.__getitem__, words), dtype=np.int64, count=len(words))


def _grow_table(vectors: FloatMatrix, rows: int) -> FloatMatrix:
    """Return a table of at least so many rows that begins with these: half as large again, so that growth is copied seldom."""
    if rows <= len(vectors):
        return vectors
    larger = np.empty((max(rows, len(vectors) * 3 // 2), vectors.shape[1]), dtype=np.float32)
    larger[: len(vectors)] = vectors
    return larger


def _check_vectors(vectors: FloatMatrix, texts: list[str], encoder: Encoder) -> FloatMatrix:
    """Check the output of an encoder: a row that is not a unit vector would change a score silently."""
    expected = (len(texts), encoder.dimension)
    if vectors.shape != expected or vectors.dtype != np.float32:
        raise EncoderError(
            f"The encoder {encoder.name} does not return a table of vectors.",
            found=f"shape {vectors.shape}, {vectors.dtype}",
            expected=f"shape {expected}, float32",
            hint="correct its encode()",
        )
    try:
        compute_squared_lengths(vectors, np.arange(len(vectors)))
    except ValueError as error:
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        row = int(np.argmax(np.nan_to_num(np.abs(lengths - 1), nan=np.inf)))
        raise EncoderError(
            f"The encoder {encoder.name} returns a vector that is not of length 1.",
            found=f"length {lengths[row]:g} for {texts[row]!r}",
            expected="unit rows",
            hint="divide each row by its length",
        ) from error
    return vectors
