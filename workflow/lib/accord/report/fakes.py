"""The page of detectors of made faces: which tells them, for whom it is worse, what was published of it."""

import json
from pathlib import Path

from pandera.typing import DataFrame

from accord.analyse.tables.fakes import FakeFairness, FakeUtility
from accord.report.drawing import page
from accord.report.generated import published, told


def run(
    fairness: DataFrame[FakeFairness],
    utility: DataFrame[FakeUtility],
    references: list[Path],
    release: Path,
    *,
    title: str,
    caution: str,
    threshold: float,
    min_faces: int,
) -> str:
    """fakes.html. It works offline, shows no face and names no person, and has no figure of a group of fewer than
    `min_faces` faces.

    references: files of published figures; those of a detector of AI-Face stand beside a model of the same name, as
    xception. caution: what readers must know of the data, "" for nothing.
    """
    sections = told.sections(fairness, utility, published.read(references), min_faces)
    shared = {"title": title, "caution": caution, "release": json.loads(Path(release).read_text())}
    return page.render(page.FAKES, **shared, sections=sections, threshold=f"{threshold:g}", root="")
