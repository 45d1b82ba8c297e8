"""Entries of a model_outputs.json as the FHIBE Evaluation API finds and reads them: `evaluate_task` with
`reuse_model_outputs`."""

from pathlib import Path
from typing import Any

from accord.evaluate.exchange.left_out import VERIFICATION

PARTS = "body_parts_detection"
PROCESSED = "data/processed"
"""Where the API expects the faces that a recogniser aligned anew: under this folder, by their path in the release."""

Entries = dict[str, dict[str, Any]]


def entries(task: str, found: Entries, root: Path) -> Entries:
    """path -> entry, of paths in the release: with the API's keys under its `data_rootdir`.

    The API stops at a face whose vector is null, so such faces have no entry; and where one person's body parts aren't
    those of all others, so parts that a model didn't speak of have the probability 0.
    """
    if task == VERIFICATION:
        found = {path: entry for path, entry in found.items() if entry["detections"]}
    if task == PARTS:
        found = _with_all_parts(found)
    # The API joins what it is given to what its tables say, and resolves nothing.
    base = root.absolute() / PROCESSED if task == VERIFICATION else root.absolute()
    return {(base / path).as_posix(): entry for path, entry in found.items()}


def _with_all_parts(found: Entries) -> Entries:
    known = sorted({part for entry in found.values() for parts in entry["detections"] for part in parts})
    return {
        path: {"detections": [{part: parts.get(part, 0.0) for part in known} for parts in entry["detections"]]}
        for path, entry in found.items()
    }
