"""`accord try MODEL PICTURE...`: what a model of models.yaml answers, as the steps ask it; drawn over it if wanted."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord import command_line, commands
from accord.engine import configuration, resources
from accord.errors import AccordError, Collector, Problem
from accord.evaluate.asking import failing, open_questions
from accord.evaluate.asking.answers import one_each
from accord.evaluate.command import SCHEMA, settings_of
from accord.evaluate.own import overlay
from accord.imaging import decode
from accord.models import extras, loading, registry, tasks
from accord.models.protocols import Answer

SHOWN = 5


def main(argv: list[str]) -> int:
    """Print one line of JSON for each picture; returns the exit code.

    Raises AccordError with the pictures that can't be read, or that the model fails on, after the others were printed.
    """
    flags, problems = parser().parse_args(argv), Collector()
    extras.need("cv2")
    said = configuration.read(configuration.used(flags.config))
    pictures = _read_pictures(flags.picture, problems)
    chosen = settings([flags.model], said, flags.models)
    answered = _ask_each(chosen, flags.model, pictures, problems) if pictures else []
    drawn = overlay.files(flags.draw, *zip(*answered, strict=True)) if flags.draw and answered else [{}] * len(answered)
    for (path, _, answer), more in zip(answered, drawn, strict=True):
        print(json.dumps({"picture": path.name, **told(answer), **more}))
    if problems:
        raise AccordError(problems)
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
    return _answers(settings, *_load(settings, name), pictures, names)


def _load(settings: dict, name: str) -> tuple[dict, Callable]:
    """The entry of a model, and the method that its task is asked by."""
    model = json.loads(registry.read(settings, SCHEMA).spec(name))
    if "adapter" not in model:
        what = "was run elsewhere, so it can't be run here"
        raise AccordError(Problem(f"model {name}", what, "see docs/exchange.md for how its outputs are used"))
    if model["task"] == "inpainting":
        what = "is an inpainting model, which only the privacy steps use"
        raise AccordError(Problem(f"model {name}", what, "see docs/inpainting.md for how to inspect its results"))
    method = tasks.method_of(model["task"])
    return model, getattr(loading.load(model, Path(settings["weights"]), method), method)


def _answers(
    settings: dict, model: dict, adapter: Callable, pictures: list[np.ndarray], names: Sequence[str]
) -> list[Any]:
    step = tasks.STEP_OF_TASK[model["task"]]
    boxes = [np.array([0.0, 0.0, picture.shape[1], picture.shape[0]]) for picture in pictures]
    more = {"pose": [boxes], "parts": [boxes], "likeness": [pictures[::-1]]}.get(step, [])
    more = [[_questions(settings)] * len(pictures)] if step == "ask" else more
    names = names or [f"picture {number}" for number in range(1, len(pictures) + 1)]
    return one_each(model, failing.asked(model, adapter, [pictures, *more], names), len(pictures))


def _ask_each(
    settings: dict, name: str, pictures: list[tuple[Path, np.ndarray]], problems: Collector
) -> list[tuple[Path, np.ndarray, Any]]:
    """File, pixels and a model's answer. Where it fails on several pictures, each is asked about alone, and those on
    which it fails are noted."""
    model, adapter = _load(settings, name)

    def answers(chosen: list[tuple[Path, np.ndarray]]) -> list[tuple[Path, np.ndarray, Any]]:
        given = _answers(settings, model, adapter, [pixels for _, pixels in chosen], [path.name for path, _ in chosen])
        return [(*picture, answer) for picture, answer in zip(chosen, given, strict=True)]

    try:
        return answers(pictures)
    except AccordError as error:
        failures, answered = Collector(), []
        for picture in pictures:
            try:
                answered += answers([picture])
            except AccordError as alone:
                failures += [problem for problem in alone.problems if problem not in failures]
        problems += failures or error.problems
        return answered if failures else []


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


def _read_pictures(paths: Sequence[Path], problems: Collector) -> list[tuple[Path, np.ndarray]]:
    """Files and their pixels; those that can't be read are noted by name."""
    pictures = []
    for path in paths:
        if not path.is_file():
            problems.add(str(path), "no such picture", "give JPEG or PNG files")
            continue
        try:
            pictures.append((path, decode.decode(path.read_bytes())))
        except OSError as error:
            problems.add(str(path), f"can't be read ({error.strerror})", "give JPEG or PNG files")
        except AccordError as error:
            problems += [Problem(str(path), problem.what, problem.hint) for problem in error.problems]
    return pictures
