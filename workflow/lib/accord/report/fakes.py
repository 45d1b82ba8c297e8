"""The page of detectors of made faces: which tells them, for whom it is worse, what was published of it."""

import json
from pathlib import Path

from pandera.typing import DataFrame

from accord.analyse.tables.fakes import AnnotationAccuracy, FakeFairness, FakeUtility, StudyAccuracy, StudyAgreement
from accord.analyse.tables.scores import Disparities
from accord.release.source_tables import CutFaces, SourceCopies
from accord.release.sources import withdrawn
from accord.report.drawing import page
from accord.report.generated import annotated, published, summary, told


def run(
    fairness: DataFrame[FakeFairness],
    utility: DataFrame[FakeUtility],
    disparities: DataFrame[Disparities],
    references: list[Path],
    release: Path,
    sources: Path,
    cut: DataFrame[CutFaces] | None = None,
    annotations: DataFrame[AnnotationAccuracy] | None = None,
    study: DataFrame[StudyAccuracy] | None = None,
    agreement: DataFrame[StudyAgreement] | None = None,
    copies: DataFrame[SourceCopies] | None = None,
    *,
    title: str,
    caution: str,
    threshold: float,
    min_faces: int,
    unlike: dict,
) -> str:
    """fakes.html. It works offline, shows no face and names no person, and has no figure of a group of fewer than
    `min_faces` faces.

    disparities: which differences of error rates hold; references: files of published figures; those of a detector of
    AI-Face stand beside a model of the same name, as xception; sources: counts of the archive, and the lines of its
    withdrawn.csv that name nobody; cut: in what faces were looked for, where they were; annotations: of annotators that
    the run trained; study, agreement: of the study by people; copies: pictures that two sources have, where the run
    trains detectors; caution: what readers must know of the data, "" for nothing; unlike: model -> setting -> its value
    here and the published one, of detectors that this run trained in other ways than AI-Face
    (`train.planning.models.unlike_published`).
    """
    sections = told.sections(fairness, utility, disparities, published.read(references), min_faces, unlike)
    if annotations is not None and len(annotations):
        sections.append(annotated.section(annotations, min_faces))
    if study is not None and agreement is not None and len(agreement):
        sections.append(annotated.study(study, agreement, min_faces))
    unmatched = withdrawn.told(json.loads(Path(sources).read_text())["unmatched_lines"])
    shared = {"title": title, "caution": caution, "unmatched": unmatched}
    shared["faceless"] = "" if cut is None else summary.faceless(cut)
    shared["relearnt"] = "" if copies is None else summary.relearnt(copies)
    shared["release"] = json.loads(Path(release).read_text())
    return page.render(page.FAKES, **shared, sections=sections, threshold=f"{threshold:g}", root="")
