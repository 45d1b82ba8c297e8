"""All models at a glance: the four answers of each, a row for each of its measures."""

from accord.report.drawing.blocks import Glance, Section, Words
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers, names
from accord.report.telling.comparison import either
from accord.report.telling.words import missing

INTRO = (
    "One row for each model and metric: all four answers in a row are about that metric only. A model's name links to "
    "its page. Scores range from 0 (worst) to 1 (best) unless stated otherwise."
)
HOW_OFTEN = " Where neither more nor less is better, 0 is never and 1 always."


def section(data: ReportData) -> Section:
    """A row for each model and measure."""
    rows = [row for name in data.evaluated() for row in _rows(name, data)]
    blocks: list = [Glance("table-glance", "The models at a glance", rows, headings(rows))] if rows else []
    absent = missing(data.models)
    blocks += [Words(absent)] if absent else []
    intro = INTRO + either(data.groups["metric"], HOW_OFTEN)
    return Section("glance", "At a glance", intro, blocks, "No model was evaluated.")


def headings(rows: list[dict]) -> list[str]:
    """What the columns answer: a question, or two where measures that have no better ask another one."""
    places = zip(*([one["question"] for one in row["answers"]] for row in rows), strict=True)
    return [" / ".join(sorted(set(asked), key=answers.ORDER.index)) for asked in places]


def _rows(name: str, data: ReportData) -> list[dict]:
    about = {"model": name, "task": names.task(data.models[name]["task"])}
    told = data.told[name] if name in data.told else answers.all_answers(data.of(name))
    return [{**about, "measure": one.title, "answers": one.answers} for one in told]
