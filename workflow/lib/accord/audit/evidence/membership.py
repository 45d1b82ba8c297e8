"""Membership: whether results hold nobody who may not be in them, and verdicts follow from findings."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Moment
from accord.audit.records import reviews, rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.errors import AccordError, Problem
from accord.findings import FAIL, REVIEW

CONSENT, DECISIONS = About("consent"), About("decisions")
PASSED = ("images", "videos")
"""Tables of what the consent room lets pass."""
PAST = ("privacy", "release", "train", "evaluate", "analyse")
"""Rooms that may hold nobody whom the consent room stopped."""

KEEPING = ("checks", *PAST)
"""Rooms whose tables of kept rows may know nobody else."""

BACKUPS = "backups"
"""Where Snakemake keeps former outputs while their jobs run."""

ALL = frozenset({"verdicts.parquet"})
"""Tables that tell of every delivered image."""

JUDGED = ("release/verdicts.parquet", "privacy/videos/verdicts.parquet", "release/videos/verdicts.parquet")
"""The last verdicts on images; those on videos, before and after some were held in reserve."""

SETTLED = "**/*settled.parquet"
"""Tables that tell what became of findings that wanted a review."""

SELECTED = {"published": "pass", "reserve": "reserve"}
"""State in the selection -> verdict."""

STALE = "run the workflow: it reruns the shards that contain them"
LEFT = "an interrupted run left it: delete it when no run is active"
PUT_BACK = "it was put back, or the results mix several runs: rerun the workflow"


def checks(places: Places) -> list[Check]:
    """Consent of everyone in the results, now; nobody past the consent room that it stopped; verdicts as found."""
    passed = frozenset(_images(path for name in PASSED for path in places.results.glob(f"consent/*/{name}.parquet")))
    if not passed:
        return [CONSENT.none("results", "there are no results of the consent steps")]
    return [
        *_now(passed, places),
        *_past(passed, places),
        *_kept(passed, places),
        *_verdicts(places),
        *reviews.checks(places),
    ]


def _now(passed: frozenset[str], places: Places) -> list[Check]:
    days = {
        str(told["params"].get("as_of"))
        for path in places.results.glob("consent/*/images.parquet")
        if (told := reading.record(path))
    }
    day = min(days, default=places.today)
    try:
        with consents.opened(places.vault) as asked:
            why = Counter(ended.state for image in passed if (ended := asked.ended(image, Moment(day))) is not None)
    except AccordError as error:
        return CONSENT.held("results", error.problems, "")
    problems = [
        Problem("results", f"{count} images in the results: consent {state}", STALE)
        for state, count in sorted(why.items())
    ]
    return CONSENT.held("results", problems, f"{len(passed)} images in the results; everyone in them consents")


def _past(passed: frozenset[str], places: Places) -> list[Check]:
    problems, looked = [], 0
    for room in PAST:
        for path in sorted(places.results.glob(f"{room}/**/*.parquet")):
            if path.name not in ALL:
                looked += 1
                strange = set(_images([path])) - passed
                problems += [Problem(path.as_posix(), f"{len(strange)} of its images did not pass consent", PUT_BACK)][
                    : len(strange)
                ]
    return CONSENT.held("membership", problems, f"{looked} tables contain only images that passed consent")


def _kept(passed: frozenset[str], places: Places) -> list[Check]:
    """Nobody is known by what tables say of the rows that they keep, nor in copies of former outputs."""
    tables = [path for room in KEEPING for path in sorted(places.results.glob(f"{room}/**/*.parquet"))]
    copies = [path for path in sorted((places.snakemake / BACKUPS).rglob("*.parquet")) if _is_kept(path)]
    known = [(path, rows_of_images.kept(path), PUT_BACK) for path in tables]
    known += [(path, rows_of_images.kept(path) | frozenset(_images([path])), LEFT) for path in copies]
    problems = [
        Problem(path.as_posix(), f"contains {len(strange)} images that did not pass consent", hint)
        for path, images, hint in known
        if (strange := images - passed)
    ]
    fine = f"{len(tables) + len(copies)} tables and backup copies contain only images that passed consent"
    return CONSENT.held("kept rows", problems, fine)


def _is_kept(path: Path) -> bool:
    """Whether a copy of a former output is of a table that may know nobody whom the consent room stopped."""
    return not set(KEEPING).isdisjoint(path.parts) and path.name not in ALL


def _verdicts(places: Places) -> list[Check]:
    """An image, or a video, passes where no finding failed it, and only there."""
    paths = [path for name in JUDGED if (path := places.results / name).is_file()]
    if not paths:
        return [DECISIONS.none("verdicts", "there is no table of verdicts")]
    failed, checks = set(_failed(places.results)), _checks_that_failed(places.results)
    told, count = [], 0
    for path in paths:
        rows = rows_of_images.rows(path, {}, ["image", "verdict", "check"])
        told += [*_contradicting(path, rows, failed, checks), *_reserve(path, rows, places)]
        count += len(rows)
    return DECISIONS.held("verdicts", told, f"{count} verdicts agree with the findings")


def _contradicting(path: Path, rows: list[dict], failed: set[str], checks: set[str]) -> list[Problem]:
    """Verdicts that findings don't give; `checks`: those that made findings."""
    flipped = sum(row["verdict"] == "pass" and row["image"] in failed for row in rows)
    told = [Problem(path.as_posix(), f"{flipped} images pass although a finding failed them", PUT_BACK)][:flipped]
    unfounded = sum(row["verdict"] != "pass" and row["check"] in checks and row["image"] not in failed for row in rows)
    told += [Problem(path.as_posix(), f"{unfounded} images are stopped although no finding failed them", PUT_BACK)][
        :unfounded
    ]
    return told


def _reserve(path: Path, rows: list[dict], places: Places) -> list[Problem]:
    """An image passes where the selection published it, and is held back where it reserved it."""
    keys = path.with_name("keys.parquet")
    if not keys.is_file():
        return []
    wanted = {row["image"]: SELECTED.get(row["state"]) for row in rows_of_images.rows(keys, {}, ["image", "state"])}
    found = {row["image"]: row["verdict"] for row in rows if row["verdict"] in SELECTED.values()}
    wrong = sum(wanted.get(image) != found.get(image) for image in wanted.keys() | found.keys())
    return [Problem(path.as_posix(), f"{wrong} images have a verdict that contradicts the selection", PUT_BACK)][:wrong]


def _failed(results: Path) -> Iterator[str]:
    """The images that a finding fails, or that wait; one that wanted a review counts as what became of it."""
    settled = {
        (row["image"], row["check"]): row["verdict"]
        for path in sorted(results.glob(SETTLED))
        for row in rows_of_images.rows(path, {}, ["image", "check", "verdict"])
    }
    for path in _findings(results):
        for row in rows_of_images.rows(path, {}, ["image", "check", "verdict"]):
            wanted = row["verdict"] == REVIEW
            verdict = settled.get((row["image"], row["check"]), REVIEW) if wanted else row["verdict"]
            if verdict in (FAIL, REVIEW):
                yield row["image"]


def _checks_that_failed(results: Path) -> set[str]:
    return {check for path in _findings(results) for check in rows_of_images.named(path, "check")}


def _findings(results: Path) -> Iterator[Path]:
    for path in sorted(results.glob("**/*.parquet")):
        if path.name not in ALL and {"image", "check", "verdict", "threshold"} <= set(rows_of_images.names(path)):
            yield path


def _images(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from rows_of_images.named(path)
