"""All models at a glance: the four answers of each, in a row."""

from accord.report import answers, names
from accord.report.blocks import Glance, Section, Words
from accord.report.told import Told
from accord.report.words import missing

INTRO = "One row for each model; its name leads to its page. Scores go from 0 (worst) to 1 (best) unless it is said."


def section(told: Told) -> Section:
    """A row for each model."""
    rows = [_row(name, told.of(name)) for name in told.evaluated()]
    blocks: list = [Glance("table-glance", "The models at a glance", rows)] if rows else []
    absent = missing(told.models)
    blocks += [Words(absent)] if absent else []
    return Section("glance", "How well, for whom worst, how sure, and why", INTRO, blocks, "No model was evaluated.")


def _row(name: str, told: Told) -> dict:
    told_ = answers.answers(told, 1).answers
    return {"model": name, "task": names.task(told.models[name]["task"]), "answers": told_}
