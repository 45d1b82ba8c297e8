"""`accord try MODEL PICTURE...`: what a model of models.yaml answers, as the steps ask it; drawn over it if wanted."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord import command_line, commands
from accord.engine import configuration, resources
from accord.errors import AccordError, Problem
from accord.evaluate.asking import failing, open_questions
from accord.evaluate.asking.answers import one_each
from accord.evaluate.command import SCHEMA, settings_of
from accord.evaluate.own import overlay
from accord.imaging import decode
from accord.models import extras, loading, registry, tasks
from accord.models.protocols import Answer

SHOWN = 5


def main(argv: list[str]) -> int:
    """Print one line of JSON for each picture; returns the exit code."""
    flags = parser().parse_args(argv)
    extras.need("cv2")
    said = configuration.read(configuration.used(flags.config))
    names = [path.name for path in flags.picture]
    pictures = [_opened(path) for path in flags.picture]
    answers = ask(settings([flags.model], said, flags.models), flags.model, pictures, names)
    drawn = overlay.files(flags.draw, flags.picture, pictures, answers) if flags.draw else [{}] * len(names)
    for name, answer, more in zip(names, answers, drawn, strict=True):
        print(json.dumps({"picture": name, **told(answer), **more}))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun(
        "try", "It runs as in the workflow, and prints one line of JSON for each picture. Only --draw writes anything."
    )
    made.add_argument("model", help="name of the model in models.yaml")
    made.add_argument("picture", type=Path, nargs="+", help="JPEG or PNG files")
    made.add_argument("--draw", type=Path, metavar="FOLDER", help="write the pictures there, predictions drawn, as PNG")
    made.add_argument(
        "--models", nargs="+", default=[], metavar="FILE", help="more files like models.yaml, of your own models"
    )
    command_line.config_flag(made)
    return made


def settings(run: list[str], said: dict, more: Sequence[str] = ()) -> dict[str, Any]:
    """The settings by which models are asked. said: a configuration; more: files of entries beside those it names."""
    found = settings_of(said)
    named = found["models"] if isinstance(found["models"], list) else [found["models"]]
    return {**found, "models": [*named, *(one for one in more if one not in named)], "run": run}


def ask(settings: dict, name: str, pictures: list[np.ndarray], names: Sequence[str] = ()) -> list[Any]:
    """A model's answers to pictures; where its task is about a person, the whole picture is the person's box.

    names: of the pictures, for errors. Raises AccordError where the model fails, with the picture and the line.
    """
    model = json.loads(registry.read(settings, SCHEMA).spec(name))
    if "adapter" not in model:
        what = "was run elsewhere, so it can't be run here"
        raise AccordError(Problem(f"model {name}", what, "see docs/exchange.md for how its outputs are used"))
    if model["task"] == "inpainting":
        what = "is an inpainting model, which only the privacy steps use"
        raise AccordError(Problem(f"model {name}", what, "see docs/inpainting.md for how to inspect its results"))
    step, method = tasks.STEP_OF_TASK[model["task"]], tasks.method_of(model["task"])
    adapter = getattr(loading.load(model, Path(settings["weights"]), method), method)
    boxes = [np.array([0.0, 0.0, picture.shape[1], picture.shape[0]]) for picture in pictures]
    more = {"pose": [boxes], "parts": [boxes], "likeness": [pictures[::-1]]}.get(step, [])
    more = [[_questions(settings)] * len(pictures)] if step == "ask" else more
    names = names or [f"picture {number}" for number in range(1, len(pictures) + 1)]
    return one_each(model, failing.asked(model, adapter, [pictures, *more], names), len(pictures))


def _questions(settings: dict) -> list[str]:
    """The open questions of a configuration; where it names none, those that ship."""
    file = settings.get("questions") or resources.own_or_shipped("config/questions.yaml")
    return [question.text for question in open_questions.read(Path(file))]


def told(answer: Any) -> dict[str, Any]:
    """An answer in a few numbers, whatever its kind."""
    if answer is None:
        return {"answer": "nothing"}
    if hasattr(answer, "labels"):
        best = [
            {"label": label, "score": _short(score), "box": _short(box)}
            for box, score, label in zip(*_rows(answer), strict=True)
        ]
        return {"boxes": len(answer.scores), "best": best}
    if hasattr(answer, "keypoints"):
        return {"keypoints": len(answer.keypoints), "first": _short(answer.points[:SHOWN])}
    if isinstance(answer, list) and all(isinstance(one, Answer) for one in answer) and answer:
        return {"answers": [one._asdict() for one in answer]}
    if isinstance(answer, list):
        masks = [{"score": _short(mask.score), "share": _short(np.mean(mask.mask))} for mask in answer[:SHOWN]]
        return {"masks": len(answer), "best": masks}
    if isinstance(answer, dict):
        return {"parts": {name: _short(value) for name, value in answer.items()}}
    values = np.asarray(answer)
    if values.ndim == 2:
        return {"labels": [int(label) for label in np.unique(values)]}
    if values.ndim == 3:
        return {"size": list(values.shape)}
    return {"numbers": values.size, "first": _short(values.ravel()[:SHOWN])}


def _rows(answer: Any) -> tuple:
    order = np.argsort(-np.asarray(answer.scores), kind="stable")[:SHOWN]
    return answer.boxes[order], answer.scores[order], [answer.labels[number] for number in order]


def _short(values: Any) -> Any:
    return np.round(np.asarray(values, dtype=np.float64), 3).tolist()


def _opened(path: Path) -> np.ndarray:
    if not path.is_file():
        raise AccordError(Problem(str(path), "no such picture", "give JPEG or PNG files"))
    return decode.decode(path.read_bytes())
