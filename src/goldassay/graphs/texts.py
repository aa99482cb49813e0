"""The text of a node without a label: its name, split into words or not."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import StringArray
from goldassay.formats.labels import LABELS, best_labels, last_part, opened

__all__ = ["LABELS", "NAMED", "best_labels", "composed", "numbered_texts", "opened", "title"]


def title(iri: str) -> str:
    """Return the last part of an IRI with spaces for underscores, otherwise unchanged: OLLM's titles.

    Example:
        >>> title("http://a/b#TripleNegative_breast-cancer")
        'TripleNegative breast-cancer'
    """
    return last_part(iri).replace("_", " ")


def composed(texts: Iterable[str]) -> tuple[list[str], int]:
    r"""Write texts in Unicode's composed form (NFC), and count those that this changes.

    Example:
        >>> composed(["cafe\u0301", "tea"])
        (['café', 'tea'], 1)
    """
    given = list(texts)
    normal = [text if text.isascii() else unicodedata.normalize("NFC", text) for text in given]
    return normal, sum(one is not other and one != other for one, other in zip(given, normal, strict=True))


def numbered_texts(*columns: StringArray) -> tuple[StringArray, list[NDArray[np.int64]]]:
    """Sort the texts of some columns, each text once, and return the position of each cell in that order.

    Args:
        *columns: String columns, shape (n,) each.

    Returns:
        The distinct texts in order, and the place of every text of each column, int64, shape (n,) each.

    Example:
        >>> from goldassay.core.context import string_array
        >>> texts, (here, there) = numbered_texts(string_array(["dog", "cat"]), string_array(["dog"]))
        >>> texts.tolist(), here.tolist(), there.tolist()
        (['cat', 'dog'], [1, 0], [1])
    """
    # Asking for the index makes numpy sort by merging; its other sort of strings crashes on 130,000 WordNet nodes (2.4.6).
    texts, _, numbers = np.unique(np.concatenate(columns), return_index=True, return_inverse=True)
    return texts, np.split(numbers.astype(np.int64), np.cumsum([len(column) for column in columns])[:-1])


NAMED: Mapping[str, Callable[[str], str]] = MappingProxyType({"label": opened, "title": title, "iri": str})
"""How each choice of text names a node that has no label."""
