"""What `planned.py` runs in place of `snakemake`: Snakemake itself, whose jobs are made by nobody.

Run: python planned_state.py HOW FLAGS ...; the flags are Snakemake's. HOW is `finish`: all jobs of the plan become jobs
that have run, each output an empty file, no older than what it is made from, with the record that Snakemake's own code
writes of it; or `idle:N`: Snakemake runs the plan with its own scheduler, and jobs end as soon as they begin, one after
another, N of them.
"""

import os
import queue
import sys
import threading
from pathlib import Path
from time import process_time

from snakemake import cli
from snakemake.executors import local
from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo

TAKEN = "taken"
"""Marks the lines that `planned.py` reads."""


def finish(scheduler: JobScheduler) -> bool:
    """Have all jobs of the plan run already, those first that others need."""
    dag = scheduler.workflow.dag
    for level in dag.toposorted():
        jobs = [job for job in level if dag.needrun(job)]
        for job in jobs:
            _make(job)
        scheduler.workflow.async_run(_recorded(scheduler.workflow, jobs))
    return True


async def _recorded(workflow, jobs) -> None:
    # Each file is then read once for its checksum, and not once for each output that is made from it.
    workflow.iocache.active = True
    for job in jobs:
        if job.output:
            await workflow.persistence.finished(job)


def _make(job) -> None:
    for output in map(Path, job.output):
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(b"")


class Idle:
    """An executor's `run_job` whose jobs do nothing and end one after another, and which stops after so many."""

    def __init__(self, most: int):
        self.most, self.ended, self.first, self.waiting = most, 0, 0.0, queue.SimpleQueue()
        threading.Thread(target=self._end_each, daemon=True).start()

    def run_job(self, executor, job) -> None:
        self.first = self.first or process_time()
        told = SubmittedJobInfo(job=job)
        executor.report_job_submission(told)
        self.waiting.put((executor, told))

    def _end_each(self) -> None:
        while self.ended < self.most:
            executor, told = self.waiting.get()
            _make(told.job)
            self.ended += 1
            executor.report_job_success(told)
        self.tell()

    def tell(self) -> None:
        """Say CPU seconds up to the first job and since, how many jobs ended, and how many threads there are; exit."""
        figures = [f"{self.first:.1f}", f"{process_time() - self.first:.1f}", self.ended, threading.active_count()]
        # In one piece, since other threads write, too.
        os.write(1, f"\n{TAKEN} {' '.join(map(str, figures))}\n".encode())
        os._exit(0)


def main() -> None:
    """Run Snakemake so."""
    how, *flags = sys.argv[1:]
    if how == "finish":
        JobScheduler.schedule = finish
    else:
        idle = Idle(int(how.removeprefix("idle:")))
        local.Executor.run_job = lambda executor, job: idle.run_job(executor, job)
    cli.main(flags)


if __name__ == "__main__":
    main()
