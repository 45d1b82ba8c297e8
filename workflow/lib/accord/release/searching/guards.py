"""What a run on pictures of people who consented to nothing must state before it starts, and must not meet."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from time import time
from typing import Any

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.release.archives import formats
from accord.release.searching import register
from accord.release.searching.searchers import BY_HAND
from accord.shards import shard_of
from accord.text import days

SETTING = "release.archive.terms"
LEAST_QUERIES = 10
"""Queries of the smallest group that a report may show."""
LEAST_WORDS = 5
"""Different ones, of more than a letter, of a sentence that says who allows this, and under which law."""
LONGEST_DAYS = 366
PER_REQUEST = 10
"""Results of one request."""
FLEETING = ("release/*/files.tar", "release/*/derivatives.parquet", "evaluate/*/*.templates.parquet")
"""What a run deletes once it was used: pictures, their sums, and vectors of faces. The rules name them `temp()`."""
RECORD = "release/release.json"
HOUR, HOURS = 3600, 24.0
"""Seconds of an hour; hours that pictures are kept where nobody says how many."""
ERASE = "erase what is left: accord search end --with-results --config FILE, the settings of this run"


def planned(config: Mapping[str, Any], shards: Sequence[str]) -> dict[str, list[str]]:
    """Shard -> the ids of whom to search for. Raises AccordError with every reason not to begin; erases what a killed
    run left longer ago than it may be kept, whether or not this one may begin. config: of the run, whose archive is of
    the format `search`."""
    archive, results = config["release"]["archive"], Path(config.get("pathvars", {}).get("results", "results"))
    search = archive["search"]
    check_own(results)
    clean(results, search["retention_hours"])
    with all_problems() as problems:
        _check_stated(archive.get("terms", {}), days.today(), problems)
        _check_run(config, problems)
    queries = register.listed(Path(config["vault"]))
    wanted = 0 if search["searcher"] in BY_HAND else len(queries) * requests(search["most"])
    if wanted > search["max_requests"]:
        what = f"{len(queries)} queries take {wanted} requests, and {search['max_requests']} are allowed"
        raise AccordError(Problem("release.archive.search.max_requests", what, "raise it, or search for fewer people"))
    found: dict[str, list[str]] = {shard: [] for shard in shards}
    for query in queries:
        found[shard_of(query, len(shards))].append(query)
    return found


def clean_by(config: Mapping[str, Any]) -> None:
    """Erase what a killed search left longer ago than it may be kept, by a configuration that may be wrong elsewhere:
    who takes the basis out of it must not keep the pictures for that. Another run's results are never touched."""
    release, pathvars = (
        found if isinstance(found := config.get(name), dict) else {} for name in ("release", "pathvars")
    )
    archive = release.get("archive")
    if not isinstance(archive, dict) or archive.get("format") != formats.SEARCHED:
        return
    search, results = archive.get("search"), Path(str(pathvars.get("results") or "results"))
    hours = search.get("retention_hours") if isinstance(search, dict) else None
    with suppress(AccordError):
        check_own(results)
        clean(results, hours if isinstance(hours, int | float) and hours >= 0 else HOURS)


def check_stated(terms: Mapping[str, Any], today: str) -> None:
    """Raises AccordError unless it is stated who allows this, until a day that isn't over."""
    with all_problems() as problems:
        _check_stated(terms, today, problems)


def check_own(results: Path) -> None:
    """Raises AccordError where a folder of results is another run's, which a search must not meet, or erase."""
    is_other = (results / RECORD).is_file() and not is_search(results)
    nested = (path for path in results.rglob(RECORD) if path != results / RECORD)
    if is_other or (results / "intake").exists() or (results / "consent").exists() or any(nested):
        what = f"{results.as_posix()} has results of another run"
        raise AccordError(Problem("pathvars.results", what, "a search never meets them: give it a folder of its own"))


def is_search(results: Path) -> bool:
    """Whether results are those of a search that got as far as to be described."""
    record = results / RECORD
    return record.is_file() and json.loads(record.read_text()).get("dataset") == formats.SEARCHED


def is_fleeting(path: Path) -> bool:
    """Whether a file of a search's results is one that must be gone when it was used."""
    within = len(FLEETING[0].split("/"))
    results = path.absolute().parents[within - 1] if len(path.absolute().parents) > within else path
    return any(path.match(pattern) for pattern in FLEETING) and is_search(results)


def requests(most: int) -> int:
    """How many requests a search for at most so many pictures makes."""
    return -(-most // PER_REQUEST)


def clean(results: Path, hours: float) -> int:
    """Erase what an earlier, killed run left of pictures and faces and is older; returns how many files there were."""
    old = [path for path in fleeting(results) if time() - path.stat().st_mtime > hours * HOUR]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def fleeting(results: Path) -> list[Path]:
    """Files of pictures and faces that are there, those that were being written too."""
    return sorted(path for pattern in FLEETING for path in results.glob(f"{pattern}*"))


def _check_stated(terms: Mapping[str, Any], today: str, problems: Collector) -> None:
    basis, until = str(terms.get("basis", "")), str(terms.get("until", ""))
    if len({word for word in basis.casefold().split() if len(word) > 1}) < LEAST_WORDS:
        what = "isn't stated: the people searched for consented to nothing"
        hint = "a sentence: who allows this, under which law; see docs/rapid-test.md"
        problems.add(f"{SETTING}.basis", what, hint)
    try:
        left = (date.fromisoformat(until) - date.fromisoformat(today)).days
    except ValueError:
        problems.add(f"{SETTING}.until", "isn't stated", "the last day on which this may run, such as 2027-03-31")
        return
    if left < 0:
        what = f"was {until}: what allowed this is over"
        problems.add(f"{SETTING}.until", what, ERASE)
    if left > LONGEST_DAYS:
        problems.add(f"{SETTING}.until", f"is {until}, more than a year ahead", "have it looked at again within a year")


def _check_run(config: Mapping[str, Any], problems: Collector) -> None:
    if config["analyse"]["min_subjects"] < LEAST_QUERIES:
        what = f"is {config['analyse']['min_subjects']}: no group of fewer than {LEAST_QUERIES} queries may be shown"
        problems.add("analyse.min_subjects", what, f"set it to {LEAST_QUERIES} or more")
    if not config["evaluate"]["rapid"]["services"]:
        problems.add("evaluate.rapid.services", "is empty", "a search is for a test of services: name them")
    if config["evaluate"]["rapid"]["impostors"]:
        what = "mixes pictures of others in"
        problems.add("evaluate.rapid.impostors", what, "set it to 0: a search finds others itself")
    if config["evaluate"]["rapid"]["hand"]["share"]:
        what = "asks people to look at faces, of which a search keeps no picture"
        problems.add("evaluate.rapid.hand.share", what, "set it to 0; `accord rapid --hand` takes a table of labels")
    if config["train"]["models"]:
        problems.add("train.models", "isn't empty", f"the format {formats.SEARCHED} is no ground to train on")
