"""The words of many names at once, numbered as the words of a text are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.fold import SKIPPED, STOP_WORDS, fold, is_acronym, pieces_in

if TYPE_CHECKING:
    import polars as pl

UNCUT = "\u0dff"
"""Beyond it, one character may be a word."""
NOTHING = (0, False, False)


class Spelt(NamedTuple):
    """The words of names, one after the other.

    Attributes:
        numbers: What each word is compared as, int64, shape (words,).
        lengths: How many words each name has, int64, shape (names,).
        searchable: Whether a name can be told from the words between concepts, bool, shape (names,).
        acronyms: Whether a name is one acronym, bool, shape (names,).
    """

    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    searchable: NDArray[np.bool_]
    acronyms: NDArray[np.bool_]


class Spellings(dict[str, tuple[int, bool, bool]]):
    """What is known of a word as it is spelt: its number, whether it tells a name, and whether it is an acronym."""

    def __init__(self, number: Callable[[str], int]) -> None:
        self.number = number

    def __missing__(self, piece: str) -> tuple[int, bool, bool]:
        folded = fold(piece)
        # One letter or digit of an alphabet is not a name; one character of an unspaced script may be.
        tells = any(map(str.isalnum, piece)) and folded not in STOP_WORDS and (len(piece) > 1 or piece > UNCUT)
        self[piece] = found = (self.number(folded), tells, is_acronym(piece))
        return found


def spelt(names: pl.Series, spellings: Spellings) -> Spelt:
    """Find the words of names.

    Example:
        >>> import polars as pl
        >>> spelt(pl.Series(["Type-2 diabetes", "the", "ALL"]), Spellings(len)).lengths.tolist()
        [3, 1, 1]
    """
    pieces, codes, counts, _ = pieces_in(names)
    is_word = np.array([not SKIPPED.match(piece) for piece in pieces], dtype=np.bool_)
    about = [spellings[piece] if kept else NOTHING for piece, kept in zip(pieces, is_word.tolist(), strict=True)]
    kept = is_word[codes]
    lengths = np.diff(np.append(0, np.cumsum(kept))[np.append(0, np.cumsum(counts))])
    known = np.array(about, dtype=np.int64).reshape(-1, 3)[codes[kept]]
    ends = np.cumsum(lengths)
    tells, acronyms = (np.concatenate([[0], np.cumsum(known[:, column])]) for column in (1, 2))
    acronym = (lengths == 1) & (acronyms[ends] > acronyms[ends - lengths])
    return Spelt(known[:, 0].copy(), lengths, acronym | (tells[ends] > tells[ends - lengths]), acronym)
