"""Google's Custom Search JSON API, searching images.

Source: Google's documentation of "cse.list": key, cx, q, searchType, num, start and dateRestrict; `items` with `link`.
"""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from accord.errors import AccordError, Problem
from accord.models import sent
from accord.models.http_service import PASSING, Reply, Service
from accord.release.searching.guards import PER_REQUEST
from accord.release.searching.searchers import Found

ADDRESS = "https://customsearch.googleapis.com/customsearch/v1"
WHERE, ATTEMPTS = "Google image search", 4
HINT = "check the key, the engine's id and today's quota"


class GoogleImages:
    """`key`, `engine`: the environment variables with the API's key and the id of the engine (cx)."""

    def __init__(
        self,
        *,
        key: str = "GOOGLE_API_KEY",
        engine: str = "GOOGLE_SEARCH_ENGINE",
        address: str = ADDRESS,
        timeout: float = 10.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._keys = {"key": sent.key(key, WHERE), "cx": sent.key(engine, WHERE)}
        self._service = Service(address, {}, timeout=timeout, attempts=ATTEMPTS, where=WHERE, sleep=sleep)

    def find(self, words: str, since: date, most: int) -> list[Found]:
        """As `Searcher`; ten a request, until there are no more."""
        ago = (datetime.now(UTC).date() - since).days
        asked = {**self._keys, "q": words, "searchType": "image", "dateRestrict": f"d{ago}"}
        found: list[Found] = []
        for start in range(0, most, PER_REQUEST):
            count = min(PER_REQUEST, most - start)
            query = {**asked, "num": str(count), "start": str(start + 1)}
            links = _links(self._service.get(query, lambda document: _items(document) is not None))
            found += [Found(link) for link in links[:count]]
            if len(links) < count:
                break
        return found


def _items(document: Any) -> list | None:
    """The results; none where there are no more; None where the answer is not of the protocol."""
    items = document.get("items", []) if isinstance(document, dict) and "error" not in document else None
    return items if isinstance(items, list) else None


def _links(reply: Reply) -> list[str]:
    items = _items(reply.document) if reply.status == 200 else None
    if items is None:
        what = "gave no answer" if reply.status in (200, *PASSING) else "refuses to work"
        raise AccordError(Problem(WHERE, f"{what} (status {reply.status})", HINT))
    links = [item.get("link") for item in items if isinstance(item, dict)]
    return [link for link in links if isinstance(link, str)]
