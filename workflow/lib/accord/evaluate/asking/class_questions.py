"""Questions about the class of a person (nurse, gardener): the prompts, and what is asked about each image."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accord.command_line import meant
from accord.engine import config_mistakes, resources, yaml_files, yaml_text
from accord.errors import AccordError, Problem
from accord.statistics.seeds import generator

DIRECT = "p1"
"""The prompt that asks for a class; all others ask whether it is a given one: yes, no or unknown."""
ALL, ONE = "[FACET Classes]", "[FACET class]"
CLASS = "class1"
"""The attribute that has a person's class; FACET's second class, where a person has two, is not asked for."""
HINT = "see config/facet.yaml as shipped; docs/foundation-facet.md describes it"


class ClassQuestions(NamedTuple):
    """classes: in the order in which prompts list them; reported: those that figures are pooled over; prompts: name ->
    text with a placeholder; seed: of the other class that an image is asked about."""

    classes: tuple[str, ...]
    reported: tuple[str, ...]
    prompts: dict[str, str]
    seed: int


class Asked(NamedTuple):
    """A question as a model gets it; about: the class that it names, "" where it names all."""

    question: str
    about: str
    text: str


def read(path: Path) -> ClassQuestions:
    """The questions of a file. Raises AccordError with everything that is wrong in it."""
    document = yaml_files.keys(path, "file of class questions", HINT)
    rules = yaml_text.said(resources.schema("class_questions.schema.yaml").read_text())
    found = config_mistakes.against(document, rules, "file of class questions", HINT)
    if not found:
        classes = document["classes"]
        unknown = [name for name in document["reported"] if name not in classes]
        found = [Problem(f"reported: {n}", f"is not among the classes{meant(n, classes)}", HINT) for n in unknown]
    if found:
        raise AccordError(Problem(f"{path.name}: {one.where}", one.what, one.hint) for one in found)
    classes, reported = tuple(document["classes"]), tuple(document["reported"])
    return ClassQuestions(classes, reported, dict(document["prompts"]), document["seed"])


def truths(people: pd.DataFrame, attributes: pd.DataFrame, classes: Sequence[str]) -> pd.DataFrame:
    """image, subject, class of images that show one person (image, subject), of one of the classes."""
    key = ["image", "subject"]
    alone = people[~people["image"].duplicated(keep=False)]
    said = attributes[(attributes["attribute"] == CLASS) & attributes["value"].isin(classes)]
    found = alone[key].merge(said[[*key, "value"]].drop_duplicates(), on=key).rename(columns={"value": "class"})
    return found[~found["image"].duplicated(keep=False)].reset_index(drop=True)


def asked(questions: ClassQuestions, image: str, truth: str) -> list[Asked]:
    """What is asked about an image whose person is of class `truth`: each prompt, and those that name a class once
    more with another. Nothing where `truth` is none of the classes."""
    if truth not in questions.classes:
        return []
    other = contrast(questions, image, truth)
    found = []
    for name, text in questions.prompts.items():
        if name == DIRECT:
            found.append(Asked(name, "", text.replace(ALL, f"[{', '.join(questions.classes)}]")))
        else:
            found += [Asked(name, about, text.replace(ONE, about)) for about in (truth, other)]
    return found


def contrast(questions: ClassQuestions, image: str, truth: str) -> str:
    """The other class that an image is asked about: each is as likely, and the image and the seed alone decide.

    Without it a model that always says yes would have a recall of 1.
    """
    others = [name for name in questions.classes if name != truth]
    return others[generator(questions.seed, "class_questions", image).integers(len(others))]
