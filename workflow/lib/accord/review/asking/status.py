"""How far reviews are, in words: queues, agreement, and accounts."""

import sqlite3
from typing import Any

import pandas as pd

from accord.queues import ANNOTATIONS, OBJECTIONABLE, OBJECTIONABLE_KINDS, RATED, UPHOLD
from accord.review.asking import dismissed
from accord.review.database import accounts, progress, work
from accord.sealing import chained

GOOD = {OBJECTIONABLE: "fine", ANNOTATIONS: "right"}
"""Queue of what nobody suspects -> what a dismissal says there."""
OTHER = OBJECTIONABLE_KINDS[-1]
"""What an image is of which nobody said what it is."""
OF_PEOPLE = "SELECT reviewer, SUM(open), SUM(decision <> '') FROM assignment GROUP BY reviewer"


def document(db: sqlite3.Connection) -> dict[str, Any]:
    """How far reviews are, as JSON."""
    done = {who: (waiting, voted) for who, waiting, voted in db.execute(OF_PEOPLE)}
    people = [(of, *done.get(of.id, (0, 0))) for of in accounts.reviewers(db)]
    entries, head = chained.head(db)
    said = work.decided(db)
    return {
        "queues": [
            {
                **of._asdict(),
                "agreement": of.agreement._asdict(),
                "questions": _questions(db, of.queue),
                "dismissed": dismissed.rate(said, of.queue)._asdict(),
                "kinds": _kinds(said, of.queue),
            }
            for of in work.progress(db)
        ],
        "reviewers": [
            {"name": of.name, "role": of.role, "active": of.active, "waiting": waiting, "voted": voted}
            for of, waiting, voted in people
        ],
        "entries": entries,
        "head": head,
    }


def text(told: dict[str, Any]) -> str:
    """The same as lines."""
    lines = ["queue            items  assigned     voted   settled  disputed  agreement"]
    for of in told["queues"]:
        counts = "".join(f"{of[name]:10}" for name in ("assigned", "voted", "settled", "disputed"))
        lines.append(f"{of['queue']:15}{of['items']:7}{counts}  {_agreement(of['agreement'])}")
        several = of["questions"] if len(of["questions"]) > 1 else {}
        lines += [f"  {name.replace('_', ' ')}: {_agreement(one)}" for name, one in several.items()]
    if not told["queues"]:
        lines = ["no review items: load them from the results with `accord review assign`"]
    decided = [of for of in told["queues"] if of["dismissed"]["decided"]]
    lines += ["", *(_dismissed(of["queue"], of["dismissed"]) for of in decided)]
    lines += [*(_found(of["queue"], of["kinds"]) for of in told["queues"] if of["kinds"]), ""]
    for of in told["reviewers"]:
        state = "" if of["active"] else ", inactive"
        lines.append(f"{of['name']} ({of['role']}{state}): {of['waiting']} to decide, {of['voted']} decided")
    return "\n".join([*lines, f"{told['entries']} entries, head {told['head']}"])


def _questions(db: sqlite3.Connection, queue: str) -> dict[str, dict[str, Any]]:
    """Question -> agreement on it, in queues in which each vote counts."""
    return {name: of._asdict() for name, of in progress.questions(db, queue).items()} if queue in RATED else {}


def _dismissed(queue: str, of: dict[str, Any]) -> str:
    between = f"{of['rate']:.1%} [{of['low']:.1%}, {of['high']:.1%}]"
    return f"{queue}: {GOOD.get(queue, 'dismissed as wrong')} {of['dismissed']} of {of['decided']} decided, {between}"


def _kinds(said: pd.DataFrame, queue: str) -> dict[str, int]:
    """How many images were upheld as what, in the queue in which people say what an image is."""
    upheld = said[(said["queue"] == queue) & (said["decision"] == UPHOLD)]
    return upheld["kind"].replace("", OTHER).value_counts().sort_index().to_dict() if queue == OBJECTIONABLE else {}


def _found(queue: str, kinds: dict[str, int]) -> str:
    counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kinds.items())
    return f"{queue}: {counts}"


def _agreement(of: dict[str, Any]) -> str:
    if of["percent"] is None:
        return f"- ({of['reason']})"
    alpha = f"alpha {of['alpha']:.3f}" if of["alpha"] is not None else of["reason"]
    return f"{of['percent']:.1f}% of {of['items']} items, {alpha}"
