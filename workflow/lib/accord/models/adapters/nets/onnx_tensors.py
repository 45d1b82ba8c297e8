"""The numbers in an ONNX file, and the file without what keeps ONNX Runtime from running it fast.

Weights may be integers of one byte, each block of them with a scale (`DequantizeLinear`): they are scaled back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from accord.models.adapters.nets import onnx_files
from accord.models.weights import reading

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto

SCALING, SUFFIX, SHAPE = "DequantizeLinear", "_dequantized", "_shape"


def read(path: Path) -> dict[str, np.ndarray]:
    """Name -> values; what was quantised, by the name that it had before, at its own shape.

    Raises AccordError where the file isn't ONNX, or its scales don't fit its weights.
    """
    values = _values(dequantised(path).graph)
    return {name.removesuffix(SUFFIX): _shaped(values, name) for name in values}


def _shaped(values: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Of what was quantised as a matrix, its own shape is a tensor beside it."""
    shape = name.removesuffix(SUFFIX) + SHAPE
    return values[name].reshape(values[shape]) if name.endswith(SUFFIX) and shape in values else values[name]


def dequantised(path: Path) -> ModelProto:
    """The model with its weights scaled back. Raises AccordError as `read` does."""
    from onnx import numpy_helper

    model = onnx_files.parsed(path, path.read_bytes())
    with reading(path.name, *onnx_files.INVALID):
        values = _values(model.graph)
    for node in [node for node in model.graph.node if node.op_type == SCALING]:
        with reading(path.name, *onnx_files.INVALID):
            scaled = _scaled(*(values[name] for name in node.input), **{one.name: one.i for one in node.attribute})
        model.graph.initializer.append(numpy_helper.from_array(scaled, node.output[0]))
        model.graph.node.remove(node)
    return model


def of_any_size(model: ModelProto, name: str) -> ModelProto:
    """The model for pictures of any size, its only input being `name`: no other shape is told."""
    graph = model.graph
    [pictures] = [port for port in graph.input if port.name == name]
    del graph.input[:], graph.value_info[:]
    graph.input.append(pictures)
    for size in graph.input[0].type.tensor_type.shape.dim:
        size.Clear()
    for port in graph.output:
        port.type.tensor_type.ClearField("shape")
    return model


def _values(graph: GraphProto) -> dict[str, np.ndarray]:
    from onnx import numpy_helper

    return {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def _scaled(values: np.ndarray, scales: np.ndarray, zeros: np.ndarray, *, axis: int, block_size: int) -> np.ndarray:
    """float32: (value - zero) * scale, each block along an axis with its own (DequantizeLinear of ONNX 21)."""
    blocks = range(values.shape[axis])
    scale, zero = (np.repeat(part, block_size, axis).take(blocks, axis) for part in (scales, zeros))
    return (values.astype(np.float32) - zero.astype(np.float32)) * scale
