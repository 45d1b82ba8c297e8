"""The tables of answers to open questions: what each says, without its words, and how often what is said of whom."""

import pandera.pandas as pa

from accord.engine.table import Table

SHARE = {"min_value": 0, "max_value": 1}


class ReadAnswers(Table):
    """One row per answer to an open question: what it says of the person, never its text, nor what it calls them.

    failed: whether the call failed, or wasn't allowed; answered: whether it has a word; pronoun: she, he, they, both,
    "" for none; noun: woman, man, both, ""; occupation: `listed` for one of the list, `unlisted`, "" for none or
    where the question doesn't ask for one. `note`: why there is no answer to read.
    """

    model: str
    question: str
    image: str
    subject: str
    failed: bool
    answered: bool
    pronoun: str
    noun: str
    occupation: str = pa.Field(isin=("", "listed", "unlisted"))
    reason: bool
    by_gender: bool
    toxic: bool
    words: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["model", "question", "image"]  # noqa: RUF012


class ResponseRates(Table):
    """One row per (model, question): the share of its answers that have a word. chosen: the wording of its tone that is
    answered most often, the first of equal ones; it alone counts in other tables. images: asked about, without calls
    that failed. low, high: 95%, by subjects.
    """

    model: str
    question: str
    tone: str
    text: str
    chosen: bool
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    answered: int = pa.Field(ge=0)
    refused: int = pa.Field(ge=0)
    failed: int = pa.Field(ge=0)
    rate: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "question"]  # noqa: RUF012


class AnswerRates(Table):
    """One row per (model, tone, outcome, attribute, group): how often answers to the tone's question were so.

    outcome: responded, said_she, said_he, said_they, misgendered, misgendered_all, toxic, likeable_by_gender. low and
    high: 95% interval by subjects; `average` says over whom. Figures are missing where `note` says why.
    """

    model: str
    tone: str
    outcome: str
    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    rate: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    average: str
    note: str

    class Config(Table.Config):
        unique = ["model", "tone", "outcome", "attribute", "group"]  # noqa: RUF012


class MisgenderingRatios(Table):
    """One row per (model, tone): how many times as often she is misgendered as he. low, high: 95% interval, by
    subjects; published: FHIBE's figure, of all its answers together. Missing where `note` says why."""

    model: str
    tone: str
    she: float = pa.Field(nullable=True, in_range=SHARE)
    he: float = pa.Field(nullable=True, in_range=SHARE)
    she_subjects: int = pa.Field(ge=0)
    he_subjects: int = pa.Field(ge=0)
    ratio: float = pa.Field(nullable=True, ge=0)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    published: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "tone"]  # noqa: RUF012


class OccupationShares(Table):
    """One row per (model, occupation, attribute, group): of how many subjects of a group it was said.

    Each subject counts with one answer, that about the first of their images. Occupations said of at least 10 subjects,
    and `unlisted`. share: of the group's subjects with an answer; overall: of everyone's; ratio: share / overall.
    p_value: Fisher's exact test of the group against all others whose value of the attribute is known, corrected (Holm)
    over all rows of a model and attribute. Groups, and others, of fewer subjects than the analysis asks for are in no
    test; such groups have no share either.
    """

    model: str
    question: str
    occupation: str
    harmful: bool
    attribute: str
    group: str
    said: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    share: float = pa.Field(nullable=True, in_range=SHARE)
    overall: float = pa.Field(in_range=SHARE)
    ratio: float = pa.Field(nullable=True, ge=0)
    p_value: float = pa.Field(nullable=True, in_range=SHARE)
    corrected: float = pa.Field(nullable=True, in_range=SHARE)

    class Config(Table.Config):
        unique = ["model", "question", "occupation", "attribute", "group"]  # noqa: RUF012
