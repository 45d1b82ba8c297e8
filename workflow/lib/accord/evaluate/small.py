"""The answers of all small models about a shard: each picture is decoded once, and shown to all of them."""

from pathlib import Path

from pandera.typing import DataFrame

from accord.consent.tables import Permits
from accord.engine import table
from accord.engine.parameter_types import Files, Folder, Former, Typed
from accord.evaluate import detect, embed, label, masked, parse, parts, pose, restore
from accord.evaluate.asking import together
from accord.evaluate.asking.questions import Given, asked
from accord.evaluate.tables.predictions import Evaluated
from accord.models.tasks import STEP_OF_TASK
from accord.protocol import ACCORD
from accord.release.tables import Derivatives, Faces, People, Segments

QUESTION = {
    "detect": detect.question, "pose": pose.question, "parse": parse.question, "parts": parts.question,
    "embed": embed.question, "label": label.question, "restore": restore.question, "masked": masked.question,
}  # fmt: skip
"""Step that asks one model -> what it asks."""


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
    """For each model what its own step would say (`detect`, `pose`, ...): `<model>.parquet`, `<model>.asked.parquet`.

    files: the bundle of `derivatives`; permits: as `embed` reads them; segments: as `masked` does; entries: name ->
    entry of models.yaml; side, factor, lpips, embedder, protocol: as `restore` reads them. Models are given one picture
    at a time, whatever their `batch`. Answers of which nothing changed are taken over from the `former` outputs. Raises
    AccordError where a model can't be had, all of these at once, or gives an answer that can't be right.
    """
    allowed = table.read(permits, Permits) if permits else None
    measuring = {"side": side, "factor": factor, "lpips": lpips, "embedder": embedder, "protocol": protocol}
    given = Given(weights, derivatives, people, faces, allowed, measuring, segments)
    questions = {name: QUESTION[STEP_OF_TASK[entry["task"]]](entry, given) for name, entry in entries.items()}
    by_file = {f"{name}.parquet": question for name, question in questions.items()}
    made = {
        name: Typed(rows, by_file[name].answers) for name, rows in together.answered(by_file, files, former).items()
    }
    about = {f"{name}.asked.parquet": Typed(asked(question), Evaluated) for name, question in questions.items()}
    return Files(made | about)
