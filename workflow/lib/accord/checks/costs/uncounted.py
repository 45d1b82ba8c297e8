"""What a run used that its logs and releases don't say: what is taken to be like the rest, and what isn't counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from accord.checks.costs.taken_in import shards_of
from accord.engine import provenance, usage

NAMED_BY_MODEL = "evaluate"
"""The room whose logs are called by models, not by the steps that their results name."""
WITH_RECORDS = (".parquet", ".json", ".html")
SHOWN = 8


def like_others(results: Path, logs: Path) -> Counter[str]:
    """Step -> how many of its jobs of shards have no usable log, where some of them have one."""
    shards, said = shards_of(results), usage.by_log(logs)
    told = {usage.step_of(log) for log, job in said.items() if job is not None and usage.shard_of(log) in shards}
    unusable = (usage.step_of(log) for log, job in said.items() if job is None and usage.shard_of(log) in shards)
    lost = Counter(unusable) + _missing_shards(said, shards)
    return Counter({step: jobs for step, jobs in lost.items() if step in told})


def uncounted(results: Path, logs: Path, releases: Path) -> list[str]:
    """What the estimate lacks, a line each; none of a whole run."""
    shards, said = shards_of(results), usage.by_log(logs)
    lost = Counter(usage.step_of(log) for log, job in said.items() if job is None)
    lost += _missing_shards(said, shards) + _without_log(results, shards, {usage.step_of(log) for log in said})
    lost -= like_others(results, logs)
    told = [f"jobs without a usable log: {listed(lost)}"] if lost else []
    published = any(path.is_file() for path in releases.rglob("*"))
    return told if published else [*told, "the disk of a release: that run has none"]


def listed(lost: Counter[str]) -> str:
    """Steps and how many of their jobs, in a line."""
    parts = [f"{count:,} of {step}" for step, count in sorted(lost.items())]
    more = [f"and those of {len(parts) - SHOWN} more steps"] if len(parts) > SHOWN + 1 else []
    return ", ".join([*parts[: SHOWN + 1 - len(more)], *more])


def _missing_shards(logs: Iterable[Path], shards: list[str]) -> Counter[str]:
    """Step -> how many shards it has no log of, though it has some shards' logs: all run for each shard."""
    there = defaultdict(set)
    for log in logs:
        shard, _, kind = log.name.partition(".")
        if shard in shards:
            there[log.with_name(f"shard.{kind}")].add(shard)
    lost: Counter[str] = Counter()
    for log, some in there.items():
        lost[usage.step_of(log)] += len({*shards} - some)
    return +lost


def _without_log(results: Path, shards: list[str], logged: set[str]) -> Counter[str]:
    """Step without any log -> its jobs, by the results that name it: of all shards, and of the first."""
    scores = {table: _step(table) for table in results.glob("analyse/scores/*.parquet")}
    lost = {f"analyse.{table.stem}": 1 for table, step in scores.items() if step not in logged}
    for room in results.glob("*/"):
        for folder, jobs in ((room, 1), *((room / shard, len(shards)) for shard in shards[:1])):
            files = sorted(folder.glob("*.*")) if room.name != NAMED_BY_MODEL else []
            steps = {_step(file) for file in files if file.suffix in WITH_RECORDS and file.is_file()}
            lost |= dict.fromkeys(steps - {*scores.values(), ""}, jobs)
    return Counter({step: jobs for step, jobs in lost.items() if step not in logged})


def _step(file: Path) -> str:
    """The step that a result says it is of; "" where it says none."""
    return (provenance.of(file) or {}).get("step", "")
