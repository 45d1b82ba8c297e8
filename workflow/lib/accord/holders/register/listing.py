"""Who holds what: the one list that shows holders by name."""

from pathlib import Path

from accord.holders.register import store
from accord.holders.register.store import Answer, Download, Holder
from accord.sealing import signing


def holders(vault: Path) -> list[dict]:
    """All holders: id, name, contact, key (fingerprint), how that came, and each version with days and open notices."""
    with store.reading(vault) as opened:
        waiting = [(notice.holder, notice.version) for notice in store.open_notices(opened)]
        found = []
        for holder in store.find(opened, Holder):
            answers = store.find(opened, Answer, holder=holder.id)
            releases = [
                {
                    "version": one.version,
                    "until": one.until,
                    "ended": one.ended,
                    "open_notices": waiting.count((holder.id, one.version)),
                    "acknowledged": max((a.recorded for a in answers if a.version == one.version), default=""),
                }
                for one in store.find(opened, Download, holder=holder.id)
            ]
            key = signing.fingerprint(signing.read_public(holder.key.encode())) if holder.key else ""
            about = {"name": holder.name, "contact": holder.contact, "key": key, "trusted": holder.trusted}
            found.append({"holder": holder.id, **about, "releases": releases})
    return found
