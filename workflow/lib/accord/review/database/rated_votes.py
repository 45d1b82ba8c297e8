"""Votes of raters on skin, on what faces are taken for, and on whom they show: all that count, each on its own; who
gave them stays in the database."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.queues import IDENTITIES, LOOKS, OTHER, SAME, SKIN, UPHOLD
from accord.review.database import store
from accord.review.drawn import outlines
from accord.review.tables import IdentityVotes, LookVotes, SkinVotes
from accord.sealing import chained

ON_QUEUE = """
    SELECT item.subject, item.kind, chain.commitment, vote.* FROM item
    JOIN vote ON vote.item = item.item AND vote.asked = item.asked AND vote.act = 'vote'
    JOIN chain ON chain.seq = vote.seq
    JOIN assignment ON assignment.item = item.item AND assignment.reviewer = vote.reviewer
    WHERE item.queue = ? AND item.gone = 0 ORDER BY vote.seq
"""
ITEM, RATER, DECISION, REGIONS = 3, 4, 7, 8
"""Where these are among the columns of a record."""
LABELS = {SAME: 1, OTHER: 0}
UNTOLD = -1


class Vote(NamedTuple):
    """A vote that counts: of whom and on which scale or attribute, the item, the rater's id, what they said, and
    whether it is as it was recorded."""

    subject: str
    scale: str
    item: str
    rater: str
    decision: str
    regions: str
    holds: bool


def of_vault(vault: Path, read: Callable[[sqlite3.Connection], pd.DataFrame], model: type[table.Table]) -> pd.DataFrame:
    """The votes that `read` finds in a vault's database, a table of the model; none where nobody was asked yet."""
    if not store.exists(vault):
        return table.empty(model)
    with store.reading(vault) as db:
        return read(db)


def majorities(votes: pd.DataFrame, column: str, fewest: int = 1) -> pd.Series:
    """Item -> what more than half of its votes say in a column, where it has `fewest` votes or more."""
    counts = votes.groupby(["item", column]).size()
    totals = counts.groupby(level="item").transform("sum")
    clear = counts[(2 * counts > totals) & (totals >= fewest)]
    return pd.Series(clear.index.get_level_values(column), index=clear.index.get_level_values("item"), dtype=object)


def skin_votes(db: sqlite3.Connection) -> DataFrame[SkinVotes]:
    """The votes on all people who are asked about: of each rater the last one. Who could not judge has no vote.

    Raises AccordError where a vote is not as it was recorded.
    """
    counted = _held(db, SKIN)
    names = _names(counted)
    rows = [(vote.subject, names[vote.rater], vote.scale, *_type(vote)) for vote in counted if vote.decision == UPHOLD]
    return table.rows(sorted(rows), SkinVotes)


def look_votes(db: sqlite3.Connection) -> DataFrame[LookVotes]:
    """The votes on what faces are taken for, as `skin_votes` has those on skin."""
    counted = _held(db, LOOKS)
    names = _names(counted)
    rows = [(vote.item, names[vote.rater], vote.scale, _said(vote)) for vote in counted if vote.decision == UPHOLD]
    return table.rows(sorted(rows), LookVotes)


def identity_votes(db: sqlite3.Connection) -> DataFrame[IdentityVotes]:
    """The votes on whom faces show, as `skin_votes` has those on skin; here it counts, too, who could not tell."""
    counted = _held(db, IDENTITIES)
    names = _names(counted)
    said = {vote: LABELS[_said(vote)] if vote.decision == UPHOLD else UNTOLD for vote in counted}
    return table.rows(sorted((vote.item, names[vote.rater], label) for vote, label in said.items()), IdentityVotes)


def units(db: sqlite3.Connection, queue: str) -> dict[str, list[tuple[Counter, int]]]:
    """Question (scale or attribute) -> what `agreement.of` counts: of each item how many raters named each type,
    whether they were sure or not."""
    found: dict[tuple[str, str], Counter] = {}
    for vote in _counted(db, queue):
        if vote.decision == UPHOLD:
            said = _type(vote)[0] if queue == SKIN else _said(vote)
            found.setdefault((vote.scale, vote.item), Counter())[said] += 1
    asked: dict[str, list[tuple[Counter, int]]] = {}
    for (question, _), votes in sorted(found.items()):
        asked.setdefault(question, []).append((votes, 1))
    return asked


def _held(db: sqlite3.Connection, queue: str) -> list[Vote]:
    counted = _counted(db, queue)
    if changed := sum(not vote.holds for vote in counted):
        hint = "run `accord review verify` for details, keep the file as evidence, and restore the vault from a backup"
        what = f"{changed} votes on {'skin' if queue == SKIN else 'faces'} differ from their records"
        raise AccordError(Problem("review/review.sqlite", what, hint))
    return counted


def _names(counted: list[Vote]) -> dict[str, str]:
    return {rater: f"r{number}" for number, rater in enumerate(sorted({vote.rater for vote in counted}), 1)}


def _counted(db: sqlite3.Connection, queue: str) -> list[Vote]:
    """Of each rater the last vote on each item, in the order in which they were first given."""
    with store.snapshot(db):
        rows = db.execute(ON_QUEUE, (queue,)).fetchall()
    last: dict[tuple[str, str], Vote] = {}
    for subject, scale, committed, *record in rows:
        holds = chained.commitment("vote", tuple(record[1:])) == committed
        item, rater, decision, regions = (record[place] for place in (ITEM, RATER, DECISION, REGIONS))
        last[item, rater] = Vote(subject, scale, item, rater, decision, regions, holds)
    return list(last.values())


def _said(vote: Vote) -> str:
    return outlines.decode(vote.regions)[0].kind


def _type(vote: Vote) -> tuple[int, bool]:
    """The type that a vote names, and whether its rater was not sure."""
    number, _, unsure = _said(vote).partition(" ")
    return int(number), bool(unsure)
