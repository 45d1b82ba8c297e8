"""Fetch lists of hashes from exchanges of known abuse material, through threatexchange's clients.

Never part of the workflow: a machine with network fetches a list into a file, and runs read the file.
Credentials come from the environment, or from a file that its owner alone can read.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.abuse.hash_lists import LENGTHS
from accord.abuse.secrets import secret
from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.models import extras

NCMEC, THREATEXCHANGE = EXCHANGES = ("ncmec", "threatexchange")
FACEBOOK_KINDS = {"HASH_PDQ": "pdq", "HASH_MD5": "md5", "HASH_SHA1": "sha1"}
SINCE = 86400
"""The first second, Unix time, of the entries that are asked for: NCMEC's list is younger."""


def fetch(exchange: str, to: Path, *, address: str | None = None, group: int = 0) -> int:
    """Write all hashes of an exchange that we can compare with, 0600, whole or not at all; returns their number.

    Raises AccordError where the service can't be reached, refuses, or gives an answer that is none.
    """
    try:
        pairs = _ncmec(address) if exchange == NCMEC else _threatexchange(address, group)
        lines = sorted({f"{kind} {value.strip().lower()}" for kind, value in pairs})
    except AccordError:
        raise
    except ModuleNotFoundError as error:
        raise AccordError(Problem(exchange, f"needs the package {error.name}", extras.hint(error.name or ""))) from None
    except Exception as error:
        # The client's errors can quote the request, and with it the credentials.
        hint = "check the credentials, the URL and the network; nothing was written"
        raise AccordError(Problem(exchange, f"returned no list ({type(error).__name__})", hint)) from None
    if not lines:
        hint = "nothing was written: an empty list would let everything pass"
        raise AccordError(Problem(exchange, "returned no hashes", hint))
    keep_private(to, "".join(f"{line}\n" for line in lines).encode())
    return len(lines)


def _ncmec(address: str | None) -> Iterator[tuple[str, str]]:
    """Hashes of images by NCMEC's hash-sharing service, without those that were taken back later."""
    import time

    from threatexchange.exchanges.clients.ncmec import hash_api

    user, _, password = secret("ACCORD_NCMEC", "user:password").partition(":")
    api = hash_api.NCMECHashAPI(user, password, hash_api.NCMECEnvironment.Industry)
    if address:
        api._base_url = address.rstrip("/")
    entries = {}
    for page in api.get_entries_iter(start_timestamp=SINCE, end_timestamp=int(time.time()) - 5):
        for entry in page.updates:
            entries[entry.member_id, entry.id] = entry
    for entry in entries.values():
        if not entry.deleted and entry.entry_type == hash_api.NCMECEntryType.image:
            yield from _known_kinds(entry.fingerprints.items())


def _threatexchange(address: str | None, group: int) -> Iterator[tuple[str, str]]:
    """Hashes that the members of a privacy group of ThreatExchange share as malicious."""
    from threatexchange.exchanges.clients.fb_threatexchange.api import ThreatExchangeAPI

    api = ThreatExchangeAPI(secret("ACCORD_THREATEXCHANGE", "app-id|token"), endpoint_override=address)
    fields = ["indicator", "type", "should_delete", "descriptors{status}"]
    pages = api.get_threat_updates(group, types=list(FACEBOOK_KINDS), fields=fields, page_size=500)
    live: dict[str, tuple[str, str]] = {}
    for update in (update for page in pages for update in page):
        live.pop(update["id"], None)
        if not update.get("should_delete") and _is_malicious(update):
            live[update["id"]] = (FACEBOOK_KINDS[update["type"]], update["indicator"])
    yield from _known_kinds(live.values())


def _is_malicious(update: dict) -> bool:
    return any(one.get("status") == "MALICIOUS" for one in update.get("descriptors", {}).get("data", []))


def _known_kinds(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for kind, value in pairs:
        if kind.lower() in LENGTHS:
            yield kind.lower(), value
