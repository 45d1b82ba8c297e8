"""What a run used that its logs and releases don't say: what is taken to be like the rest, and what isn't counted."""

from collections import Counter
from pathlib import Path

from accord.checks.costs.logged import Logged
from accord.checks.costs.model import LOOK, Run, slowness
from accord.engine import provenance, usage

NAMED_BY_MODEL = "evaluate"
"""The room whose logs are called by models, not by the steps that their results name."""
WITH_RECORDS = (".parquet", ".json", ".html")
SHOWN = 8
FASTEST, TELLING = 0.3, 100
"""The least share of the time that looking at pictures took where it was measured which a faster processor explains;
images that tell it at least."""


def uncounted(results: Path, logged: Logged, releases: Path) -> list[str]:
    """What the estimate lacks, a line each; none of a whole run."""
    lost = logged.lost() + _without_log(results, logged) - logged.like_others()
    told = [f"jobs without a usable log: {_listed(lost)}"] if lost else []
    published = any(path.is_file() for path in releases.rglob("*"))
    return told if published else [*told, "the disk of a release: that run has none"]


def taken_over(run: Run) -> list[str]:
    """That the run seems to have used what an earlier one had looked at, a line; none of a run from nothing."""
    share = slowness(run)
    if share >= FASTEST or run.images < TELLING:
        return []
    least = f"what was there before that run: {LOOK} took {share:.0%} of what it usually takes"
    return [f"{least}; for a whole estimate, use the logs of a run that began without results"]


def guessed(logged: Logged) -> list[str]:
    """What of the estimate is taken to be like the rest, a line each; none of a whole run."""
    more = logged.like_others()
    return [f"jobs of shards without a usable log: {_listed(more)}"] if more else []


def _listed(lost: Counter[str]) -> str:
    parts = [f"{count:,} of {step}" for step, count in sorted(lost.items())]
    more = [f"and those of {len(parts) - SHOWN} more steps"] if len(parts) > SHOWN + 1 else []
    return ", ".join([*parts[: SHOWN + 1 - len(more)], *more])


def _without_log(results: Path, logged: Logged) -> Counter[str]:
    """Step without any log -> its jobs, by the results that name it: of all shards, and of the first."""
    shards, known = logged.shards, set(map(usage.step_of, logged.said))
    scores = {table: _step(table) for table in results.glob("analyse/scores/*.parquet")}
    lost = {f"analyse.{table.stem}": 1 for table, step in scores.items() if step not in known}
    for room in results.glob("*/"):
        for folder, jobs in ((room, 1), *((room / shard, len(shards)) for shard in shards[:1])):
            files = sorted(folder.glob("*.*")) if room.name != NAMED_BY_MODEL else []
            steps = {_step(file) for file in files if file.suffix in WITH_RECORDS and file.is_file()}
            lost |= dict.fromkeys(steps - {*scores.values(), ""}, jobs)
    return Counter({step: jobs for step, jobs in lost.items() if step not in known})


def _step(file: Path) -> str:
    """The step that a result says it is of; "" where it says none."""
    return (provenance.of(file) or {}).get("step", "")
