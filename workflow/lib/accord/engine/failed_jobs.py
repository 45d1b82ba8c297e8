"""Jobs that failed are run again: Snakemake forgets them where nothing that is missing needs their outputs.

When a job fails, Snakemake notes its new settings and inputs as if it had run, and deletes its outputs, or puts back
the former ones. Where all that was made of these is still there, its next start says that nothing is to be done, and
results stay that somebody has left, or that have settings of before.
"""

import contextlib
import json
from pathlib import Path

from accord import files
from accord.engine import at_start, snakemake_files

KEPT, KEY = at_start.FOLDER / "failed.json", "outputs that failed"
MARK = ["the job failed"]


def call_again(folder: Path = Path()) -> list[str]:
    """Have Snakemake run what failed in earlier starts and was not made since, though it thinks otherwise; the outputs.

    folder: that Snakemake runs in. To be called as it starts, before it looks at its records.
    """
    kept = at_start.read(folder / KEPT, KEY) or {"last": "", "failed": []}
    failed, last = set(kept["failed"]), kept["last"]
    for path in (one for one in snakemake_files.logs(folder) if one.name > last):
        # The newest log may be that of a start which isn't over, this one, too: it is read again.
        kept, last = {"last": last, "failed": sorted(failed)}, path.name
        text = path.read_text(errors="replace")
        failed -= {output for job in snakemake_files.made(text) for output in job.outputs}
        failed |= {output for job in snakemake_files.failed(text) for output in job.outputs}
    at_start.keep(folder / KEPT, KEY, kept)
    for output in failed:
        _call_changed(folder, output)
    return sorted(failed)


def _call_changed(folder: Path, output: str) -> None:
    """Note settings that no job has, so that Snakemake finds that they changed."""
    path = snakemake_files.record(folder / ".snakemake", snakemake_files.METADATA, output)
    with contextlib.suppress(OSError, ValueError):
        told = json.loads(path.read_text())
        if told.get("params") != MARK:
            mode = path.stat().st_mode & 0o777
            files.replace(path, json.dumps(told | {"params": MARK}).encode(), mode, folder / at_start.FOLDER)
