"""The officer's page: who may be shown, what was painted out, which withdrawals are pending, who holds copies.

It prints on two pages: a longer table is cut, and says which command lists the rest.
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

from accord.checks.tables.findings import VideoWaterfall, Waterfall
from accord.consent.deciding import scope_words
from accord.consent.ledger import ledger
from accord.consent.requests import unmatched, unread
from accord.engine import table
from accord.erase.cases import case as cases
from accord.erase.cases import clock, machine
from accord.erase.cases.case import CLOSED
from accord.erase.cases.places import Places
from accord.erase.processing.record import VIDEOS
from accord.holders.register import listing, overdue
from accord.privacy.tables import Edits
from accord.queues import INPAINTING
from accord.queues import VIDEOS as WATCHED
from accord.report.drawing import page
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.reading import waiting
from accord.report.sections import collected
from accord.text.nouns import counted, images_of

ROWS = 10
"""Most rows of a table."""
TITLE, NOTHING = "For the data-protection officer", "No run has made a release yet."
PUBLISH = ("collect", "publish_image", "biometric", "train", "external")
"""The scopes that decide about images; all others are about attributes."""


def render(places: Places, told: dict[str, Any], now: str) -> str:
    """The page, as HTML. told: the record of processing (`record.make`); now: ISO 8601, UTC."""
    sections = [
        _shown(places.results, told),
        _painted(places.results),
        _pending(places, now),
        _copies(places, told, now),
    ]
    release = _release(places.results)
    about = f"release {release['version']} · as of {now[:10]}" if release else f"as of {now[:10]}"
    return page.render(page.OFFICER, title=TITLE, about=about, sections=sections)


def _shown(results: Path, told: dict[str, Any]) -> Section:
    """What was delivered and released, what stopped the rest, and what people consent to."""
    release, file, blocks = _release(results), results / "release/waterfall.parquet", []
    if release and file.is_file():
        steps = table.read([file], Waterfall).sort_values("order")
        released = images_of(release["images"], release["subjects"])
        blocks.append(
            Words([f"{released} released, of {counted(int(steps['images_in'].iloc[0]), 'image')} delivered."])
        )
        blocks.append(grid("table-rooms", "Images that each room stopped, and what was left after it.", _rooms(steps)))
    blocks += _videos(results)
    consents = {scope: told["consented_to"].get(scope, 0) for scope in PUBLISH}
    rows = pd.DataFrame({"consent to": [scope_words.words(one) for one in PUBLISH], "people": consents.values()})
    if told["consented_to"]:
        caption = "People who consent today, by what they consent to. Attributes have scopes of their own."
        blocks.append(grid("table-consents", caption, rows))
    return Section("shown", "Who may be shown", "", blocks, NOTHING)


def _videos(results: Path) -> list[Any]:
    """What was delivered of videos, and what stopped them; nothing where no delivery has any."""
    if not (results / VIDEOS).is_file():
        return []
    steps = table.read(results / VIDEOS, VideoWaterfall).sort_values("order")
    delivered, left = int(steps["images_in"].iloc[0]), int(steps["images_out"].iloc[-1])
    said = f"{counted(left, 'video')} painted, proven and not withheld, of {delivered:,} delivered."
    rows = _rooms(steps).rename(columns=lambda name: name.replace("images", "videos"))
    return [
        Words([said]),
        grid("table-video-rooms", "Videos that each room stopped, and what was left after it.", rows),
    ]


def _rooms(steps: pd.DataFrame) -> pd.DataFrame:
    of = steps.groupby("room", sort=False)
    found = of.agg(stopped=("stopped", "sum"), left=("images_out", "last"), people=("subjects_left", "last"))
    return found.reset_index().rename(
        columns={"stopped": "images stopped", "left": "images left", "people": "people left"}
    )


def _painted(results: Path) -> Section:
    """Regions by kind and method, and those that wait for a review."""
    files = sorted(results.glob("privacy/*/edits.parquet"))
    edits = collected.counted(table.read(files, Edits)) if files else pd.DataFrame()
    if files:
        edits["kind"] = edits["kind"].str.replace("_", " ")
    caption = "Regions of bystanders and personal data that were painted out."
    blocks: list[Any] = _cut("table-painted", caption, edits, "the report's table “What was painted out”")
    left = {one.queue: one for one in waiting.waiting(results)}
    said = [
        f"{counted(left[queue].waiting, noun)} not yet reviewed (policy {left[queue].policy}): accord review status."
        for queue, noun in ((INPAINTING, "painted region"), (WATCHED, "painted video"))
        if queue in left and left[queue].waiting
    ]
    blocks += [Words(said)] if said else []
    return Section("painted", "What was painted out", "", blocks, "Nothing was painted out.")


def _pending(places: Places, now: str) -> Section:
    """Withdrawals not yet carried out by their day, with a case or not, and requests that nobody has taken up."""
    every, news = cases.every(places.cases), machine.news(places)
    left = [clock.status(one, now) for one in every if one.stage != CLOSED and one not in news.ended]
    found = sorted([*left, *(clock.without_case(at, now) for at in news.opened.values())], key=lambda one: one.due)
    rows = [(one.case, one.stage, one.received[:10], one.due[:10], one.left) for one in found]
    names = ["case", "stage", "received", "due", "days left"]
    late = sum(one.overdue for one in found)
    sentences = [f"{counted(len(found), 'erasure')} open, {late} overdue; {len(every) - len(left)} closed."]
    sentences += _not_taken_up(places, len(news.opened))
    caption = "Erasures that are open, the first to be due before others."
    table_of = _cut("table-cases", caption, pd.DataFrame(rows, columns=names), "accord erase status")
    return Section("pending", "Withdrawals pending", "", [Words(sentences), *table_of])


def _not_taken_up(places: Places, new: int) -> list[str]:
    """Withdrawals without a case, requests for nobody, rows that are refused: a sentence for each that there is."""
    if not ledger.exists(places.vault):
        return []
    nobody = len(unmatched.of_vault(places.vault))
    refused = len(unread.refused(places.vault, places.inbox, proof_required=places.proof_required))
    told = {
        f"Of the open ones, {counted(new, 'withdrawal')} without a case yet: accord erase status opens it.": new,
        f"{counted(nobody, 'request')} for nobody in any delivery: accord erase status.": nobody,
        f"{counted(refused, 'row')} or files of the inbox refused: accord erase status.": refused,
    }
    return [sentence for sentence, count in told.items() if count]


def _copies(places: Places, told: dict[str, Any], now: str) -> Section:
    """Recipients with the versions that they have, and how many notices they have yet to answer."""
    late: dict[str, int] = {}
    for one in overdue.overdue(places.vault, date.fromisoformat(now[:10])):
        late[one["holder"]] = max(late.get(one["holder"], 0), one["days"])
    rows = [
        (
            one["name"] or "(forgotten)",
            ", ".join(held["version"] for held in one["releases"] if not held["ended"]) or "none",
            sum(held["open_notices"] for held in one["releases"]),
            late.get(one["holder"], 0),
        )
        for one in listing.holders(places.vault)
    ]
    names = ["recipient", "has", "notices open", "days overdue"]
    found = pd.DataFrame(rows, columns=names).sort_values(names[:1:-1], ascending=False, kind="stable")
    caption = "Recipients, those with overdue notices first."
    blocks: list[Any] = _cut("table-holders", caption, found, "accord holders list")
    blocks += (
        [Words([f"{counted(told['exports'], 'export')} of the publisher's own, listed in the vault's exports.jsonl."])]
        if told["exports"]
        else []
    )
    return Section("copies", "Who holds copies", "", blocks, "No recipient and no exported copy is recorded.")


def _cut(id: str, caption: str, rows: pd.DataFrame, rest: str) -> list[Grid]:
    """A table of at most ROWS rows, which says where the others are; none without a row."""
    left = len(rows) - ROWS
    more = f" {counted(left, 'row')} more: {rest}." if left > 0 else ""
    return [grid(id, f"{caption}{more}", rows.head(ROWS))] if len(rows) else []


def _release(results: Path) -> dict[str, Any]:
    file = results / "release/release.json"
    return json.loads(file.read_text()) if file.is_file() else {}
