"""What a YAML text says: plain values only, read by libyaml where it is there, many times faster than in Python."""

import re
from typing import Any

from accord.text import unicode

MOST_EVENTS = 50_000
DEEPEST = 10
MERGE = "<<"
DIRECTIVE = re.compile("(?:^|[\r\n\x85\u2028\u2029\ufeff])%")
"""At the beginning of a line, as YAML ends them; many of them take libyaml a time that grows with their square."""


class NotPlainError(ValueError):
    """A text that says more than plain values, or too much; the message says what, without quoting it."""


def said(text: str) -> Any:
    """The value of a YAML document. Raises yaml.YAMLError where it is none, or names anything but plain values."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def strings(text: str) -> Any:
    """The value of an untrusted YAML document, of mappings, lists and strings: scalars are texts, as they are written.

    Anchors, aliases, merge keys, tags and directives are refused, since a few lines of them stand for any amount of
    work, and so is what is nested deeply, is very long, or gives a key twice. Raises NotPlainError or yaml.YAMLError.
    """
    import yaml

    if DIRECTIVE.search(text):
        raise NotPlainError("has a directive (%): leave it out")
    base = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    _check(yaml.parse(text, Loader=base))
    return _plain(yaml.compose(text, Loader=base))


def _check(events: Any) -> None:
    """Look at a document's events, which cost as much as its letters, before any value is made of them."""
    from yaml import AliasEvent, CollectionEndEvent, CollectionStartEvent, ScalarEvent

    depth = 0
    for number, event in enumerate(events):
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise NotPlainError("has an anchor (&) or an alias (*): write the value out")
        if isinstance(event, ScalarEvent) and event.value == MERGE:
            raise NotPlainError("has a merge key (<<): write the keys out")
        if getattr(event, "tag", None):
            raise NotPlainError("has a tag (!): leave it out")
        if number > MOST_EVENTS or depth > DEEPEST:
            raise NotPlainError(f"has more than {MOST_EVENTS} values, or more than {DEEPEST} levels")


def _plain(node: Any) -> Any:
    from yaml import MappingNode, SequenceNode

    if isinstance(node, SequenceNode):
        return [_plain(one) for one in node.value]
    if not isinstance(node, MappingNode):
        return _text(node.value) if node is not None else None
    keys = [_plain(key) for key, _ in node.value]
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
        raise NotPlainError("has a key twice, or one that is not text: remove one of them")
    return dict(zip(keys, (_plain(value) for _, value in node.value), strict=True))


def _text(value: str) -> str:
    if wrong := unicode.fault(value):
        raise NotPlainError(f"{wrong}: retype the text")
    return value
