"""What a run whose jobs are on one machine begins with."""

from typing import Any

from accord.engine import fork_server


def begin(workflow: Any) -> None:
    """Prepare Snakemake's workflow object, and the server of its jobs; nothing where a cluster has the jobs."""
    if not workflow.local_exec:
        return
    # Limiting jobs in a time leaves a thread for each that ends, all of which have the scheduler plan anew.
    workflow.scheduler.job_rate_limiter = None
    fork_server.start()
