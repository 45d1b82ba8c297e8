"""All models at a glance: the four answers of each, a row for each of its measures."""

from accord.report.drawing.blocks import Glance, Section, Words
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers, names
from accord.report.telling.words import missing

INTRO = (
    "One row for each model and metric: all four answers in a row are about that metric only. A model's name links to "
    "its page. Scores range from 0 (worst) to 1 (best) unless stated otherwise."
)


def section(data: ReportData) -> Section:
    """A row for each model and measure."""
    rows = [row for name in data.evaluated() for row in _rows(name, data)]
    blocks: list = [Glance("table-glance", "The models at a glance", rows)] if rows else []
    absent = missing(data.models)
    blocks += [Words(absent)] if absent else []
    return Section("glance", "At a glance", INTRO, blocks, "No model was evaluated.")


def _rows(name: str, data: ReportData) -> list[dict]:
    about = {"model": name, "task": names.task(data.models[name]["task"])}
    told = data.told[name] if name in data.told else answers.all_answers(data.of(name))
    return [{**about, "measure": one.title, "answers": one.answers} for one in told]
