"""A large JSON object, entry by entry: memory is bounded by the longest entry, whatever the file holds."""

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
LONGEST = 64 << 20
"""Characters of one entry; a run-length encoded mask takes thousands, one of 2048 x 1536 true and false 20 million."""
SPACE = re.compile(r"[ \t\n\r]*")
AFTER = tuple(" \t\n\r,:}]")
"""What can follow a value."""


def entries(path: Path, longest: int = LONGEST) -> Iterator[tuple[str, Any]]:
    """Key and value of each entry of the object in a file, in its order; equal keys come as often as they are there.

    Raises ValueError where the file is no such object: cut, no UTF-8, too deep, with NaN, or an entry is too long.
    """
    with Path(path).open("rb") as file:
        text = _Text(file, longest)
        text.expect("{")
        if text.peek() == "}":
            text.expect("}")
        else:
            while True:
                key = text.value()
                if not isinstance(key, str):
                    raise ValueError("has a key that is not text")
                text.expect(":")
                yield key, text.value()
                if text.expect(",}") == "}":
                    break
        if text.peek():
            raise ValueError("continues after the end of its object")


class _Text:
    """The part of a file that is being read; what was read is forgotten."""

    def __init__(self, file: Any, longest: int):
        self._file, self._longest = file, longest
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder(parse_constant=_refused)
        self._text, self._at, self._ended = "", 0, False

    def peek(self) -> str:
        """The next character that is no space; "" at the end of the file."""
        while True:
            space = SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._read(CHUNK)

    def expect(self, wanted: str) -> str:
        """The next character that is no space, which must be one of `wanted`."""
        found = self.peek()
        if not found or found not in wanted:
            raise ValueError("is truncated or damaged" if self._ended and not found else "is not a JSON object")
        self._at += 1
        return found

    def value(self) -> Any:
        """The next value. It is tried again with twice the text while it may only be cut."""
        self.peek()
        size = CHUNK
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
                # A number that goes on behind what was read, as `0.5` behind `0.`, looks whole.
                if self._ended or self._text[end : end + 1] in AFTER:
                    self._at = end
                    return value
            except json.JSONDecodeError:
                if self._ended:
                    raise ValueError("is truncated or damaged, or is not valid JSON") from None
            except RecursionError:
                raise ValueError("is nested too deeply") from None
            if len(self._text) - self._at > self._longest:
                raise ValueError(f"has an entry of more than {self._longest} characters, or is damaged")
            self._read(size)
            size *= 2

    def _read(self, size: int) -> None:
        data = self._file.read(size)
        try:
            more = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:
            raise ValueError("is not valid UTF-8") from None
        self._ended = not data
        self._text, self._at = self._text[self._at :] + more, 0


def _refused(name: str) -> None:
    raise ValueError(f"contains {name}, which is not a number")
