"""The numbers in an ONNX file, read without the package onnx; and the file without what keeps it from running fast.

Weights may be integers of one byte, each block of them with a scale (`DequantizeLinear`): they are scaled back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.onnx_files import fields, varints

GRAPH, NODE, TENSOR = 7, 1, 5
DIMS, KIND, FLOATS, NAME, RAW = 1, 2, 4, 8, 9
SHAPES = 13
PORTS = {11: True, 12: False}
"""The inputs of a graph, which are batches of pictures, and its outputs; of these no shape is told at all."""
PORT_NAME, FLOAT, PICTURES = 1, 1, 4
INPUT, OUTPUT, OPERATOR, ATTRIBUTE = 1, 2, 4, 5
ATTRIBUTE_NAME, INTEGER = 1, 3
KINDS = {1: "<f4", 3: "i1", 7: "<i8"}
"""TensorProto's data types -> numpy's, of those that are read."""
SUFFIX, SHAPE = "_dequantized", "_shape"


def read(path: Path) -> dict[str, np.ndarray]:
    """Name -> values; what was quantised, by the name that it had before, at its own shape.

    Raises AccordError where the file isn't ONNX.
    """
    with _understood(path):
        _, parts = _parts(path)
        plain = _plain(parts)
        scaled = (_scaled(plain, part) for number, part in parts if number == NODE and _is_scaling(part))
        return plain | {name.removesuffix(SUFFIX): values for name, values in scaled}


def unquantised(path: Path) -> bytes:
    """The file with its weights scaled back, for pictures of any size: shapes of inputs and outputs are left open.

    Raises AccordError where the file isn't ONNX.
    """
    with _understood(path):
        others, parts = _parts(path)
        plain = _plain(parts)
        graph = b"".join(_opened(plain, number, part) for number, part in parts if number != SHAPES)
        return b"".join(_field(number, part) for number, part in others) + _field(GRAPH, graph)


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, IndexError):
        raise AccordError(Problem(path.name, "is not a valid ONNX file", "export the model again")) from None


def _parts(path: Path) -> tuple[list, list]:
    """The fields of the file beside its graph, and those of the graph."""
    told = list(fields(memoryview(path.read_bytes())))
    [graph] = [part for number, part in told if number == GRAPH]
    return [(number, part) for number, part in told if number != GRAPH], list(fields(_bytes(graph)))


def _plain(parts: list) -> dict[str, np.ndarray]:
    return dict(_tensor(part) for number, part in parts if number == TENSOR)


def _opened(plain: dict[str, np.ndarray], number: int, part: Any) -> bytes:
    """A field of a graph, scaled back, or open in its shape."""
    if number == NODE and _is_scaling(part):
        name, values = _scaled(plain, part)
        dims = b"".join(_field(DIMS, size) for size in values.shape)
        raw = _field(RAW, np.ascontiguousarray(values, "<f4").tobytes())
        return _field(TENSOR, dims + _field(KIND, FLOAT) + _field(NAME, name.encode()) + raw)
    if number not in PORTS:
        return _field(number, part)
    [name] = [value for inner, value in fields(part) if inner == PORT_NAME]
    shape = _field(2, _field(1, b"") * PICTURES) if PORTS[number] else b""
    return _field(number, _field(PORT_NAME, name) + _field(2, _field(1, _field(1, FLOAT) + shape)))


def _field(number: int, value: bytes | memoryview | int) -> bytes:
    """As protocol buffers write a field."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + bytes(value)


def _varint(value: int) -> bytes:
    low = value & 127
    return bytes([low]) if value < 128 else bytes([low | 128]) + _varint(value >> 7)


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
    attributes = dict(_attribute(_bytes(value)) for number, value in told if number == ATTRIBUTE)
    axis, block = attributes.get("axis", 1), attributes["block_size"]
    fit = [np.repeat(part, block, axis).take(range(values.shape[axis]), axis) for part in (scales, zeros)]
    made = (values.astype(np.float32) - fit[1].astype(np.float32)) * fit[0]
    [output] = (_text(value) for number, value in told if number == OUTPUT)
    shape = output.removesuffix(SUFFIX) + SHAPE
    return output, made.reshape(plain[shape].tolist()) if shape in plain else made


def _attribute(part: memoryview) -> tuple[str, int]:
    told: dict[int, Any] = dict(fields(part))
    return _text(told[ATTRIBUTE_NAME]), told.get(INTEGER, 0)


def _text(value: memoryview | int) -> str:
    return bytes(_bytes(value)).decode()


def _bytes(value: memoryview | int) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number in place of bytes")
    return value
