"""Each answer is of one measure, says what its tables say, and what was not compared: the hard cases."""

import pandas as pd
import pytest
from report_cases import BEST, KEYS, SEEN, SHARPNESS, WORST, disparity, fixed, group, way

from accord.analyse.scoring.metrics import METRICS
from accord.analyse.tables.causes import Causes, Conditioned
from accord.analyse.tables.robustness import Multiverse, Power
from accord.analyse.tables.scores import Disparities, Groups
from accord.engine.table import rows
from accord.report.reading import measures
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers, features, names, quantities, untested, why, words

TABLES = {"groups": Groups, "disparities": Disparities, "causes": Causes, "conditioned": Conditioned,
          "multiverse": Multiverse, "power": Power}  # fmt: skip
SMALL = {"images": 7, "subjects": 6, "mean": None, "median": None, "low": None, "high": None}
EVERYONE = group("all", 0.7, attribute="all")
OCEANIA = group("22. Oceania", 0.0, "6 subjects, fewer than 10") | SMALL


def told(**tables):
    """What is told of one model and metric; tables that aren't given are empty."""
    made = {name: rows(tables.get(name, []), model) for name, model in TABLES.items()}
    return ReportData(made, {}, {"yunet": {"task": "face_localization"}}, "", "")


def said(of, metric="ar_iou"):
    """Question -> the whole answer."""
    found = answers.answers(of.by(metric), metric, 1).answers
    return {one["question"]: f"{one['short']} | {one['long']}" for one in found}


def unclaimed(attribute="ancestry", **changes):
    return disparity(attribute, False) | {"significant": False, "worst": "", "best": ""} | changes


def at_first(p):
    return {"p_between_subjects": p, "note": "no pair of 15 differs significantly"}


def test_no_group_was_compared():
    none = unclaimed(pairs=0, p_between_subjects=None, note="fewer than two groups have 10 subjects")
    found = said(told(groups=[EVERYONE, OCEANIA], disparities=[none]))
    assert found["For whom worst?"] == "Can't be said | No two groups have enough people with a score to be compared."
    assert found["Why, probably?"].startswith("Not known | ")
    assert found["How sure is that?"].startswith("Can't be said")


def test_a_group_that_is_too_small_is_named_where_no_one_is_told():
    found = said(told(groups=[EVERYONE, group(WORST, 0.6), group(BEST, 0.8), OCEANIA], disparities=[unclaimed()]))
    assert found["For whom worst?"].startswith(
        "No one, as far as can be shown | This does not prove that there is none."
    )
    assert found["For whom worst?"].endswith("Not compared: Oceania (ancestry, 6 people).")


def test_where_all_were_compared_nothing_is_left_out():
    found = said(told(groups=[EVERYONE, group(WORST, 0.6), group(BEST, 0.8)], disparities=[unclaimed()]))
    assert "Not compared" not in found["For whom worst?"]
    assert (
        "The lowest is 0.60 for South America (ancestry; 95% interval 0.55 to 0.65; 60 images of 20 people)"
        in (found["For whom worst?"])
    )


def test_a_group_without_another_one_was_not_compared():
    lone = group("0. She/her/hers", 0.7, attribute="pronoun")
    few = unclaimed("pronoun", pairs=0, p_between_subjects=None)
    found = said(told(groups=[EVERYONE, group(WORST, 0.6), group(BEST, 0.8), lone], disparities=[unclaimed(), few]))
    assert found["For whom worst?"].endswith("Not compared: any group by pronoun.")


def test_many_small_groups_and_combinations_are_counted():
    small = [group(f"{number}. Region {number}", 0.0, "few") | SMALL for number in range(14, 18)]
    both = [group(f"0. She/her/hers x {name}", 0.0, note, "pronoun x ancestry") | SMALL
            for name, note in ((WORST, "few"), (BEST, ""))]  # fmt: skip
    crossed = unclaimed("pronoun x ancestry")
    of = told(groups=[EVERYONE, group(WORST, 0.6), group(BEST, 0.8), *small, *both], disparities=[unclaimed(), crossed])
    assert untested.not_compared(of) == (
        "Not compared: 4 of 6 groups by ancestry and 1 of 2 groups that combine attributes."
    )


def test_one_person_is_one_person():
    one = OCEANIA | {"subjects": 1, "images": 1}
    assert untested.not_compared(told(groups=[EVERYONE, one, group(WORST, 0.6)], disparities=[unclaimed()])) == (
        "Not compared: Oceania (ancestry, 1 person)."
    )
    alone = said(told(groups=[EVERYONE | {"images": 1, "subjects": 1}]))
    assert alone["How well?"].endswith("1 image of 1 person.")


def test_all_differ_and_the_strongest_is_told_with_figures_and_the_others_by_name():
    claims = [
        disparity("ancestry", True),
        disparity("pronoun", True, "0. She/her/hers", "1. He/him/his") | {"disparity": 0.3},
        disparity("age_group", True, "[60, +]", "[18, 30)") | {"disparity": 0.2},
    ]
    found = said(told(groups=[EVERYONE, group(WORST, 0.42), group(BEST, 0.79)], disparities=claims))
    short, long = found["For whom worst?"].split(" | ")
    assert short == "South America"
    assert long == (
        "By ancestry: 0.42 on average (95% interval 0.37 to 0.47; 60 images of 20 people) for South America, against "
        "0.79 on average (95% interval 0.74 to 0.84; 60 images of 20 people) for Eastern Asia. Also worse than others: "
        "She/her/hers (pronoun) and 60 and over (age)."
    )


def test_ties_for_worst_are_all_told():
    claims = [disparity("ancestry", True), disparity("pronoun", True, "0. She/her/hers", "1. He/him/his")]
    found = said(told(groups=[EVERYONE], disparities=claims))
    assert found["For whom worst?"].startswith("South America and She/her/hers | By ancestry: 0.42 on average")
    assert "By pronoun: 0.42 on average" in found["For whom worst?"]
    assert "Also worse" not in found["For whom worst?"]
    assert "Of South America: " in found["Why, probably?"]


def test_of_equal_medians_the_larger_difference_of_means_is_the_stronger():
    equal = {"disparity": 0.0, "worst_median": 1.0, "best_median": 1.0}
    small = disparity("ancestry", True) | equal | {"worst_mean": 0.78}
    large = disparity("pronoun", True, "0. She/her/hers", "1. He/him/his") | equal
    found = said(told(groups=[EVERYONE], disparities=[small, large]))
    assert found["For whom worst?"].startswith("She/her/hers | ")


def test_worse_by_the_median_alone_says_so():
    row = disparity("ancestry", True) | {"worst_mean": 0.79, "best_mean": 0.78}
    found = said(told(groups=[EVERYONE], disparities=[row]))
    assert (
        "0.79 on average for South America, against 0.78 on average for Eastern Asia; worse by the median, 0.40"
        in (found["For whom worst?"])
    )
    assert "; worse by the median, 0.40 against 0.80; D = 0.50" in words.claim(
        next(rows([row], Disparities).itertuples())
    )


def test_where_d_is_not_defined_none_is_told():
    row = disparity("ancestry", True) | {"disparity": None, "low": None, "high": None}
    claim = words.claim(next(rows([row], Disparities).itertuples()))
    assert claim == (
        "yunet (face detection) does worse for South America than for Eastern Asia by average recall over IoU "
        "0.50-0.95: 0.42 on average (20 people) against 0.79 (21 people); difference 0.37 (95% interval 0.30 to 0.44)."
    )


def test_a_measure_without_a_value_says_why_and_is_no_other_measure():
    nothing = {"mean": None, "median": None, "low": None, "high": None, "images": 0, "subjects": 0}
    undefined = EVERYONE | nothing | {"metric": "lpips", "note": "no score, 6 undefined: no model of it can be had"}
    found = said(told(groups=[undefined, EVERYONE | {"metric": "psnr", "mean": 27.0}]), "lpips")
    assert found["How well?"] == "Not known | No score, 6 undefined: no model of it can be had."
    assert found["Why, probably?"] == "Not known | There is not a figure to explain."
    assert "27" not in " ".join(found.values())


def test_a_recogniser_that_recognises_nobody_has_the_headline_zero():
    keys = {"task": "face_verification", "model": "sface"}
    rate = EVERYONE | keys | {"metric": "tar@far=0.001", "mean": 0.0, "low": 0.0, "high": 0.02}
    like = EVERYONE | keys | {"metric": "genuine_similarity", "mean": 0.96, "low": 0.95, "high": 0.97}
    of = told(groups=[like, rate], disparities=[unclaimed() | keys | {"metric": "genuine_similarity"}])
    first, second = answers.all_answers(of)
    assert first.title.endswith("(tar@far=0.001)") and second.title.endswith("(genuine_similarity)")
    assert first.answers[0]["short"] == "0.00"
    assert "0.96" not in str(first.answers)
    assert "1 in 1,000 pairs of strangers" in first.answers[0]["long"]
    assert first.answers[1]["short"] == "Groups were not compared"
    assert second.answers[1]["short"] == "No one, as far as can be shown"


@pytest.mark.parametrize(("everyone", "side"), [(0.0, "below"), (0.9, "above"), (0.6, ""), (0.5, "")])
def test_a_rate_of_everyone_outside_of_those_of_all_groups_is_explained(everyone, side):
    tar = {"task": "face_verification", "metric": "tar@far=0.001"}
    groups = [group("all", everyone, attribute="all") | tar, group(WORST, 0.5) | tar, group(BEST, 0.8) | tar]
    found = said(told(groups=groups), "tar@far=0.001")["How well?"]
    assert (f"Everyone is {side} each group with a figure: everyone, like each" in found) == bool(side)
    assert "threshold of its own" not in said(told(groups=[EVERYONE, group(WORST, 0.8)]))["How well?"]


def test_without_a_rate_the_recogniser_is_not_known():
    keys = {"task": "face_verification", "model": "sface"}
    few = "500 impostor pairs, fewer than the 1,000 that resolve a FAR of 0.001"
    rate = EVERYONE | keys | {"metric": "tar@far=0.001", "mean": None, "low": None, "high": None, "note": few}
    like = EVERYONE | keys | {"metric": "genuine_similarity", "mean": 0.96}
    first = answers.all_answers(told(groups=[like, rate]))[0]
    assert (first.answers[0]["short"], first.answers[0]["long"]) == ("Not known", f"{few}.")
    assert (first.answers[2]["short"], first.answers[2]["long"]) == ("Can't be said", "No group has a figure.")


def test_lower_is_better_is_told_as_it_is():
    lpips = {"metric": "lpips"}
    claim = disparity("ancestry", True) | lpips | {"worst_mean": 0.5, "best_mean": 0.3}
    other = disparity("pronoun", True, "0. She/her/hers", "1. He/him/his") | lpips
    other |= {"worst_mean": 0.35, "best_mean": 0.3}
    found = said(told(groups=[EVERYONE | lpips], disparities=[other, claim]), "lpips")
    assert found["For whom worst?"].startswith(
        "South America | By ancestry: 0.50 on average for South America, against"
    )
    assert "lower is better" in found["How well?"]


def test_decibels_are_named():
    found = said(told(groups=[EVERYONE | {"metric": "psnr", "mean": 27.0, "low": 25.0, "high": 29.0}]), "psnr")
    assert found["How well?"].startswith("27.00 dB | ")
    assert "95% interval 25.00 to 29.00 dB" in found["How well?"]


def test_p_just_above_the_limit_is_not_the_limit():
    found = said(told(groups=[EVERYONE], disparities=[unclaimed(**at_first(0.0503))]))
    assert found["How sure is that?"] == (
        "Not sure | No difference is beyond chance. The smallest p between people, corrected for all that this report "
        "compares, is 0.0503 (ancestry); a difference is told where it is under 0.05. With so few people in each "
        "group, real differences can stay hidden."
    )


def test_a_small_p_that_is_not_claimed_says_why():
    explained = unclaimed(p_between_subjects=0.01, significant=True, note="explained by natural_skin_color")
    found = said(told(groups=[EVERYONE], disparities=[explained]))
    assert "is 0.010 (ancestry; explained by natural skin colour)." in found["How sure is that?"]
    assert "told under" not in found["How sure is that?"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0503, "0.0503"), (0.05, "0.050"), (0.0499, "0.0499"), (0.04999, "0.04999"), (0.2, "0.200"), (1e-5, "1.0e-05")],
)
def test_p_is_never_rounded_onto_its_limit(value, text):
    assert quantities.p(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.0, "0.00"), (0.004, "0.004"), (0.9999, "0.9999"), (1.0, "1.00")])
def test_only_zero_is_zero_and_only_one_is_one(value, text):
    assert quantities.value("ar_iou", value) == text


def test_averages_that_differ_are_told_apart():
    assert quantities.apart("ar_iou", 0.421, 0.423) == ("0.421", "0.423")
    assert quantities.apart("ar_iou", 0.42, 0.79) == ("0.42", "0.79")
    assert quantities.apart("ar_iou", 0.5, 0.5) == ("0.50", "0.50")


def test_what_may_hide_is_of_the_measure_alone():
    power = [SEEN, SEEN | {"attribute": "pronoun", "detectable_in_report": 0.25}, SEEN | {"metric": "psnr",
             "detectable_in_report": 9.0}]  # fmt: skip
    found = said(told(groups=[EVERYONE], disparities=[unclaimed()], power=power))
    assert (
        "A real difference smaller than 0.15 to 0.25 (depending on the groups) would be missed"
        in (found["How sure is that?"])
    )


def test_how_often_chance_would_show_it_is_never_too_seldom():
    for p, times in ((0.0499, "1 of 20 "), (0.03, "1 of 33 "), (0.0001, "1 of 10,000 ")):
        found = said(told(groups=[EVERYONE], disparities=[disparity("ancestry", True) | {"p_between_subjects": p}]))
        assert times in found["How sure is that?"]


def test_one_way_of_looking_is_one_way():
    found = said(told(groups=[EVERYONE], disparities=[disparity("ancestry", True)], multiverse=[way("score", True)]))
    assert found["How sure is that?"].endswith("It holds in 1 of 1 way of looking at the data.")


def test_what_goes_with_errors_is_said_only_where_it_was_looked_at():
    nothing = SHARPNESS | {"feature": "", "claimed": False, "note": "6 subjects, fewer than 10"}
    of = {"groups": [EVERYONE], "disparities": [unclaimed()]}
    assert said(told(**of))["Why, probably?"].endswith("can't be said: it was not looked at.")
    assert said(told(**of, causes=[nothing]))["Why, probably?"].endswith("can't be said: 6 subjects, fewer than 10.")
    assert said(told(**of, causes=[SHARPNESS]))["Why, probably?"].endswith("Its worse scores go with sharpness.")
    weak = said(told(**of, causes=[SHARPNESS | {"claimed": False}]))["Why, probably?"]
    assert weak.endswith("go with sharpness beyond chance, but none of this foretells them well.")
    found = said(told(**of, causes=[SHARPNESS | {"claimed": False, "p_value": 0.5}]))["Why, probably?"]
    assert found.endswith("Its worse scores go with nothing that was measured, beyond chance.")


def test_a_difference_that_no_feature_takes_away_is_not_known():
    of = {"groups": [EVERYONE], "disparities": [disparity("ancestry", True)], "causes": [SHARPNESS]}
    gaps = [fixed("as it is", 0.4, None, ""), fixed("matched", 0.38, 0.02)]
    assert said(told(**of, conditioned=gaps))["Why, probably?"] == (
        "Not known | Comparing pictures that are alike in sharpness takes less than a fifth of it away."
    )
    few = fixed("matched", None, None, note="3 subjects of a group are left, fewer than 10")
    assert said(told(**of, conditioned=[gaps[0], few]))["Why, probably?"] == (
        "Not known | Sharpness could not be held fixed: too few people share known values."
    )


def test_errors_that_go_with_the_groups_themselves_are_not_errors_with_nothing():
    own = SHARPNESS | {"feature": "ancestry", "kind": "category", "side": "=", "label": WORST, "number": None}
    of = {"groups": [EVERYONE], "disparities": [disparity("ancestry", True)], "causes": [own]}
    found = said(told(**of, conditioned=[fixed("as it is", 0.4, None, "")]))["Why, probably?"]
    assert found.startswith("Not known | Its worse scores go with ancestry.")


def test_sides_of_features_are_pictures():
    assert features.pictures("hairstyle", "=", "2. Short") == "pictures with hairstyle: Short"
    assert features.pictures("hairstyle", "!=", "2. Short") == "pictures without hairstyle: Short"
    assert features.pictures("brightness", "<=", "") == "dark pictures"
    assert features.pictures("aperture_value", "<=", "") == "pictures with a wide aperture"


def test_every_metric_has_a_name_and_plain_words_and_the_rate_its_own():
    assert [name for name in METRICS if names.metric(name) == name.replace("_", " ") and name != "accuracy"] == []
    assert [name for name in METRICS if names.plain(name) == names.metric(name)] == []
    assert names.metric("tar@far=0.01") == "share of genuine pairs accepted at a false acceptance rate of 0.01"
    assert "1 in 100 pairs of strangers" in names.plain("tar@far=0.01")


def test_the_first_measure_is_the_one_that_fhibe_tells_of():
    def order(task, *metrics):
        found = [EVERYONE | {"task": task, "metric": metric} for metric in metrics]
        return measures.measures(told(groups=found))

    assert order("keypoint_estimation", "ar_oks", "pck@0.5") == ["pck@0.5", "ar_oks"]
    assert order("face_super_resolution", "cosine", "lpips", "psnr") == ["lpips", "psnr", "cosine"]
    assert order("face_localization", "ar_iou") == ["ar_iou"]


def stopped(*steps):
    """A waterfall of 100 images: (label, how many it stopped)."""
    left, made = 100, []
    for order, (label, count) in enumerate(steps):
        made.append({"order": order, "label": label, "images_in": left, "stopped": count, "images_out": left - count})
        left -= count
    return pd.DataFrame(made)


def test_the_commonest_reason_is_not_told_as_that_of_most():
    many = stopped(("Blurred", 3), ("Too few pixels", 2), ("Nudity", 0), ("File missing", 1))
    assert words.collected(many) == (
        "Of 100 images delivered, 94 were released and 6 were not, for 3 different reasons; the most frequent, with 3 "
        "images, is: blurred."
    )
    assert words.collected(stopped(("Blurred", 1), ("Nudity", 1))) == (
        "Of 100 images delivered, 98 were released and 2 were not, for 2 different reasons; the most frequent, with 1 "
        "image each, are: blurred and nudity."
    )
    assert "the most frequent, with 2 images, is: no EXIF data." in words.collected(
        stopped(("No EXIF data", 2), ("Nudity", 1))
    )
    assert words.collected(stopped(("Held in reserve", 8), ("Nudity", 0))) == (
        "Of 100 images delivered, 92 were released and 8 were not; the reason: held in reserve."
    )


def summary(*disparities, left=""):
    return words.summary(stopped().head(0), rows(list(disparities), Disparities), left)


def test_the_summary_counts_models_that_could_be_compared():
    other = {"model": "mtcnn"}
    few = unclaimed(pairs=0, p_between_subjects=None) | {"model": "facemesh"}
    assert summary(disparity("ancestry", True), unclaimed() | other, few) == [
        "1 of the 2 models whose groups could be compared does worse for South America (ancestry) than for another "
        "group, by more than chance explains.",
        "Of 1 more model no groups could be compared: too few people in each have a score.",
    ]
    second = disparity("pronoun", True, "0. She/her/hers", "1. He/him/his") | {"disparity": 0.3}
    assert summary(disparity("ancestry", True), disparity("ancestry", True) | other, second) == [
        "2 of the 2 models whose groups could be compared do worse for South America (ancestry) than for another "
        "group, by more than chance explains.",
        "1 other difference between groups holds too.",
    ]


def test_the_summary_without_a_difference_says_what_was_left_out():
    left = "Not compared: Oceania (ancestry, 6 people)."
    assert summary(unclaimed(), unclaimed() | {"model": "mtcnn"}, left=left) == [
        "None of the 2 models whose groups could be compared does worse for any group, by more than chance explains. "
        "This does not prove that there is none.",
        left,
    ]


def test_two_measures_of_a_model_are_one_model():
    claims = [disparity("ancestry", True), disparity("ancestry", True) | {"metric": "ar_part"}]
    assert summary(*claims, unclaimed() | {"model": "mtcnn"})[0].startswith("1 of the 2 models")


@pytest.mark.parametrize(("count", "begins"), [(1, "1 request (withdrawals, grants) names "),
                                               (2, "2 requests (withdrawals, grants) name ")])  # fmt: skip
def test_wishes_agree_with_their_number(count, begins):
    assert words.open_wishes(count).startswith(begins)


def test_why_is_of_the_claim():
    gaps = rows([fixed("as it is", 0.4, None, ""), fixed("matched", 0.1, 0.3)], Conditioned)
    claim = next(rows([disparity("ancestry", True)], Disparities).itertuples())
    assert why.why(claim, gaps, rows([SHARPNESS], Causes))[0] == "Probably sharpness"
    assert KEYS["metric"] == "ar_iou"
