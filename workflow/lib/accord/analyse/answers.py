"""What models of pictures answer to open questions about a person: of whom what is said, how often, how sure."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import groups as means
from accord.analyse.describing import references as others
from accord.analyse.open_answers import misgendering, occupation_shares, occupations
from accord.analyse.open_answers.outcomes import AT, MISGENDERED, MISGENDERED_ALL, RESPONDED, outcomes
from accord.analyse.open_answers.read_answers import OCCUPATION, all_read, without_names
from accord.analyse.open_answers.response_rates import response_rates
from accord.analyse.open_answers.toxic_words import toxic_words_of
from accord.analyse.scoring.instances import released
from accord.analyse.tables.open_answers import (
    AnswerRates,
    MisgenderingRatios,
    OccupationShares,
    ReadAnswers,
    ResponseRates,
)
from accord.analyse.tables.scores import Scores, Verification
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.parameter_types import Count
from accord.evaluate.asking import open_questions
from accord.evaluate.asking.open_questions import OpenQuestion
from accord.evaluate.tables.answers import Answers
from accord.grouping import KEY, WHOLE, groups_of
from accord.release.archives.shared import OF_PEOPLE
from accord.release.tables import Attributes, People
from accord.vocabularies import PRONOUNS

TASK = "visual_question"
ATTRIBUTES = ("pronoun", "natural_skin_color", "apparent_skin_color", "ancestry", *OF_PEOPLE)
"""By which answers are told, where people have them: FHIBE's, and those of archives."""
PUBLISHED = "blip2.misgendered.she_over_he"


class Told(NamedTuple):
    """What each answer says; scores of people; how often wordings are answered; rates, ratios, occupations."""

    read: DataFrame[ReadAnswers]
    scores: DataFrame[Scores]
    responses: DataFrame[ResponseRates]
    rates: DataFrame[AnswerRates]
    ratios: DataFrame[MisgenderingRatios]
    occupations: DataFrame[OccupationShares]


def run(
    answers: DataFrame[Answers],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    questions: Path,
    known_occupations: Path,
    toxic_words: Path,
    references: list[Path],
    *,
    min_subjects: Count = 10,
) -> Told:
    """What is said of the one person in each released picture, as FHIBE asked BLIP-2; docs/foundation-answers.md.

    Of each tone the wording that is answered most often counts; all wordings stand in `responses`. No table has an
    answer's text, none beside a person what she was called. Raises AccordError where the file of questions, of
    occupations or of words is wrong.
    """
    asked, jobs = open_questions.read(questions), occupations.read(known_occupations)
    toxic = toxic_words_of(toxic_words)
    everyone, answers = released(people, verdicts), released(answers, verdicts)
    found = all_read(answers.merge(everyone[KEY], on=KEY), asked, jobs, toxic)
    settings = {"min_subjects": min_subjects}
    said = {name: groups_of(everyone, attributes, name)[[*KEY, "group"]] for name in ATTRIBUTES}
    judged = _outcomes(found, said["pronoun"])
    overall = _means(judged[judged["outcome"] == RESPONDED], [], settings, "question")
    responses = response_rates(answers, found, overall, asked)
    chosen = responses.loc[responses["chosen"], ["model", "question", "tone"]]
    counted = judged.merge(chosen, on=["model", "question"])
    members = [some.assign(attribute=name) for name, some in said.items() if len(some)]
    return Told(
        without_names(found),
        _scores(counted[counted["outcome"] != MISGENDERED_ALL]),
        responses,
        _rates(_means(counted, members, settings, "tone")),
        _ratios(counted, said["pronoun"], references, settings),
        _occupations(found, chosen, asked, said, min_subjects),
    )


def _outcomes(found: pd.DataFrame, pronouns: pd.DataFrame) -> pd.DataFrame:
    """model, question, outcome, image, subject, value, note."""
    truth = {(str(i), str(s)): frozenset(some) for (i, s), some in pronouns.groupby(KEY)["group"]}
    made = []
    for (model, question), some in found.groupby(["model", "question"], sort=True):
        for name, values, notes in outcomes(some, truth):
            key = {"model": model, "question": question, "outcome": name}
            made.append(some[KEY].assign(**key, value=values, note=notes))
    columns = ["model", "question", "outcome", *KEY, "value", "note"]
    return pd.concat(made, ignore_index=True)[columns] if made else pd.DataFrame(columns=columns)


def _means(judged: pd.DataFrame, members: Sequence[pd.DataFrame], settings: dict, by: str) -> pd.DataFrame:
    """Rates of outcomes `<outcome>@<question or tone>`, of everyone and of groups, with intervals by subjects."""
    names = judged["outcome"] + AT + judged[by]
    scores = judged[["model", *KEY, "value", "note"]].assign(task=TASK, metric=names)
    groups = pd.concat([*members]) if members else judged[KEY].drop_duplicates().assign(attribute=WHOLE, group=WHOLE)
    groups = groups if members else groups.iloc[:0]
    told = means.run(scores, groups, table.empty(Verification), **settings)
    return told.rename(columns={"mean": "rate", "metric": "name"})


def _rates(told: pd.DataFrame) -> pd.DataFrame:
    outcome, tone = (told["name"].map(lambda name, side=side: name.partition(AT)[side]) for side in (0, 2))
    made = told.assign(outcome=outcome, tone=tone)[list(AnswerRates.to_schema().columns)]
    order = ["model", "tone", "outcome", "attribute", "group"]
    return table.rows(made.sort_values(order).to_dict("records"), AnswerRates)


def _scores(counted: pd.DataFrame) -> pd.DataFrame:
    """The Scores of the questions that count, a metric per outcome and tone."""
    made = counted.assign(task=TASK, metric=counted["outcome"] + AT + counted["tone"])
    columns = list(Scores.to_schema().columns)
    return table.rows(made[columns].sort_values(["model", "metric", *KEY]).to_dict("records"), Scores)


def _ratios(counted: pd.DataFrame, pronouns: pd.DataFrame, references: list[Path], settings: dict) -> pd.DataFrame:
    published = {row["figure"]: row["value"] for row in others.read(references)}.get(PUBLISHED, float("nan"))
    some = counted[(counted["outcome"] == MISGENDERED) & counted["value"].notna()].merge(pronouns, on=KEY)
    made = []
    for (model, tone), of in some.groupby(["model", "tone"], sort=True):
        she, he = (of[of["group"] == pronoun] for pronoun in PRONOUNS[:2])
        found = misgendering.row(she, he, **settings)
        made.append({"model": model, "tone": tone, "published": published} | found)
    return table.rows(made, MisgenderingRatios)


def _occupations(
    found: pd.DataFrame,
    chosen: pd.DataFrame,
    asked: Sequence[OpenQuestion],
    said: dict[str, pd.DataFrame],
    min_subjects: int,
) -> pd.DataFrame:
    wanted = chosen[chosen["question"].isin([one.id for one in asked if one.answers == OCCUPATION])]
    made: list[dict] = []
    for row in wanted.itertuples():
        some = found[(found["model"] == row.model) & (found["question"] == row.question)]
        key = {"model": row.model, "question": row.question}
        made += [key | one for one in occupation_shares.shares(some, said, min_subjects)]
    return table.rows(made, OccupationShares)
