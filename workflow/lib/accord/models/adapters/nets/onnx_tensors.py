"""The numbers in an ONNX file, for networks that run on torch; read without the package onnx.

Weights may be integers of one byte, each block of them with a scale (`DequantizeLinear`): they are scaled back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.onnx_files import fields, varints

GRAPH, NODE, TENSOR = 7, 1, 5
DIMS, KIND, FLOATS, NAME, RAW = 1, 2, 4, 8, 9
INPUT, OUTPUT, OPERATOR, ATTRIBUTE = 1, 2, 4, 5
ATTRIBUTE_NAME, INTEGER = 1, 3
KINDS = {1: "<f4", 3: "i1", 7: "<i8"}
"""TensorProto's data types -> numpy's, of those that are read."""
SUFFIX, SHAPE = "_dequantized", "_shape"


def read(path: Path) -> dict[str, np.ndarray]:
    """Name -> values; what was quantised, by the name that it had before, at its own shape.

    Raises AccordError where the file isn't ONNX.
    """
    try:
        [graph] = [part for number, part in fields(memoryview(path.read_bytes())) if number == GRAPH]
        parts = list(fields(graph))
        plain = dict(_tensor(part) for number, part in parts if number == TENSOR)
        scaled = dict(_scaled(plain, part) for number, part in parts if number == NODE and _is_scaling(part))
    except (ValueError, KeyError, IndexError):
        raise AccordError(Problem(path.name, "is not a valid ONNX file", "export the model again")) from None
    return plain | scaled


def _tensor(part: memoryview) -> tuple[str, np.ndarray]:
    told = list(fields(part))
    first: dict[int, Any] = dict(reversed(told))
    dims = [size for number, value in told if number == DIMS for size in _integers(value)]
    values = np.frombuffer(bytearray(first.get(RAW, first.get(FLOATS, b""))), KINDS.get(first[KIND], "u1"))
    known = first[KIND] in KINDS and values.size == np.prod(dims, dtype=int)
    return _text(first[NAME]), values.reshape(dims) if known else np.empty(0)


def _integers(value: int | memoryview) -> Iterator[int]:
    """Integers of a repeated field, packed or one by one."""
    return iter([value]) if isinstance(value, int) else varints(value)


def _is_scaling(node: memoryview) -> bool:
    return any(number == OPERATOR and _text(value) == "DequantizeLinear" for number, value in fields(node))


def _scaled(plain: dict[str, np.ndarray], node: memoryview) -> tuple[str, np.ndarray]:
    told = list(fields(node))
    values, scales, zeros = (plain[_text(value)] for number, value in told if number == INPUT)
    attributes = dict(_attribute(value) for number, value in told if number == ATTRIBUTE)
    axis, block = attributes.get("axis", 1), attributes["block_size"]
    fit = [np.repeat(part, block, axis).take(range(values.shape[axis]), axis) for part in (scales, zeros)]
    made = (values.astype(np.float32) - fit[1].astype(np.float32)) * fit[0]
    [output] = (_text(value) for number, value in told if number == OUTPUT)
    name = output.removesuffix(SUFFIX)
    return name, made.reshape(plain[name + SHAPE].tolist()) if name + SHAPE in plain else made


def _attribute(part: memoryview) -> tuple[str, int]:
    told: dict[int, Any] = dict(fields(part))
    return _text(told[ATTRIBUTE_NAME]), told.get(INTEGER, 0)


def _text(value: Any) -> str:
    if isinstance(value, int):
        raise ValueError("a number in place of a name")
    return bytes(value).decode()
