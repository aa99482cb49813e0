"""What the presets of published scripts have in common: which triples a document is scored by, and the best pairing."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import require
from goldassay.kernels.assigned import assigned
from goldassay.triples.spans import Triple
from goldassay.triples.words import REMEMBERED

CAMEL = re.compile(r"([a-z])([A-Z])")
BLANKS = re.compile(r"\s+")
IN_BRACKETS = re.compile(r"(.*?)(\s\((.*?)\))")
TRIED = 8
"""Up to so many triples every order is tried, as the scripts do: where two orders are equally good but for the last bit
of a sum, that bit decides in them, and so it does here."""


@lru_cache(maxsize=REMEMBERED)
def prepared(triple: tuple[str, ...], *, ascii_only: bool = False) -> Triple:
    """Write a triple as the scripts of WebNLG 2020 compare it.

    Example:
        >>> prepared(("ALCO_RS-3", "overallLength", "17068.8 (millimetres)"))
        ('alco rs-3', 'overall length', '17068.8')
    """
    subject, predicate, thing = (
        BLANKS.sub(" ", CAMEL.sub(r"\1 \2", text).lower().replace("_", " ")) for text in triple
    )
    if ascii_only:
        unidecode = require("unidecode", extra="edc", purpose="bring letters into ASCII as the script of EDC does")
        subject, predicate, thing = (unidecode.unidecode(text) for text in (subject, predicate, thing))
    remark = IN_BRACKETS.fullmatch(thing)
    return subject, predicate, remark[1] if remark else thing


def best_order(credit: NDArray[np.float64]) -> NDArray[np.int64]:
    """Find the order of the columns that gives the rows most credit; of several the first in the alphabet of places.

    Example:
        >>> best_order(np.array([[0.0, 1.0], [0.0, 1.0]])).tolist()
        [0, 1]
    """
    size = len(credit)
    if size <= TRIED:
        orders = _orders(size)
        total = np.zeros(len(orders))
        for row in range(size):
            total += credit[row, orders[:, row]]
        found: NDArray[np.int64] = orders[int(np.argmax(total))]
        return found
    return assigned(credit)[1]


@cache
def _orders(size: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(size))), dtype=np.int64).reshape(math.factorial(size), size)
