"""What a model is asked in words about each image of a shard, and which of it may not be asked, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from accord.consent.deciding.grants import EXTERNAL
from accord.evaluate.asking import class_questions, open_questions
from accord.evaluate.asking.class_questions import ClassQuestions
from accord.evaluate.asking.open_questions import OpenQuestion
from accord.release.making import terms

NOBODY = "nobody is annotated in the image: questions are about one person"
SEVERAL = "the image shows {} people: questions are about one person"


class Posed(NamedTuple):
    """A question about an image. subject: the one person in it, "" where there isn't exactly one; about: the class that
    the question names; text: as a model gets it; reason: why it is not asked, "" where it is."""

    image: str
    subject: str
    question: str
    about: str
    text: str
    reason: str = ""


class Questions(NamedTuple):
    """Of the files of a run: open questions, about every image; questions about classes, about images of known class,
    None where there are none."""

    open: list[OpenQuestion]
    classes: ClassQuestions | None


def read(questions: Sequence[Path], classes: Sequence[Path]) -> Questions:
    """The questions of files, at most one of each kind. Raises AccordError with everything that is wrong in a file."""
    found = [question for file in questions for question in open_questions.read(file)]
    return Questions(found, *([class_questions.read(file) for file in classes] or [None]))


def posed(
    questions: Questions,
    images: Iterable[str],
    people: pd.DataFrame,
    attributes: pd.DataFrame,
    lacks: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Posed]:
    """Every question about every image: those about classes where its one person is of a known class.

    lacks: classes that a model can't name, each with the reason: an image of one is not asked about.
    """
    shown = people.groupby("image")["subject"].unique()
    classes = questions.classes
    truth = class_questions.truths(people, attributes, classes.classes) if classes else pd.DataFrame(columns=["image"])
    known = truth.set_index("image")
    for image in images:
        who = shown.get(image, ())
        subject, reason = (who[0], "") if len(who) == 1 else ("", SEVERAL.format(len(who)) if len(who) else NOBODY)
        for one in questions.open:
            yield Posed(image, subject, one.id, "", one.text, reason)
        if classes and image in known.index:
            of = known.at[image, "class"]
            for asked in class_questions.asked(classes, image, of):
                yield Posed(image, subject, asked.question, asked.about, asked.text, lacks.get(of, ""))


def within_terms(questions: Iterable[Posed], images: pd.DataFrame, allowed: pd.DataFrame) -> list[Posed]:
    """The same questions; those of images that may not be given to somebody else's server have that reason.

    images: has `image`; allowed: the table Terms.
    """
    refused = terms.permitted(images[["image"]].drop_duplicates(), allowed, EXTERNAL).refused
    why = dict(zip(refused["image"], refused["reason"], strict=True))
    return [one._replace(reason=one.reason or why.get(one.image, "")) for one in questions]
