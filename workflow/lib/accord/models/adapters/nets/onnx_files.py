"""What an ONNX file refers to outside itself, read without any library that would follow it.

A graph can name files from which its numbers are read ("external data"), by a path that its author chose. Here it may
name only files that models.yaml lists under the model's weights, so that their sums are checked like its own.
"""

from collections.abc import Iterator
from pathlib import Path

from accord.errors import AccordError, Problem

GRAPH, TENSOR, SPARSE, NODE, ATTRIBUTE, FUNCTION, TRAINING, PAIR, MODEL = range(9)
PARTS = {
    MODEL: {7: GRAPH, 20: TRAINING, 25: FUNCTION},
    GRAPH: {1: NODE, 5: TENSOR, 15: SPARSE},
    NODE: {5: ATTRIBUTE},
    ATTRIBUTE: {5: TENSOR, 6: GRAPH, 10: TENSOR, 11: GRAPH, 22: SPARSE, 23: SPARSE},
    SPARSE: {1: TENSOR, 2: TENSOR},
    FUNCTION: {7: NODE, 11: ATTRIBUTE},
    TRAINING: {1: GRAPH, 2: GRAPH},
    TENSOR: {13: PAIR},
}
"""Message -> number of a field -> the message in it, of all that can lead to a tensor (onnx.proto, IR version 13)."""
KEY, VALUE = 1, 2
BYTES, FIXED64, FIXED32, VARINT = 2, 1, 5, 0
DEEPEST = 50


def checked(path: Path, listed: list[Path]) -> bytes:
    """The bytes of an ONNX file.

    Raises AccordError where it is none, or where it names a file that is not one of `listed`, in its own folder.
    """
    content = path.read_bytes()
    try:
        named = sorted(set(_locations(memoryview(content), MODEL, 0)))
    except (ValueError, KeyError, IndexError):
        raise AccordError(Problem(path.name, "is not a valid ONNX file", "export the model again")) from None
    folder, known = path.parent.resolve(), {file.resolve() for file in listed}
    for name in named:
        there = (folder / name).resolve()
        if Path(name).is_absolute() or not there.is_relative_to(folder) or there not in known:
            hint = "list each of its data files under the model's weights, or save the model as one file"
            raise AccordError(Problem(path.name, f"reads data from {name!r}, which models.yaml doesn't list", hint))
    return content


def _locations(message: memoryview, kind: int, depth: int) -> Iterator[str]:
    """The paths that the tensors in a message name."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    for number, part in _messages(message):
        inner = PARTS[kind].get(number)
        if inner == PAIR:
            pair = dict(_messages(part))
            if bytes(pair.get(KEY, b"")) == b"location":
                yield bytes(pair.get(VALUE, b"")).decode()
        elif inner is not None:
            yield from _locations(part, inner, depth + 1)


def _messages(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The fields that hold bytes."""
    return ((number, part) for number, part in fields(message) if not isinstance(part, int))


def fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """The number and content of each field that holds bytes or a whole number; the others are stepped over.

    Raises ValueError or IndexError where it is no message of protocol buffers.
    """
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        wire = tag & 7
        if wire == VARINT:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        size, at = _varint(message, at) if wire == BYTES else ({FIXED64: 8, FIXED32: 4}[wire], at)
        if at + size > len(message):
            raise ValueError("cut short")
        if wire == BYTES:
            yield tag >> 3, message[at : at + size]
        at += size


def varints(packed: memoryview) -> Iterator[int]:
    """The whole numbers of a packed field."""
    at = 0
    while at < len(packed):
        value, at = _varint(packed, at)
        yield value


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise ValueError("no number")
