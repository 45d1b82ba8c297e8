"""ONNX files: read without following what they refer to, which is checked first.

A graph can name files from which its numbers are read ("external data"), by a path that its author chose. Here it may
name only files that models.yaml lists under the model's weights, so that their sums are checked like its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import AccordError, Problem
from accord.models.weights import reading

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from onnx import ModelProto

INVALID = ("is not a valid ONNX file", "export the model again")


def checked(path: Path, listed: list[Path]) -> bytes:
    """The bytes of an ONNX file.

    Raises AccordError where it is none, or where it names a file that is not one of `listed`, in its own folder.
    """
    content = path.read_bytes()
    with reading(path.name, *INVALID):
        named = sorted(set(_locations(parsed(path, content))))
    folder, known = path.parent.resolve(), {file.resolve() for file in listed}
    for name in named:
        there = (folder / name).resolve()
        if Path(name).is_absolute() or not there.is_relative_to(folder) or there not in known:
            hint = "list each of its data files under the model's weights, or save the model as one file"
            raise AccordError(Problem(path.name, f"reads data from {name!r}, which models.yaml doesn't list", hint))
    return content


def parsed(path: Path, content: bytes) -> ModelProto:
    """The model in the bytes of the file `path`; no other file is read. Raises AccordError where there is none."""
    import onnx

    with reading(path.name, *INVALID):
        model = onnx.load_model_from_string(content)
    if not model.HasField("graph"):
        raise AccordError(Problem(path.name, *INVALID))
    return model


def _locations(message: Message) -> Iterator[str]:
    """The paths that tensors name, wherever in a message they stand: in attributes, functions and inner graphs too."""
    import onnx

    if isinstance(message, onnx.TensorProto):
        yield from (pair.value for pair in message.external_data if pair.key == "location")
    for field, value in message.ListFields():
        if field.message_type is not None:
            inner: Iterable[Message] = value if field.is_repeated else [value]
            for one in inner:
                yield from _locations(one)
