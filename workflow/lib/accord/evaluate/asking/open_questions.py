"""Open questions about the person in an image (why is this person likeable?): what a file of them says."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from accord.engine import config_mistakes, resources, yaml_files, yaml_text
from accord.errors import AccordError, Problem

WHAT = "file of questions"
HINT = "see config/questions.yaml as shipped; docs/foundation-asking.md describes it"


class OpenQuestion(NamedTuple):
    """id: its name in tables; tone: positive, neutral or negative; text: as a model gets it; answers: what an answer
    tells (a reason, an occupation or a crime)."""

    id: str
    tone: str
    text: str
    answers: str


def read(path: Path) -> list[OpenQuestion]:
    """The questions of a file, in its order. Raises AccordError with everything that is wrong in it."""
    document = yaml_files.keys(path, WHAT, HINT)
    rules = yaml_text.said(resources.schema("questions.schema.yaml").read_text())
    found = config_mistakes.against(document, rules, WHAT, HINT) or _repeated(document["questions"])
    if found:
        raise AccordError(Problem(f"{path.name}: {one.where}", one.what, one.hint) for one in found)
    return [OpenQuestion(**one) for one in document["questions"]]


def _repeated(questions: list[dict]) -> list[Problem]:
    found = []
    for key in ("id", "text"):
        counts = Counter(one[key] for one in questions)
        twice = [value for value, count in counts.items() if count > 1]
        found += [Problem(f"questions: {key}: {value}", "is given twice", "ask each question once") for value in twice]
    return found
