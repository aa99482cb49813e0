"""Rough cosines from numbers of 8 bits: three to five times as fast as float32 products, with a proven error.

What they cannot decide within that error is decided through float32 products or in float64, as it would be without them. So no
result depends on whether ONNX Runtime, which makes them, is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import ROUNDING, UNIT_TOLERANCE

if TYPE_CHECKING:
    from goldassay.kernels.types import FloatMatrix, Rows

    Codes = NDArray[np.int8]
    Product = Callable[[NDArray[np.uint8], Codes, np.float32], FloatMatrix]

LARGEST = 127
"""The largest code."""

OFFSET = 128
"""What is added to the codes of one side: the products are of numbers without a sign and numbers with one."""

FUSED = "com.microsoft"
"""Domain of the operators that ONNX Runtime has besides those of the standard."""

OPSET, IR_VERSION = 13, 8
"""Versions of the standard that ONNX Runtime has read for years."""

LANES = 16
"""Columns of a product that a processor makes at once: other numbers of columns take half as long again (measured)."""

CHUNK = 1024
"""Rows that are rounded at once: few enough to stay in the cache."""


@dataclass(frozen=True, eq=False)
class Rough:
    """Rows of vectors, rounded to multiples of one step."""

    codes: Codes  # the multiples, int8, shape (k, d); rows that were not asked for hold anything
    step: np.float32  # what a code of 1 stands for
    # how far a rough cosine of two rows may be from their float32 product, and from their exact cosine
    band: np.float32
    multiply: Product  # multiplies codes

    @classmethod
    def of(cls, vectors: FloatMatrix, rows: Rows, band: float) -> Rough | None:
        """Round vectors.

        None where no package multiplies them exactly.
        """
        product = _product()
        if product is None:
            return None
        codes = np.empty(vectors.shape, dtype=np.int8)
        parts = [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
        with threads.pool() as pool:
            largest = max(pool.map(lambda part: _largest(vectors[part]), parts), default=0.0)
            step = np.float32(largest / LARGEST)
            error = max(pool.map(lambda part: _round(vectors, codes, part, step), parts), default=0.0)
        return cls(codes, step, _band(error, band), product)

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Compute the rough cosines of all pairs of two lists of rows, float32, shape (left, right)."""
        whole = np.resize(right, -(-len(right) // LANES) * LANES)
        return self.product(self.left(left), self.right(whole))[:, : len(right)]

    def left(self, rows: Rows) -> NDArray[np.uint8]:
        """Gather rows as the left side of products: their codes, without a sign."""
        return self.codes[rows].view(np.uint8) ^ np.uint8(OFFSET)

    def right(self, rows: Rows) -> Codes:
        """Gather rows as the right side of products; a multiple of ``LANES`` is the fastest."""
        return self.codes[rows]

    def product(self, left: NDArray[np.uint8], right: Codes) -> FloatMatrix:
        """Multiply all pairs of gathered rows, float32, shape (left, right): their rough cosines."""
        return self.multiply(left, right, self.step)


def _largest(numbers: FloatMatrix) -> float:
    return float(max(numbers.max(initial=0.0), -numbers.min(initial=0.0)))


def _round(vectors: FloatMatrix, codes: Codes, rows: Rows, step: np.float32) -> float:
    """Write the codes of some rows, and bound the distance of each of them from what its code stands for.

    The distance is computed in float32: its square is wrong by at most d * 2**-24 of it, and the differences together by
    little more than 2**-23, since no row is longer than 1.
    """
    scaled = vectors[rows]
    scaled *= np.float32(1.0) / step
    rounded = np.rint(scaled)
    codes[rows] = rounded.astype(np.int8)
    scaled -= rounded
    distance = float(step * np.sqrt(np.vecdot(scaled, scaled).max(initial=0.0)))
    return distance + distance * float(scaled.shape[1]) * 2.0**-23 + ROUNDING


def _band(error: float, band: float) -> np.float32:
    """Bound the distance between a rough cosine and a float32 product; derived in docs/decisions/0070, "Rough cosines"."""
    length = 1.0 + UNIT_TOLERANCE
    return np.float32(error * (2.0 * length + error) + band + 2.0 * ROUNDING)


@cache
def _product() -> Product | None:
    """Open ONNX Runtime for products of codes; None where it is absent, or does not multiply them exactly."""
    try:
        import onnx
        import onnxruntime
    except ImportError:
        return None
    helper, kind = onnx.helper, onnx.TensorProto
    inputs = {"left": kind.UINT8, "step": kind.FLOAT, "offset": kind.UINT8, "right": kind.INT8, "none": kind.INT8}
    shapes = {"left": ["m", "d"], "right": ["n", "d"]}
    graph = helper.make_graph(
        [
            helper.make_node(
                "QGemm", ["left", "step", "offset", "right", "step", "none"], ["cosines"], domain=FUSED, transB=1
            )
        ],
        "products of codes",
        [helper.make_tensor_value_info(name, of, shapes.get(name, [])) for name, of in inputs.items()],
        [helper.make_tensor_value_info("cosines", kind.FLOAT, ["m", "n"])],
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - an old version does not know the product; its errors share no base but this one
        return None
    offset, none = np.array(OFFSET, dtype=np.uint8), np.array(0, dtype=np.int8)

    def product(left: NDArray[np.uint8], right: Codes, step: np.float32) -> FloatMatrix:
        feeds = {"left": left, "step": np.array(step), "offset": offset, "right": right, "none": none}
        cosines: FloatMatrix = session.run(None, feeds)[0]
        return cosines

    return product if _is_exact(product) else None


def _is_exact(product: Product) -> bool:
    """Return whether the largest codes are multiplied exactly: some processors add two products in 16 bits, which overflow."""
    left = np.full((32, 64), LARGEST + OFFSET, dtype=np.uint8)
    right = np.full((32, 64), LARGEST, dtype=np.int8)
    right[::2] = -LARGEST
    exact = (left.astype(np.float32) - OFFSET) @ right.astype(np.float32).T
    return np.array_equal(product(left, right, np.float32(1.0)), exact)
