"""The answers about a shard of models that share one GPU: each picture is decoded once, and shown to all of them."""

from pathlib import Path

from pandera.typing import DataFrame

from accord.engine.parameter_types import Files, Folder, Former
from accord.evaluate import small
from accord.protocol import ACCORD
from accord.release.tables import Derivatives, Faces, People, Segments


def run(
    derivatives: DataFrame[Derivatives],
    people: DataFrame[People],
    faces: DataFrame[Faces],
    permits: list[Path],
    files: Path,
    former: Former,
    segments: DataFrame[Segments] | None = None,
    *,
    entries: dict,
    weights: Folder,
    side: int,
    factor: int,
    lpips: dict | None = None,
    embedder: dict | None = None,
    protocol: str = ACCORD,
) -> Files:
    """As `evaluate.small`; a step of its own, since the last digits of its answers may depend on the kind of GPU.

    An audit therefore doesn't give them again. Raises as `evaluate.small` does.
    """
    measuring = {"side": side, "factor": factor, "lpips": lpips, "embedder": embedder, "protocol": protocol}
    shown = (derivatives, people, faces, permits, files, former, segments)
    return small.run(*shown, entries=entries, weights=weights, **measuring)
