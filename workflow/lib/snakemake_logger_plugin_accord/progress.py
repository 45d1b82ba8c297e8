"""How far a run is, by the records that Snakemake logs."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from logging import LogRecord

from snakemake_interface_logger_plugins.common import LogEvent

NAMED = 3
"""Jobs or rules that a line names, the longest first."""
MINUTE, LONG = 60, 120


class Progress:
    """Steps done of all, jobs that run now, and what each rule took; times are seconds of `LogRecord.created`."""

    def __init__(self):
        self._begun: float | None = None
        self._done, self._total = 0, 0
        self._running: dict[int, tuple[str, str, float]] = {}
        """Id of a job -> its rule, what it is called, when it began."""
        self._failed: set[int] = set()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._jobs: Counter[str] = Counter()
        self.ended = 0
        """Jobs that ended, well or not."""

    @property
    def begun(self) -> bool:
        """Whether a job was begun."""
        return self._begun is not None

    def take(self, record: LogRecord) -> None:
        """Count what a record tells; most tell nothing."""
        told, at = record.__dict__, record.created
        match told.get("event"):
            case LogEvent.RUN_INFO:
                self._total = told["stats"]["total"]
            case LogEvent.PROGRESS:
                self._done, self._total = told["done"], told["total"]
            case LogEvent.JOB_INFO:
                self._begun = at if self._begun is None else self._begun
                name = " ".join([told["rule_name"], *map(str, dict(told["wildcards"] or {}).values())])
                self._running[told["jobid"]] = (told["rule_name"], name, at)
            case LogEvent.JOB_FINISHED:
                self._end([told["job_id"]], at, failed=False)
            case LogEvent.JOB_ERROR:
                self._end([told["jobid"]], at, failed=True)
            case LogEvent.GROUP_ERROR:
                self._end([one["jobid"] for one in told["job_error_info"]], at, failed=True)

    def line(self, now: float) -> str:
        """`7 of 74 steps (9%), 12 s; running: privacy_paint 02 (8 s)`: the jobs that have run longest."""
        longest = sorted(self._running.values(), key=lambda one: one[2])
        running = [f"{name} ({span(now - since)})" for _, name, since in longest]
        return "; ".join([self._head(now), *_named("running", running)])

    def last(self, now: float) -> str:
        """`74 of 74 steps (100%), 14 min; longest: privacy_paint (4 jobs, 6 min)`: jobs side by side add up."""
        longest = sorted(self._seconds.items(), key=lambda one: (-one[1], one[0]))[:NAMED]
        told = [f"{rule} ({_jobs(self._jobs[rule])}{span(seconds)})" for rule, seconds in longest if seconds >= 1]
        return "; ".join([self._head(now), *_named("longest", told)])

    def _head(self, now: float) -> str:
        percent = 100 * self._done // self._total if self._total else 0
        failed = f", {len(self._failed)} failed" if self._failed else ""
        began = now if self._begun is None else self._begun
        return f"{self._done} of {self._total} steps ({percent}%){failed}, {span(now - began)}"

    def _end(self, jobs: Iterable[int], at: float, failed: bool) -> None:
        """A job that is tried again and succeeds has not failed."""
        for job in jobs:
            self.ended += 1
            (self._failed.add if failed else self._failed.discard)(job)
            if job in self._running:
                rule, _, began = self._running.pop(job)
                self._seconds[rule] += at - began
                self._jobs[rule] += 1


def span(seconds: float) -> str:
    """`12 s`; from two minutes on `14 min`."""
    return f"{seconds:.0f} s" if seconds < LONG else f"{seconds / MINUTE:.0f} min"


def _named(what: str, said: list[str]) -> list[str]:
    """What a line says of the first of them; none, and it says nothing."""
    more = [f"{len(said) - NAMED} more"] if len(said) > NAMED else []
    return [f"{what}: {', '.join([*said[:NAMED], *more])}"] if said else []


def _jobs(count: int) -> str:
    return f"{count} jobs, " if count > 1 else ""
