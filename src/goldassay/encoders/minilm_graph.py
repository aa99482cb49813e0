"""The network of all-MiniLM-L6-v2 as an ONNX graph optimised for ONNX Runtime.

The graph contains no weights, only their names: the session gets the arrays that were read from the checked file.
So there is no second copy on disk that could become outdated or damaged, and starting is as fast as loading one.

It takes texts of one token length at a time. Nothing is padded then, so nothing needs a mask, and no text can feel
its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix
from goldassay.core.errors import EncoderError, require

LAYERS = 6
HEADS = 12
HIDDEN = 384
EPSILON = 1e-12
OPSET = 18
IR_VERSION = 8
FUSED = "com.microsoft"
"""The operator set of ONNX Runtime with fused operators."""

Weights: TypeAlias = Mapping[str, NDArray[np.float32]]


def open_session(weights: Path, *, threads: int) -> Any:
    """Load the network, ready to run."""
    runtime = require("onnxruntime", extra="minilm", purpose="encode texts with MiniLM")
    arrays = _arrays(weights)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in arrays.values()]
    options.add_external_initializers(list(arrays), values)
    try:
        return runtime.InferenceSession(_graph(arrays), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors share no base but Exception
        raise EncoderError(
            "ONNX Runtime cannot run MiniLM.",
            path=weights,
            found=f"onnxruntime {runtime.__version__}: {error}",
            hint="pip install --upgrade onnxruntime onnx",
        ) from error


def run(session: Any, ids: NDArray[np.int32], output: str = "vectors") -> FloatMatrix:
    """Encode texts of one token length."""
    result: FloatMatrix = session.run([output], {"ids": ids})[0]
    return result


def _arrays(weights: Path) -> dict[str, NDArray[np.float32]]:
    """Arrange the weights as the graph needs them: matrices transposed, query, key and value side by side."""
    stored = require("safetensors.numpy", extra="minilm", purpose="read the weights of MiniLM").load_file(weights)
    arrays = {
        "words": stored["embeddings.word_embeddings.weight"],
        # Every token is of type 0 here, so its type can be added to its position once and for all.
        "positions": stored["embeddings.position_embeddings.weight"]
        + stored["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": stored["embeddings.LayerNorm.weight"],
        "norm.bias": stored["embeddings.LayerNorm.bias"],
    }
    for layer in range(LAYERS):
        arrays.update(_layer_arrays(stored, layer))
    return arrays


def _layer_arrays(stored: Weights, layer: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    source = f"encoder.layer.{layer}"
    projections = [f"{source}.attention.self.{name}" for name in ("query", "key", "value")]
    yield f"{layer}.attend.weight", np.ascontiguousarray(np.vstack([stored[f"{p}.weight"] for p in projections]).T)
    yield f"{layer}.attend.bias", np.concatenate([stored[f"{p}.bias"] for p in projections])
    for name, part in (("mix", "attention.output"), ("widen", "intermediate"), ("narrow", "output")):
        yield f"{layer}.{name}.weight", np.ascontiguousarray(stored[f"{source}.{part}.dense.weight"].T)
        yield f"{layer}.{name}.bias", stored[f"{source}.{part}.dense.bias"]
    for name, part in (("mixed", "attention.output"), ("projected", "output")):
        yield f"{layer}.{name}.weight", stored[f"{source}.{part}.LayerNorm.weight"]
        yield f"{layer}.{name}.bias", stored[f"{source}.{part}.LayerNorm.bias"]


def _graph(arrays: Weights) -> bytes:
    onnx = require("onnx", extra="minilm", purpose="describe MiniLM to ONNX Runtime")
    helper, kind = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        list(_nodes(helper)),
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info("ids", kind.INT32, ["texts", "tokens"])],
        [
            helper.make_tensor_value_info("vectors", kind.FLOAT, ["texts", HIDDEN]),
            helper.make_tensor_value_info("lengths", kind.FLOAT, ["texts"]),
        ],
        [onnx.numpy_helper.from_array(np.array([1], dtype=np.int64), "token axis")]
        + [_promise(kind, name, array.shape) for name, array in arrays.items()],
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    serialized: bytes = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
    return serialized


def _promise(kind: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Declare a weight that is passed to the session at run time."""
    tensor = kind(name=name, data_type=kind.FLOAT, dims=shape, data_location=kind.EXTERNAL)
    location = tensor.external_data.add()
    location.key, location.value = "location", "handed over in memory"
    return tensor


def _nodes(helper: Any) -> Iterator[Any]:
    yield helper.make_node(
        "EmbedLayerNormalization",
        ["ids", "", "words", "positions", "", "norm.weight", "norm.bias"],
        ["0.in", "no mask"],
        domain=FUSED,
        epsilon=EPSILON,
    )
    for layer in range(LAYERS):
        yield from _layer_nodes(helper, str(layer), f"{layer + 1}.in")
    yield helper.make_node("ReduceMean", [f"{LAYERS}.in", "token axis"], ["mean"], keepdims=0)
    yield helper.make_node("LpNormalization", ["mean"], ["vectors"], axis=-1, p=2)
    yield helper.make_node("ReduceL2", ["mean", "token axis"], ["lengths"], keepdims=0)


def _layer_nodes(helper: Any, n: str, result: str) -> Iterator[Any]:
    def fused(operator: str, inputs: list[str], output: str, **attributes: Any) -> Any:
        return helper.make_node(operator, inputs, [output], domain=FUSED, **attributes)

    def product(of: str, name: str) -> Any:
        return helper.make_node("MatMul", [of, f"{n}.{name}.weight"], [f"{n}.{name}"])

    def add_and_norm(dense: str, skip: str, norm: str, output: str) -> Any:
        inputs = [f"{n}.{dense}", skip, f"{n}.{norm}.weight", f"{n}.{norm}.bias", f"{n}.{dense}.bias"]
        return fused("SkipLayerNormalization", inputs, output, epsilon=EPSILON)

    yield fused("Attention", [f"{n}.in", f"{n}.attend.weight", f"{n}.attend.bias"], f"{n}.attend", num_heads=HEADS)
    yield product(f"{n}.attend", "mix")
    yield add_and_norm("mix", f"{n}.in", "mixed", f"{n}.mixed")
    yield product(f"{n}.mixed", "widen")
    yield fused("BiasGelu", [f"{n}.widen", f"{n}.widen.bias"], f"{n}.gelu")
    yield product(f"{n}.gelu", "narrow")
    yield add_and_norm("narrow", f"{n}.mixed", "projected", result)
