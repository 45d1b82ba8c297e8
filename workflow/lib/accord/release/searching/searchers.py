"""Who finds pictures of a name: the interface, and how one is made from the settings."""

import importlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple, Protocol

from accord.errors import AccordError, Problem

SETTING, OPTIONS = "release.archive.search.searcher", "release.archive.search.options"
OURS = {
    "google_images": ("accord.release.searching.google_images", "GoogleImages"),
    "folder": ("accord.release.searching.folder", "Folder"),
    "listed": ("accord.release.searching.listed", "Listed"),
}
BY_HAND = ("folder", "listed")
"""Those that ask nobody: somebody gathered pictures, or links."""


class Found(NamedTuple):
    """The address of a picture, and when it was published: "" where nobody says."""

    url: str
    published: str = ""


class Searcher(Protocol):
    """Finds addresses of pictures. An exception stops the job; no name may be in its text.

    One whose addresses aren't links also has `read(urls)`, as `fetching.fetched`.
    """

    def find(self, words: str, since: date, most: int) -> Sequence[Found]:
        """At most so many pictures that were published since a day."""
        ...


def made(name: str, options: Mapping[str, Any]) -> Searcher:
    """A searcher of the settings. Raises AccordError where there is none of that name, or an option is wrong."""
    if name not in OURS:
        raise AccordError(Problem(SETTING, f"there is no {name[:40]!r}", f"it is one of {', '.join(OURS)}"))
    module, kind = OURS[name]
    try:
        return getattr(importlib.import_module(module), kind)(**options)
    except TypeError as error:
        raise AccordError(Problem(SETTING, f"options don't fit ({error})", "docs/rapid-test.md lists them")) from None
