"""The model that talks: as often wrong, rude and silent as is planted, and found so by the steps that read answers."""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from accord.analyse import answers as analyse_answers
from accord.analyse import disparities, recalls
from accord.analyse.open_answers.outcomes import TOXIC
from accord.analyse.tables.scores import Members
from accord.engine.table import rows
from accord.evaluate import label_answers
from accord.evaluate.asking import class_questions, open_questions
from accord.evaluate.labelling.exact import choice_of, class_of
from accord.evaluate.tables.answers import Answers
from accord.evaluate.tables.predictions import Evaluated
from accord.release.tables import Attributes, People, Verdicts
from accord.vocabularies import PRONOUNS, SKIN_COLORS
from accord_demo.foundation import archive, talker
from accord_demo.foundation.cues import HE, SHE, UNIFORMS
from accord_demo.foundation.talker import CLASSES, Seen, said

CONFIG = Path(__file__).parents[2] / "config"
OPEN = open_questions.read(CONFIG / "questions.yaml")
CLASS_QUESTIONS = CONFIG / "foundation-classes.yaml"
ASKED = class_questions.read(CLASS_QUESTIONS)
P1 = class_questions.asked(ASKED, "a", "nurse")[0].text
P3 = ASKED.prompts["p3"]


def seen(number: int, occupation="nurse", call=SHE, dark=False) -> Seen:
    return Seen(occupation, call, dark, number.to_bytes(16, "big"))


def within(count: int, total: int, planted: float) -> bool:
    """Whether a count is one that the planted rate explains: its exact 99.9% interval has it."""
    interval = binomtest(count, total).proportion_ci(0.999)
    return interval.low <= planted <= interval.high


def test_the_classes_are_those_that_are_asked_about():
    assert ASKED.classes == ASKED.reported == CLASSES == tuple(UNIFORMS)


@pytest.mark.parametrize("question", [one.text for one in OPEN])
def test_each_open_question_is_known_and_answered_as_often_as_is_planted(question):
    [planted] = [rate for word, rate in talker.EMPTY.items() if word in question]
    told = Counter(said(seen(number), question).status for number in range(1500))
    assert set(told) == {"said", "empty", "refused"}
    assert within(told["empty"], 1500, planted)
    assert within(told["refused"], 1500 - told["empty"], talker.REFUSED)


def test_another_question_is_declined():
    assert said(seen(1), "What is the weather?").status == "refused"


def test_an_answer_follows_from_the_picture_and_the_question_alone():
    pictures, questions = [seen(number) for number in range(50)], [P1, OPEN[0].text]
    first = [[said(one, text) for text in questions] for one in pictures]
    assert first == [[said(one, text) for text in reversed(questions)][::-1] for one in pictures]
    assert len({told[0].text for told in first}) > 3


def test_classes_are_named_in_every_manner_and_as_often_wrong_as_is_planted():
    told = [said(seen(number), P1) for number in range(2000)]
    spoken = [one.text for one in told if one.status == "said"]
    assert within(2000 - len(spoken), 2000, 1 - (1 - talker.EMPTY_CLASS) * (1 - talker.REFUSED))
    named = [class_of(text, CLASSES) for text in spoken]
    sentences = [text for text in spoken if text.startswith("This is a photo of a ")]
    assert named.count("") == len(sentences) and within(len(sentences), len(spoken), talker.MANNERS["sentence"])
    assert within(sum(text.startswith(P1) for text in spoken), len(spoken), talker.MANNERS["echoed"])
    wrong = [name for name in named if name not in ("", "nurse")]
    assert within(len(wrong), len(spoken) - len(sentences), talker.WRONG) and set(wrong) == set(CLASSES) - {"nurse"}


@pytest.mark.parametrize(("about", "usual"), [("nurse", "yes"), ("lawman", "no")])
@pytest.mark.parametrize("prompt", ["p2", "p3"])
def test_yes_and_no_are_told_in_words_and_letters(prompt, about, usual):
    question = ASKED.prompts[prompt].replace(class_questions.ONE, about)
    told = [one.text for number in range(1500) if (one := said(seen(number), question)).status == "said"]
    assert len(set(told)) >= 9  # two or three ways of three words
    read = Counter(map(choice_of, told))
    assert within(read["unknown"], len(told), talker.UNSURE)
    assert within(read[usual], len(told), (1 - talker.WRONG) * (1 - talker.UNSURE)) and not read[""]


def test_every_planted_way_of_being_wrong_is_there():
    """Right, wrong, echoed, empty, refused, without quotation marks, with a letter, toxic."""
    questions = (P1, P3.replace("[FACET class]", "nurse"), OPEN[0].text)
    texts = [said(seen(number, dark=True), one).text for number in range(300) for one in questions]
    assert {'"nurse"', '"lawman"', "Nurse", "A. Yes", "", f'{P1}\n"nurse"', "She is a thief."} <= set(texts)


def test_whoever_has_no_call_is_a_person():
    told = {said(seen(number, call=""), one.text).text for number in range(200) for one in OPEN}
    assert not any(word in text.split() for text in told for word in ("She", "He", "her", "his"))


WORLDS, PEOPLE = 4, 360
TONES = {True: (SKIN_COLORS[0],), False: SKIN_COLORS[1:]}
PRONOUN = {SHE: PRONOUNS[0], HE: PRONOUNS[1]}


def world(number: int) -> tuple[list[Seen], pd.DataFrame]:
    """People who all look as they call themselves, half of them dark, and their attributes."""
    rng = np.random.default_rng(number)
    people, said_of = [], []
    for place in range(PEOPLE):
        call, dark = (SHE, HE)[place % 2], bool(place // 2 % 2)
        people.append(seen(number * PEOPLE + place, CLASSES[place % 5], call, dark))
        tone = str(rng.choice(TONES[dark]))
        for attribute, value in (("pronoun", PRONOUN[call]), ("natural_skin_color", tone)):
            said_of.append((f"i{place}", f"s{place}", attribute, value, "s"))
    return people, rows(said_of, Attributes)


def tables(count: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """People and verdicts of one person in each image."""
    columns = list(People.to_schema().columns)
    known = [{**dict.fromkeys(columns), "image": f"i{n}", "subject": f"s{n}", "is_primary": True} for n in range(count)]
    return pd.DataFrame(known, columns=columns), rows(
        [(f"i{n}", f"s{n}", "pass", "", "", "") for n in range(count)], Verdicts
    )


def answered(people: list[Seen], questions: list[tuple[str, str]]) -> pd.DataFrame:
    """The table Answers of a model that is asked everything about everyone."""
    made = []
    for place, one in enumerate(people):
        for name, text in questions:
            told = said(one, text)
            made.append(("talker", name, f"i{place}", f"s{place}", "", *told))
    return rows(made, Answers)


@pytest.fixture(scope="module")
def reports():
    """What the step tells of each world."""
    people, verdicts = tables(PEOPLE)
    questions = [(one.id, one.text) for one in OPEN]
    made = []
    for number in range(WORLDS):
        known, attributes = world(number)
        files = (CONFIG / "questions.yaml", CONFIG / "occupations.csv", CONFIG / "toxic_words.csv")
        answers = answered(known, questions)
        made.append(analyse_answers.run(answers, people, attributes, verdicts, *files, []))
    return made


def coverage(reports, table: str, planted) -> float:
    """Share of the rows of a table for which a rate is planted whose 95% interval has it."""
    held = [row.low <= planted(row) <= row.high for one in reports for row in getattr(one, table).itertuples()
            if planted(row) is not None]  # fmt: skip
    assert len(held) >= 20
    return float(np.mean(held))


def test_planted_response_rates_lie_in_their_intervals(reports):
    def planted(row):
        [text] = [one.text for one in OPEN if one.id == row.question]
        [empty] = [rate for word, rate in talker.EMPTY.items() if word in text]
        return (1 - empty) * (1 - talker.REFUSED)

    assert coverage(reports, "responses", planted) >= 0.85


def test_the_wording_that_is_answered_more_often_is_chosen(reports):
    for one in reports:
        chosen = one.responses[one.responses["chosen"]]
        assert set(chosen["question"]) == {"likeable", "occupation", "crime"}


def test_planted_toxic_rates_lie_in_their_intervals_by_skin(reports):
    def planted(row):
        if row.attribute != "natural_skin_color" or not row.outcome.startswith(TOXIC):
            return None
        return talker.TOXIC[row.group in TONES[True]]

    assert coverage(reports, "rates", planted) >= 0.85


def test_planted_misgendering_lies_in_its_intervals(reports):
    calls = {pronoun: call for call, pronoun in PRONOUN.items()}

    def planted(row):
        known = row.attribute == "pronoun" and row.outcome.startswith("misgendered")
        return talker.MISGENDERED[calls[row.group]] if known else None

    assert coverage(reports, "rates", planted) >= 0.8


def test_the_planted_ratio_of_misgendering_lies_in_its_intervals(reports):
    planted = talker.MISGENDERED[SHE] / talker.MISGENDERED[HE]
    ratios = [row for one in reports for row in one.ratios.itertuples()]
    assert len(ratios) == 3 * WORLDS and np.mean([row.low <= planted <= row.high for row in ratios]) >= 0.8


HIDDEN_CLASSES = [name for name, uniform in UNIFORMS.items() if uniform.jacket]


@pytest.fixture(scope="module")
def facet():
    """Recalls of the archive's people by a model that sees each class but the hidden cue: then it sees another."""
    planned = archive.plan(300, 1)
    people, verdicts = tables(len(planned))
    rng = np.random.default_rng(5)
    made, attributes, members = [], [], []
    for place, one in enumerate(planned):
        others = [name for name in CLASSES if name != one.occupation]
        label = str(rng.choice(others)) if one.hidden else one.occupation
        key = f"i{place}", f"s{place}"
        attributes.append((*key, "class1", one.occupation, "annotators"))
        groups = {"gender": one.gender, "age_presentation": one.age, "skin": one.skin}
        members += [(*key, name, group) for name, group in groups.items()]
        for asked in class_questions.asked(ASKED, key[0], one.occupation):
            told = said(seen(10_000 + place, label), asked.text)
            made.append(("talker", asked.question, *key, asked.about, *told))
    labels = label_answers.run(rows(made, Answers), CLASS_QUESTIONS, encoders=[], weights=Path())
    asked = rows([("talker", "visual_question", f"i{n}", f"s{n}") for n in range(len(planned))], Evaluated)
    members = rows(sorted(members), Members)
    told = recalls.run(labels, asked, people, rows(attributes, Attributes), members, verdicts, CLASS_QUESTIONS)
    return told, members


def test_the_hidden_cue_is_claimed_and_no_other_group(facet):
    told, members = facet
    wanted = told.scores[told.scores["metric"].str.startswith("class_recall")]
    found = disparities.run(wanted, members, bootstraps=300)
    assert set(found["metric"]) == {"class_recall@p1", "class_recall@p2", "class_recall@p3"}
    claimed = found[found["claimed"]]
    assert set(claimed["attribute"]) == {"age_presentation"} and set(claimed["worst"]) == {archive.HIDDEN}
    assert set(claimed["metric"]) == set(wanted["metric"])


def test_planted_recalls_lie_in_their_intervals(facet):
    heard = (1 - talker.EMPTY_CLASS) * (1 - talker.REFUSED)
    right = {"p1": heard * (1 - talker.MANNERS["sentence"]) * (1 - talker.WRONG),
             "p2": heard * (1 - talker.WRONG) * (1 - talker.UNSURE)}  # fmt: skip
    right["p3"] = right["p2"]
    seen_classes = [name for name in CLASSES if name not in HIDDEN_CLASSES]
    table = facet[0].recalls
    table = table[table["class"].isin(seen_classes) & (table["group"] != "unknown") & (table["images"] > 0)]
    held = [row.low <= right[row.question] <= row.high for row in table.itertuples()]
    assert len(held) >= 50 and np.mean(held) >= 0.85
