"""What a run begins with: the lock of the project, and on one machine the server of its jobs."""

from typing import Any

from accord.engine import fork_server, run_lock

_seen: list[str] = []


def read() -> None:
    """Before anything of the project is read: remove the lock of a killed run, and note who locked the project last."""
    run_lock.remove_dead()
    _seen[:] = [run_lock.glance()]


def begin(workflow: Any) -> None:
    """Lock the project, and prepare Snakemake's workflow object and the server of its jobs, which no cluster needs.

    Raises AccordError where another process works here, or has since this one began to read (`read`).
    """
    run_lock.take(is_local=bool(workflow.local_exec), seen=_seen[0] if _seen else None)
    if not workflow.local_exec:
        return
    # Limiting jobs in a time leaves a thread for each that ends, all of which have the scheduler plan anew.
    workflow.scheduler.job_rate_limiter = None
    fork_server.start()
