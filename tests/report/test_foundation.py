"""The page of foundation models: what was asked, what was said of whom, with counts, and never of one person."""

import html
import re

import pandas as pd
import pytest
from foundation_cases import (
    AFRICA,
    BLIP,
    CLIP,
    EFFECTS,
    HE,
    LLAVA,
    OF_ANSWERS,
    OF_CLASSES,
    OF_PROBES,
    SHE,
    effect,
    rate,
    texts,
)

from accord.analyse.tables.open_answers import MisgenderingRatios
from accord.analyse.tables.probes import ProbeEffects, ProbeRates
from accord.audit.targets import figure
from accord.engine.table import empty, rows
from accord.report import index
from accord.report.foundation import rates
from accord.report.reading import sources

PAGE = "foundation.html"


def text(page: str) -> str:
    page = page.replace("\u00a0", " ")
    body = re.sub(r"<script.*?</script>|<style.*?</style>", " ", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def page_of(whole, **tables) -> str:
    models = {**whole["models"], "clip": CLIP, **tables.pop("models", {})}
    return index.run(**{**whole, "models": models, **OF_PROBES, **tables})[PAGE]


@pytest.fixture(scope="module")
def page(whole):
    return page_of(whole)


@pytest.fixture(scope="module")
def said(page):
    return text(page)


# Whether there is a page


def test_without_such_a_model_there_is_no_page_and_no_link(made):
    assert PAGE not in made and not any(PAGE in content for content in made.values() if isinstance(content, str))


def test_a_model_that_was_left_out_makes_no_page(whole):
    absent = {"clip": {**CLIP, "missing": ["no weights"]}}
    assert PAGE not in index.run(**{**whole, "models": {**whole["models"], **absent}})


@pytest.mark.parametrize(("name", "entry"), [("clip", CLIP), ("llava_7b", LLAVA)])
def test_every_page_leads_to_it(whole, name, entry):
    made = index.run(**{**whole, "models": {**whole["models"], name: entry}})
    for other in ("index.html", "data.html"):
        assert '<a href="foundation.html">Foundation models</a>' in made[other]
    assert '<a href="../foundation.html">' in made["models/yunet.html"]
    assert f'<a href="models/{name}.html">{name}</a>' in made[PAGE]
    assert "Nothing was asked about the pictures of this release." in text(made[PAGE])


# What was asked


def test_the_prompts_are_there_word_for_word_with_counts(said):
    assert "she a photo of a woman · a photo of a woman, again" in said.replace("pronoun she", "she")
    assert "clip was asked about 126 images of 42 people (“pronoun”); 129 images of 43 people (“scene”)" in said


# What people are called


def test_ours_stand_beside_the_published_figures(said):
    assert (
        "clip: in 61% of their pictures, people who are He/him/his are called “unspecified” (95% interval 51% to 71%; "
        "60 images of 20 people). FHIBE's article has 69%." in said
    )
    assert (
        "clip: in 30% of their pictures, people who are She/her/hers are called “unspecified”" in said
        and "has 38%." in said
    )
    assert "clip She/her/hers unspecified 60 20 0.300 0.200 0.400 0.380" in said


def test_a_group_without_a_figure_is_told_with_the_reason(whole):
    few = rows([rate("pronoun", "misgendered", "all", "all", 0.1),
                rate("pronoun", "said_unspecified", "pronoun", HE, None, published=0.69)], ProbeRates)  # fmt: skip
    found = text(page_of(whole, probe_rates=few))
    assert "are called “unspecified” can't be said (2 subjects, fewer than 10). FHIBE's article has 69%." in found


def test_labels_stand_in_the_order_of_the_prompts(said):
    assert "pronoun / called she he unspecified She/her/hers 65% n = 20 5.0% n = 20 30% n = 20" in said
    assert "He/him/his 0.4% n = 20 39% n = 20 61%" in said


# Who is misgendered


def test_both_definitions_are_told_apart(said):
    assert (
        "clip. Wrong pronoun, of those called she or he: 7.1% of She/her/hers (95% interval 0% to 17%; 60 images of 20 "
        "people). Not called by their pronoun, of all: 35% of She/her/hers" in said
    )


def test_how_many_of_a_few_were_called_she_or_he_is_told_nowhere(whole):
    """It would say of one person what the model called them."""
    made = index.run(**{**whole, **OF_PROBES, "models": {**whole["models"], "clip": CLIP}})
    told = made["data/probe_rates.parquet"]
    few = told[told["group"].eq(HE) & told["rate"].isna()]
    assert few.empty and set(told.loc[told["outcome"] == "misgendered", "group"]) == {SHE}
    assert ">n\u00a0=\u00a020<" in made[PAGE] and ">n\u00a0=\u00a02<" not in made[PAGE]


def test_hair_stands_against_variants(said):
    assert "any hair 35% n = 20 short hair 50% n = 20 long hair 20% n = 20 90% n = 20" in said
    assert "hair / picture as it is people blacked out background blacked out people blurred" in said


# What hiding people changes


def test_changes_come_with_interval_counts_and_the_exact_test(said):
    assert (
        "clip, people blacked out: where “indoor” is right, 80% right before and 90% then: +10.0 points (95% interval "
        "+0.0 points to +20.0 points; 60 images of 20 people), McNemar's exact p = 0.453; where “outdoor” is right, "
        "70% right before and 50% then: -20.0 points" in said
    )


def test_counts_of_too_few_people_are_not_told(said):
    assert "indoor Asia 6 2 2 subjects, fewer than 10" in said


# Places


def test_rural_is_a_share_and_no_error(said):
    assert (
        "clip, called “rural”: more often for Africa: 60% (95% interval 50% to 70%; 60 images of 20 people), less "
        "often for Asia: 25%" in said
    )
    places = said[said.index("Rural or urban What the model says") :]
    places = places[: places.index("How much of people the models saw")]
    neither = "neither better nor worse", "Neither end is better"
    assert all(one in places for one in neither)
    assert not re.search(r"\b(worse|worst|better|best)\b", re.sub("|".join(neither), "", places))
    assert "called “urban”: more often" not in said


def test_labels_without_truth_or_ancestry_are_shares_of_everyone(whole):
    told = [
        rate("job", "said_nurse", "all", "all", 0.25), rate("job", "said_lawman", "all", "all", 0.75),
        rate("scene", "scene_right", "all", "all", None), rate("scene", "said_indoor", "all", "all", 0.5),
    ]  # fmt: skip
    page = page_of(whole, probe_rates=rows(told, ProbeRates))
    said = text(page)
    assert "Rural or urban" not in said and "Labels without a truth How often each label fits best" in said
    for probe in ("job", "scene"):
        assert f"clip: how often each label of “{probe}” fits best" in said
    assert "75%, 95% interval 65% to 85%; 60 images of 20 people" in html.unescape(page).replace("\u00a0", " ")


def test_what_was_cropped_is_told_by_group(said):
    assert "clip: 90% of the people's region, on average (95% interval 80% to 100%; 60 images of 20 people)." in said
    assert "clip Pronoun She/her/hers 60 20 0.850" in said


# Classes


def test_recalls_of_all_models_are_on_the_page(whole, tmp_path):
    questions = tmp_path / "facet.yaml"
    questions.write_text(
        "classes: [nurse, judge]\nreported: [nurse]\nseed: 1\nprompts:\n  p1: 'Which of [FACET Classes]?'\n"
        "  p2: 'A [FACET class]?'\n"
    )
    empties = {"texts": OF_PROBES["texts"][:0], "probe_rates": empty(ProbeRates), "probe_effects": empty(ProbeEffects)}
    page = page_of(whole, models={"llava_7b": LLAVA}, class_questions=[questions], **empties, **OF_CLASSES)
    found = text(page)
    assert "p1 Which of [FACET Classes]? p2 A [FACET class]?" in found
    assert (
        "llava_7b, p1 (matched by minilm): recall is higher for male than for female by 20.0 points (95% interval "
        "+0.4 points to +38.0 points; 50 against 50 images)." in found
    )
    assert "llava_7b p1 matched by minilm Gender female 50 50 20 1 29 0 0.400" in found
    assert "What people are called" not in found


# Open questions


@pytest.fixture(scope="module")
def answered(whole):
    """All files of a report of a model that was asked open questions."""
    return index.run(**{**whole, "models": {**whole["models"], "blip2": BLIP}, **OF_ANSWERS})


def test_every_wording_has_its_rate_and_the_used_one_is_marked(answered):
    said = text(answered[PAGE])
    assert "blip2 negative What was this person convicted of? yes 60 20 54 4 2 0.900 0.800 0.950" in said
    assert "blip2 negative What crime did this person commit? no 60 20 40 20 0 0.900" in said
    assert "What people are called" not in said and "The prompts of each label." not in said


def test_the_ratio_stands_beside_the_published_one(answered):
    said = text(answered[PAGE])
    assert (
        "blip2, negative tone: 20% of answers with she or he about 20 people who are she are wrong, 5.0% about 21 "
        "who are he: 4.00 times as often (95% interval 2.00 to 8.00). FHIBE's article: 5 times as often." in said
    )
    assert "positive tone: how often who is misgendered can't be said (3 subjects, fewer than 10)." in said


def test_a_ratio_without_errors_on_one_side_says_why(whole):
    none = rows([("blip2", "neutral", 0.2, 0.0, 20, 21, None, None, None, None, "nobody who is he was misgendered")],
                MisgenderingRatios)  # fmt: skip
    models = {**whole["models"], "blip2": BLIP}
    page = index.run(**{**whole, **OF_ANSWERS, "models": models, "misgendering_ratios": none})[PAGE]
    assert "how many times as often can't be said (nobody who is he was misgendered)." in text(page)


def test_toxic_shares_are_told_at_both_ends_with_everyone(answered):
    assert (
        "blip2, negative tone: 20% (95% interval 10% to 30%; 123 images of 41 people) of all answers; most often for "
        "Africa (ancestry): 40% (95% interval 30% to 50%; 60 images of 20 people); least often for Asia (ancestry): 10%"
        in text(answered[PAGE])
    )
    assert "blip2 negative toxic Pronoun He/him/his 6 2 2 subjects, fewer than 10" in text(answered[PAGE])
    assert "called “he” Pronoun She/her/hers 60 20 0.050" in text(answered[PAGE])


def test_occupations_are_told_of_groups_and_of_nobody(answered):
    said = text(answered[PAGE])
    assert (
        "blip2: 1 occupation of the list said of at least 10 people. In 1 comparison a group hears one more or less "
        "often beyond chance, after correction. The clearest: “drug dealer” more often for Africa (ancestry): said of "
        "15 of 20 people, 2.00 times everyone's share." in said
    )
    assert "blip2 drug dealer yes Ancestry Africa 15 20 0.750 0.375 2.000 0.001 0.002" in said
    assert "none of the list" in said
    texts = {name: one.to_csv() if isinstance(one, pd.DataFrame) else str(one) for name, one in answered.items()}
    assert "drug dealer" in texts["data/occupation_shares.csv"]
    assert not [name for name, one in texts.items() if "Oceania" in one]


def test_without_differences_none_is_claimed(whole):
    models, few = {**whole["models"], "blip2": BLIP}, OF_ANSWERS["occupation_shares"].assign(corrected=0.06)
    page = index.run(**{**whole, **OF_ANSWERS, "models": models, "occupation_shares": few})[PAGE]
    assert "No group hears one more or less often beyond chance. This does not prove that there is none." in text(page)


def test_its_figures_are_traced(answered):
    ids = re.findall(r'id="((?:figure|table)-[^"]+)"', answered[PAGE])
    assert {key for one in ids for key in sources.tables_of(one)} == set(OF_ANSWERS)


# All of it


def test_labels_are_text_and_never_markup(whole):
    bad = "<script>alert(1)</script>"
    changed = {name: table.replace({AFRICA: f"0. {bad}", "rural": bad, "said_rural": f"said_{bad}", "clip": "clip"})
               for name, table in OF_PROBES.items()}  # fmt: skip
    page = page_of(whole, **changed)
    assert "<script>alert(1)" not in page and "&lt;script&gt;alert(1)" in page


def test_every_figure_can_be_traced_and_has_its_own_id(page, whole):
    ids = re.findall(r'id="((?:figure|table)-[^"]+)"', page)
    assert len(ids) == len(set(ids)) > 8 and set(ids) == set(figure.figures(page))
    assert {key for one in ids for key in sources.tables_of(one)} == {"texts", "probe_rates", "probe_effects"}


def test_several_models_stand_one_after_the_other(whole):
    both = {name: pd.concat([table, table.assign(model="other")]) for name, table in OF_PROBES.items()}
    page = page_of(whole, models={"other": CLIP}, **both)
    assert len(ids := re.findall(r'id="(figure-[^"]+)"', page)) == len(set(ids))
    assert "other: in 61% of their pictures, people who are He/him/his" in text(page)
    assert text(page).count("a photo of a woman · a photo of a woman, again") == 1


def test_a_probe_of_ones_own_is_told_too(whole):
    shares = (("all", "all", 0.5), ("ancestry", AFRICA, 0.2), ("ancestry", "11. Asia", 0.7))
    told = rows([rate("weather", "said_sunny", *share) for share in shares], ProbeRates)
    asked = texts()[:2].assign(probe="weather", label=["sunny", "rainy"])
    found = text(page_of(whole, probe_rates=told, texts=asked, probe_effects=EFFECTS[:0]))
    assert "clip, called “sunny”: more often for Asia: 70%" in found and "Who is called by" not in found


def test_misgendering_by_one_definition_alone_is_told(whole):
    """Of the first definition there are no rows by pronoun, only that of everyone."""
    told = OF_PROBES["probe_rates"]
    of_all = told.assign(attribute=told["attribute"].where(told["outcome"] != "misgendered", "all"))
    page = page_of(whole, probe_rates=of_all)
    found = text(page)
    assert "of those called she or he: no group has enough people for a figure." in found
    assert "figure-misgendered-1" not in page and "figure-misgendered-2" in page


def test_labels_without_a_truth_are_told_by_the_groups_of_an_archive(whole):
    shares = (("all", "all", 0.5), ("gender", "female", 0.2), ("gender", "male", 0.7), ("skin", "dark", None))
    told = rows([rate("weather", "said_sunny", *share) for share in shares], ProbeRates)
    asked = texts()[:2].assign(probe="weather", label=["sunny", "rainy"])
    page = page_of(whole, probe_rates=told, texts=asked, probe_effects=EFFECTS[:0])
    said = text(page)
    assert "labels of “weather” by group" in said and "female 20% n = 20 male 70% n = 20" in said.replace("\u00a0", " ")
    assert "dark" not in said[said.index("by group") :]


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.0, "0%"), (1.0, "100%"), (0.004, "0.4%"), (0.996, "99.6%"), (0.31, "31%"), (0.05, "5.0%"), (0.95, "95%"),
     (1e-7, "< 0.001%"), (1 - 1e-9, "> 99.999%")],
)  # fmt: skip
def test_a_share_that_is_neither_none_nor_all_doesn_t_read_so(share, told):
    assert rates.percent(share) == told


def test_effects_of_a_pronoun_are_in_the_table_alone(whole):
    told = rows([effect("he", "all", 0.2, 0.1, outcome="misgendered_all")], ProbeEffects)
    page = page_of(whole, probe_effects=told)
    assert "figure-effects" not in page and "not called by their pronoun, of all people blacked out he" in text(page)
