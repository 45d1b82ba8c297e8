"""YAML files that people write, read as plain values; what is wrong with one is told with file, line and reason.

A key that is given twice is refused: YAML libraries let the last one win, and nobody notices that the first is ignored.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine.yaml_text import MERGE
from accord.errors import AccordError, Problem

TWICE = "only the last one would be used: remove one, or rename it"


class Key(NamedTuple):
    """A key where it stands in a file: its path (`checks.limit`), its type and text, its line."""

    path: str
    tag: str
    text: str
    line: int


def read(file: Path, what: str, hint: str) -> Any:
    """The value of a file; None where it is empty. what: a word for such files in errors (`configuration`).

    Raises AccordError where it can't be read, is not YAML, names anything but plain values, or gives a key twice.
    """
    import yaml

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(_text(file))
        node = loader.get_single_node()
        if found := _within_itself(file, node, what) or _twice(file, node):
            raise AccordError(found)
        return None if node is None else loader.construct_document(node)
    except (OSError, ValueError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}, line {mark.line + 1}" if mark else str(file)
        raise AccordError(Problem(where, f"is not a valid {what}: {_reason(error)}", hint)) from None


def keys(file: Path, what: str, hint: str) -> dict[Any, Any]:
    """The map of keys in a file; empty where the file is. Raises AccordError as `read` does, and where it is no map."""
    found = read(file, what, hint)
    if found is not None and not isinstance(found, dict):
        kind = "a list" if isinstance(found, list) else "a single value"
        raise AccordError(Problem(f"{file}, line 1", f"is not a valid {what}: {kind}, not a map of keys", hint))
    return found or {}


def refuse_twice(files: Iterable[Path]) -> None:
    """Raise AccordError with every key that a file gives twice, and each value that holds itself; what is no YAML is
    left to its reader."""
    import yaml

    found: list[Problem] = []
    for file in files:
        try:
            node = yaml.compose(_text(file), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except (OSError, ValueError, yaml.YAMLError):
            continue
        found += _within_itself(file, node, "configuration") or _twice(file, node)
    if found:
        raise AccordError(found)


def _text(file: Path) -> str:
    """A file's text. Raises yaml.MarkedYAMLError, which knows the line, where it isn't UTF-8."""
    from yaml import Mark, MarkedYAMLError

    data = file.read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        mark = Mark(str(file), error.start, line, 0, None, 0)
        raise MarkedYAMLError(problem=_reason(error), problem_mark=mark) from None


def _within_itself(file: Path, node: Any, what: str) -> list[Problem]:
    """The first value that holds itself by an alias (`a: &a {b: *a}`), which has no end."""
    todo, around, done = [(node, False)], set(), set()
    while todo:
        node, left = todo.pop()
        if left:
            around.discard(id(node))
            done.add(id(node))
        elif id(node) in around:
            where = f"{file}, line {node.start_mark.line + 1}"
            return [Problem(where, f"is not a valid {what}: a value holds itself by an alias (*)", "write it out")]
        elif id(node) not in done and node is not None and isinstance(node.value, list):
            around.add(id(node))
            parts = [one for part in node.value for one in (part if isinstance(part, tuple) else (part,))]
            todo += [(node, True), *((one, False) for one in parts)]
    return []


def _reason(error: Exception) -> str:
    """Why a file can't be read, in a few words that quote no value."""
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte {error.start + 1:,})"
    return getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)


def _twice(file: Path, node: Any) -> list[Problem]:
    """Each key that stands a second time in its map, in the order of lines."""
    found = []
    for siblings in _maps(node):
        first: dict[tuple[str, str], Key] = {}
        for key in siblings:
            known = first.setdefault((key.tag, key.text), key)
            if known is not key and key.text != MERGE:
                what = f"key {key.path!r} is given twice, first on line {known.line}"
                found.append((key.line, Problem(f"{file}, line {key.line}", what, TWICE)))
    return [problem for _, problem in sorted(found)]


def _maps(node: Any) -> Iterator[list[Key]]:
    """The keys of every map of a document, those of an anchored one once."""
    from yaml import MappingNode, ScalarNode, SequenceNode

    todo, seen = [("", node)], set()
    while todo:
        path, node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            todo += [(f"{path}[{place}]", one) for place, one in enumerate(node.value)]
        elif isinstance(node, MappingNode):
            named = [(key, value) for key, value in node.value if isinstance(key, ScalarNode)]
            told = [
                Key(f"{path}.{key.value}".strip("."), key.tag, key.value, key.start_mark.line + 1) for key, _ in named
            ]
            yield told
            todo += [(key.path, value) for key, (_, value) in zip(told, named, strict=True)]
