"""What the jobs of a run said in their logs that they used; and which of them have no log that says it."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from accord.checks.costs.taken_in import shards_of
from accord.engine import usage
from accord.engine.usage import Job


class Logged(NamedTuple):
    """The folder of the logs; the names of the run's shards; log -> what its job used, None where it doesn't say."""

    folder: Path
    shards: list[str]
    said: dict[Path, Job | None]

    def sharded(self) -> frozenset[str]:
        """The steps that have jobs of each shard."""
        return frozenset(usage.step_of(log) for log in self.said if usage.shard_of(log) in self.shards)

    def like_others(self) -> Counter[str]:
        """Step -> how many of its jobs of shards have no usable log, where some of them have one."""
        of_shards = {log: job for log, job in self.said.items() if usage.shard_of(log) in self.shards}
        told = usage.by_step(of_shards)
        lost = Counter(usage.step_of(log) for log, job in of_shards.items() if job is None) + self._missing()
        return Counter({step: jobs for step, jobs in lost.items() if step in told})

    def lost(self) -> Counter[str]:
        """Step with some log -> how many of its jobs have none, or none that is usable."""
        return Counter(usage.step_of(log) for log, job in self.said.items() if job is None) + self._missing()

    def _missing(self) -> Counter[str]:
        """Step -> how many shards it has no log of, though it has some shards' logs: all run for each shard."""
        there = defaultdict(set)
        for log in self.said:
            if (shard := usage.shard_of(log)) in self.shards:
                there[log.with_name(f"shard{log.name.removeprefix(shard)}")].add(shard)
        lost: Counter[str] = Counter()
        for log, some in there.items():
            lost[usage.step_of(log)] += len({*self.shards} - some)
        return +lost


def logged(results: Path, logs: Path) -> Logged:
    """What the logs of a run say, read once."""
    return Logged(logs, shards_of(results), usage.by_log(logs))
