"""Probes: labels from cosines, outcomes by hand, rates by hand counts, effects against scipy and statsmodels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from analyse_cases import asked_of, verdicts_of
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse import probes
from accord.analyse.comparing.probe_effects import effects
from accord.analyse.scoring import probe_labels, probe_outcomes
from accord.analyse.scoring.metrics import METRICS, direction, is_neutral
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate.asking.probes import Label, Probe, read
from accord.evaluate.tables.parts import VARIANTS, VariantEmbeddings
from accord.evaluate.tables.predictions import Texts
from accord.grouping import groups_of
from accord.release.tables import Attributes, People
from accord.statistics.testing import mcnemar
from accord.vocabularies import HAIRSTYLES, PRONOUNS, SCENES

SHE, HE, THEY, ZE, NONE, UNSAID = PRONOUNS
SHIPPED = Path(__file__).parents[2] / "config"
FILE = SHIPPED / "probes.yaml"
PRONOUN, SCENE, TYPE = read(FILE)
PROMPTS = [(p.name, one.name, str(n), text) for p in (PRONOUN, SCENE, TYPE) for one in p.labels
           for n, text in enumerate(one.prompts, 1)]  # fmt: skip
AXES = dict(zip([key[:3] for key in PROMPTS], np.eye(len(PROMPTS)), strict=True))
INDOOR, OUTDOOR = SCENES[12], SCENES[2]


def prompts(model: str = "m") -> pd.DataFrame:
    """Each prompt is an axis of its own."""
    return table.rows(((model, *key, AXES[key[:3]]) for key in PROMPTS), Texts)


def vector(pronoun: str = "he", scene: str = "indoor", kind: str = "urban") -> np.ndarray:
    """A picture that fits one prompt of a label of each probe."""
    made = AXES["pronoun", pronoun, "2"] + AXES["scene", scene, "1"] + AXES["scene_type", kind, "4"]
    return made / np.linalg.norm(made)


# Labels


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 4), st.sampled_from(["max", "mean"]))
def test_the_label_is_the_one_whose_prompts_fit_best(seed, count, prompts, pool):
    rng = np.random.default_rng(seed)
    pictures, vectors = rng.normal(size=(5, 6)), rng.normal(size=(count, prompts, 6))
    names = [f"l{n}" for n in range(count)]
    found = probe_labels.labels(pictures, vectors, names, pool)
    for row, picture in zip(found.itertuples(), pictures, strict=True):
        cosines = {name: [float(picture @ one) for one in some] for name, some in zip(names, vectors, strict=True)}
        pooled = sorted(((max if pool == "max" else np.mean)(some), name) for name, some in cosines.items())
        assert row.label == pooled[-1][1]
        assert (row.cosine, row.runner_up) == (pytest.approx(pooled[-1][0]), pytest.approx(pooled[-2][0]))
        assert int(row.prompt) == 1 + int(np.argmax(cosines[row.label]))


def test_of_labels_that_fit_alike_the_first_listed_is_taken_and_told():
    same = np.array([[[1.0, 0]], [[1.0, 0]], [[0.0, 1]]])
    found = probe_labels.labels(np.array([[1.0, 0], [0.6, 0.8]]), same, ["a", "b", "c"])
    assert found["label"].tolist() == ["a", "c"]
    assert found["note"].tolist() == [probe_labels.TIE, ""]
    assert (found["cosine"] == found["runner_up"]).tolist() == [True, False]


def test_max_and_mean_may_disagree():
    prompts = np.array([[[1.0, 0], [0, 1.0]], [[0.8, 0.6], [0.8, 0.6]]])
    picture = np.array([[1.0, 0]])
    assert probe_labels.labels(picture, prompts, ["a", "b"], "max")["label"].item() == "a"
    assert probe_labels.labels(picture, prompts, ["a", "b"], "mean")["label"].item() == "b"


def test_texts_of_other_probes_or_of_another_model_are_refused():
    changed = prompts().assign(text=lambda some: some["text"].replace("a photo of a man", "a photo of a guy"))
    with pytest.raises(AccordError, match=r"pronoun\.he: a prompt has no vector"):
        probe_labels.prompt_vectors(changed, PRONOUN)
    with pytest.raises(AccordError, match=f"have 3 numbers, vectors of prompts {len(PROMPTS)}"):
        probe_labels.labels(np.ones((1, 3)), probe_labels.prompt_vectors(prompts(), PRONOUN), ["a"] * 4)


# Outcomes


def judged(probe: Probe, *cases: tuple) -> dict[str, list]:
    """Outcome -> value (or note where it is undefined) of each case: label, values of the truth, others."""
    keys = [(f"i{n}", f"s{n}") for n in range(len(cases))]
    labelled = pd.DataFrame(keys, columns=["image", "subject"])
    labelled = labelled.assign(label=[case[0] for case in cases], others=[(*case, 0)[2] for case in cases])
    truth = {key: frozenset(case[1]) for key, case in zip(keys, cases, strict=True) if case[1]}
    return {
        name: [note or int(value) for value, note in zip(values, notes, strict=True)]
        for name, values, notes in probe_outcomes.outcomes(probe, labelled, truth)
    }


def test_misgendering_is_of_those_called_she_or_he_and_all_is_of_all():
    found = judged(
        PRONOUN,
        *(("she", {SHE}), ("he", {SHE}), ("unspecified", {SHE}), ("they", {HE}), ("they", {THEY}), ("she", {THEY})),
        *(("she", {SHE, THEY}), ("they", {SHE, THEY}), ("he", {ZE}), ("he", {UNSAID}), ("he", ()), ("", {HE})),
        ("he", {HE}, 1),
    )
    neither, unknown = probe_outcomes.NEITHER, probe_outcomes.UNKNOWN
    crowd, absent = "2 people in the picture", probe_outcomes.ABSENT
    assert found["misgendered"] == [0, 1, neither, neither, neither, 1, 0, neither, 1, unknown, unknown, absent, crowd]
    assert found["misgendered_all"] == [
        *(0, 1, 1, 1, 0, 1, 0, 0), probe_outcomes.NO_LABEL, unknown, unknown, absent, crowd
    ]  # fmt: skip
    assert found["said_unspecified"] == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, absent, crowd]


def test_a_scene_is_right_for_everyone_in_the_picture():
    found = judged(SCENE, ("indoor", {INDOOR}), ("indoor", {OUTDOOR}), ("outdoor", {OUTDOOR}, 2), ("indoor", ()))
    assert found["scene_right"] == [1, 0, 1, probe_outcomes.UNKNOWN]
    assert set(found) == {"said_indoor", "said_outdoor", "scene_right"}


def test_without_a_truth_a_share_is_told_and_nothing_judged():
    assert judged(TYPE, ("rural", ()), ("urban", (), 1)) == {"said_rural": [1, 0], "said_urban": [0, 1]}


def test_which_outcomes_become_scores():
    assert probe_outcomes.telling(PRONOUN) == ["misgendered", "misgendered_all", "said_unspecified"]
    assert probe_outcomes.telling(SCENE) == ["scene_right"]
    assert probe_outcomes.telling(TYPE) == ["said_rural"]
    told = {name for probe in (PRONOUN, SCENE, TYPE) for name in probe_outcomes.telling(probe)}
    assert told <= METRICS.keys()
    assert {name for name in told if is_neutral(name)} == {"said_unspecified", "said_rural"}
    assert is_neutral("said_whatever") and not is_neutral("whatever_right")
    assert {name for name in told if direction(name) < 0} == {"misgendered", "misgendered_all"}


def test_lengths_of_hair_are_told_by_hairstyles():
    keys = [f"i{n:02d}" for n in range(len(HAIRSTYLES))]
    people = pd.DataFrame({"image": keys, "subject": "s", "age": 30})
    said = {"image": keys, "subject": "s", "attribute": "hairstyle", "value": list(HAIRSTYLES), "annotator": ""}
    found = groups_of(people, pd.DataFrame(said), "hair_length").set_index("image")["group"]
    expected = ["none"] * 2 + ["short"] * 5 + ["medium"] * 5 + ["long"] * 5
    assert [found.get(key) for key in keys] == [*expected, None, None]


# The whole step


class World:
    """People in pictures, with what a model makes of them."""

    def __init__(self, folder: Path):
        self.folder, self.people, self.attributes, self.vectors = folder, [], [], []

    def person(self, image: str, subject: str, **said: str) -> None:
        same = {f"{part}_{side}": None for part in ("face", "person") for side in ("x", "y", "width", "height")}
        who = {"image": image, "subject": subject, "is_primary": True, "age": 30, "face_annotator": ""}
        self.people.append({**who, **same})
        for name, value in said.items():
            self.said(image, "" if name == "scene" else subject, name, value)

    def said(self, image: str, subject: str, attribute: str, value: str) -> None:
        row = {"image": image, "subject": subject, "attribute": attribute, "value": value, "annotator": ""}
        if row not in self.attributes:
            self.attributes.append(row)

    def picture(self, image: str, part: str = "image", seen: float | None = 1.0, model: str = "m", **labels) -> None:
        self.vectors.append((model, image, "", part, seen, vector(**labels)))

    def run(self, texts=None, **settings) -> probes.Probing:
        images = sorted({row["image"] for row in self.people} | {row[1] for row in self.vectors})
        path, cut = self.folder / "m.parquet", len(self.vectors) // 2
        for number, some in enumerate((self.vectors[:cut], self.vectors[cut:])):
            table.write(table.rows(some, VariantEmbeddings), VariantEmbeddings, path.with_name(f"{number}.parquet"))
        told = {"min_subjects": 2, "file": FILE, "references": [SHIPPED / "references/fhibe.csv"]}
        return probes.run(
            sorted(self.folder.glob("*.parquet")),
            prompts() if texts is None else texts,
            asked_of("m", "image_text", [(image, "") for image in images]),
            table.rows(self.people, People),
            table.rows(self.attributes, Attributes),
            verdicts_of(images, failed=["held"]),
            **{**told, **settings},
        )


@pytest.fixture
def world(tmp_path) -> World:
    return settled(World(tmp_path))


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> probes.Probing:
    """What is found in that world as it is."""
    return settled(World(tmp_path_factory.mktemp("world"))).run()


def settled(made: World) -> World:
    """Four who are she (one with short hair, called he; one called a person), two who are he, a couple, and nobody."""
    short, long = HAIRSTYLES[2], HAIRSTYLES[12]
    for image, hair, label in (("a", long, "she"), ("b", long, "she"), ("c", short, "he"), ("d", long, "unspecified")):
        made.person(image, f"s{image}", pronoun=SHE, hairstyle=hair, ancestry="11. Asia", scene=INDOOR)
        made.picture(image, pronoun=label, scene="indoor", kind="rural")
    for image, label in (("e", "he"), ("f", "unspecified")):
        made.person(image, f"s{image}", pronoun=HE, hairstyle=short, ancestry="0. Africa", scene=OUTDOOR)
        made.picture(image, pronoun=label, scene="indoor", seen=0.5)
    for who in "xy":
        made.person("two", who, pronoun=HE, ancestry="0. Africa", scene=OUTDOOR)
    made.picture("two", pronoun="she", scene="outdoor", seen=None)
    made.picture("none", pronoun="she")
    made.person("held", "sh", pronoun=SHE)
    made.picture("held", pronoun="he")
    return made


def test_every_picture_of_the_release_has_its_labels(found):
    probed = found.probed.set_index(["probe", "image"])
    assert set(probed.index) == {
        (p.name, image) for p in (PRONOUN, SCENE, TYPE) for image in (*"abcdef", "two", "none")
    }
    assert probed.loc[("pronoun", "c"), ["subject", "label", "prompt", "note"]].tolist() == ["sc", "he", "2", ""]
    assert probed.loc[("pronoun", "two"), ["subject", "note"]].tolist() == ["", "2 people in the picture"]
    assert probed.loc[("pronoun", "none"), ["subject", "note"]].tolist() == ["", "nobody in the picture"]
    assert probed.loc[("scene", "two"), ["subject", "label", "prompt"]].tolist() == ["", "outdoor", "1"]
    np.testing.assert_allclose(probed["cosine"], np.sqrt(1 / 3), rtol=1e-6)
    np.testing.assert_allclose(probed["runner_up"], 0, atol=1e-6)


def told(rates: pd.DataFrame, outcome: str, attribute: str, part: str = "image") -> dict:
    """Group -> rate (None where there is none) and subjects."""
    some = rates[(rates["outcome"] == outcome) & (rates["attribute"] == attribute) & (rates["part"] == part)]
    return {row.group: (None if pd.isna(row.rate) else row.rate, row.subjects) for row in some.itertuples()}


def test_rates_are_hand_counts(found):
    rates = found.rates
    assert told(rates, "said_unspecified", "pronoun") == {SHE: (0.25, 4), HE: (0.5, 2)}
    assert told(rates, "misgendered", "pronoun") == {SHE: (pytest.approx(1 / 3), 3), HE: (None, 1)}
    assert told(rates, "misgendered_all", "all") == {"all": (0.5, 6)}
    assert told(rates, "misgendered_all", "pronoun x hair_length") == {
        f"{SHE} x long": (pytest.approx(1 / 3), 3), f"{SHE} x short": (None, 1), f"{HE} x short": (0.5, 2),
    }  # fmt: skip
    assert told(rates, "scene_right", "truth") == {"indoor": (1, 4), "outdoor": (0.5, 4)}
    assert told(rates, "said_rural", "ancestry") == {"11. Asia": (1, 4), "0. Africa": (0, 4)}
    assert told(rates, "people_seen", "ancestry") == {"11. Asia": (1, 4), "0. Africa": (0.5, 2)}
    known = rates.dropna(subset="rate")
    assert ((known["low"] <= known["rate"]) & (known["rate"] <= known["high"])).all() and len(known) > 20
    assert (rates.loc[rates["rate"].isna(), "note"] != "").all()


def test_pictures_without_a_variant_are_told_in_its_rates(world):
    for image in "abcd":
        world.picture(image, "people_blurred", pronoun="she")
    rates = world.run().rates
    assert told(rates, "misgendered_all", "pronoun", "people_blurred") == {SHE: (0, 4), HE: (None, 0)}
    [row] = rates.query("part == 'people_blurred' and outcome == 'said_she' and attribute == 'all'").itertuples()
    assert row.average.endswith(", 4 undefined: no vector of the picture")


def test_published_figures_stand_beside_ours(found):
    rates = found.rates.dropna(subset="published")
    assert rates[["outcome", "attribute", "group", "part", "published"]].values.tolist() == [
        ["said_unspecified", "pronoun", SHE, "image", 0.38],
        ["said_unspecified", "pronoun", HE, "image", 0.69],
    ]


def test_scores_are_those_of_people_in_pictures_as_they_are(world):
    world.picture("a", "people_masked", pronoun="he")
    scores = world.run().scores
    assert set(scores["metric"]) == {"misgendered", "misgendered_all", "said_unspecified", "scene_right", "said_rural"}
    assert set(scores["task"]) == {"image_text"}
    people = {(image, f"s{image}") for image in "abcdef"} | {("two", "x"), ("two", "y")}
    for _, some in scores.groupby("metric"):
        assert set(zip(some["image"], some["subject"], strict=True)) == people
    values = scores.set_index(["metric", "image", "subject"])
    assert values.loc[("misgendered", "a", "sa"), "value"] == 0
    assert values.loc[("misgendered", "two", "x"), "note"] == "2 people in the picture"
    assert values.loc[("scene_right", "two", "x"), "value"] == 1


def test_the_mean_over_prompts_may_be_taken(world, tmp_path):
    mixed = AXES["pronoun", "he", "1"] + 0.7 * sum(AXES["pronoun", "she", str(n)] for n in (1, 2, 3, 4))
    world.vectors[0] = ("m", "a", "", "image", 1.0, mixed / np.linalg.norm(mixed))
    found = [world.run(pool=pool).probed.set_index(["probe", "image"]) for pool in ("max", "mean")]
    assert [some.loc[("pronoun", "a"), "label"] for some in found] == ["he", "she"]


def test_another_truth_has_a_probe_of_its_own(world, tmp_path):
    beard, none = "1. Beard", "0. None"
    labels = {
        "bearded": {"counts_as": [beard], "prompts": list(PRONOUN.labels[1].prompts)},
        "shaved": {"counts_as": [none], "prompts": list(PRONOUN.labels[0].prompts)},
    }
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump({"beards": {"truth": "facial_hairstyle", "labels": labels}}))
    for image, value in (("a", none), ("c", none), ("e", beard)):
        world.said(image, f"s{image}", "facial_hairstyle", value)
    named = prompts().replace({"label": {"he": "bearded", "she": "shaved"}, "probe": {"pronoun": "beards"}})
    found = world.run(file=path, texts=named).scores
    assert set(found["metric"]) == {"beards_right"}
    assert found.set_index("image")["value"].dropna().to_dict() == {"a": 1, "c": 0, "e": 1}


# Effects


def outcome_rows(before, after, subjects, part="people_masked") -> pd.DataFrame:
    """Outcomes of a picture each, as they are and in a variant."""
    rows = [
        {"model": "m", "part": name, "probe": "scene", "outcome": "scene_right", "image": f"i{n:03d}",
         "subject": f"s{who}", "value": float(value)}
        for name, values in (("image", before), (part, after))
        for n, (value, who) in enumerate(zip(values, subjects, strict=True))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def sides_of(some: pd.DataFrame, groups) -> pd.DataFrame:
    images = some[["image", "subject"]].drop_duplicates()
    return images.assign(group=list(groups))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_statsmodels_exact_test(gained, lost):
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    expected = theirs([[7, lost], [gained, 5]], exact=True).pvalue
    assert mcnemar.exact(gained, lost) == pytest.approx(expected, rel=1e-9)


def test_effects_are_paired_differences_by_side_and_region(rng):
    subjects = np.repeat(np.arange(60), 3)
    before = rng.random(180) < 0.8
    after = np.where(rng.random(180) < 0.3, rng.random(180) < 0.5, before)
    after[::3] &= rng.random(60) < 0.6
    some = outcome_rows(before, after, subjects)
    side = np.where(np.arange(180) % 2, "indoor", "outdoor")
    region = np.where(subjects < 30, "0. Africa", "11. Asia")
    found = effects(some, sides_of(some, side), sides_of(some, region), min_subjects=10)
    assert set(zip(found["side"], found["region"], strict=True)) == {
        (one, other) for one in ("all", "indoor", "outdoor") for other in ("all", "0. Africa", "11. Asia")
    }
    for row in found.itertuples():
        here = np.isin(side, [row.side, *(["indoor", "outdoor"] * (row.side == "all"))])
        here &= np.isin(region, [row.region, *(["0. Africa", "11. Asia"] * (row.region == "all"))])
        assert row.before == pytest.approx(before[here].mean()) and row.after == pytest.approx(after[here].mean())
        assert row.difference == pytest.approx(after[here].mean() - before[here].mean())
        assert (row.gained, row.lost) == ((after & ~before)[here].sum(), (before & ~after)[here].sum())
        assert row.low < row.difference < row.high
    whole = found[(found["side"] == "all") & (found["region"] == "all")].iloc[0]
    means = np.bincount(subjects, after.astype(float) - before) / 3
    drawn = rng.choice(means, (4000, 60)).mean(axis=1)
    np.testing.assert_allclose([whole["low"], whole["high"]], np.quantile(drawn, [0.025, 0.975]), atol=0.03)


def test_nothing_that_changes_is_no_effect_and_few_subjects_have_no_figure():
    some = outcome_rows([1, 0] * 6, [1, 0] * 6, range(12))
    found = effects(some, sides_of(some, ["indoor"] * 12), sides_of(some, ["11. Asia"] * 3 + ["0. Africa"] * 9))
    told = found.set_index(["side", "region"])
    assert told.loc[("all", "all"), ["difference", "gained", "lost", "p_value"]].tolist() == [0, 0, 0, 1]
    assert told.loc[("indoor", "11. Asia"), "note"] == "3 subjects, fewer than 10"
    assert told.loc[("indoor", "11. Asia"), ["difference", "gained", "lost", "p_value"]].isna().all()


def test_a_picture_of_two_people_changes_once(world):
    world.picture("two", "people_masked", scene="indoor")
    found = world.run(min_subjects=2).effects
    row = found[(found["outcome"] == "scene_right") & (found["side"] == "all") & (found["region"] == "all")].iloc[0]
    assert (row["part"], row["images"], row["subjects"], row["gained"], row["lost"]) == ("people_masked", 1, 2, 0, 1)
    assert row["difference"] == -1


def test_misgendering_among_those_called_she_or_he_has_no_paired_effect(world):
    for image in "abcdef":
        world.picture(image, "people_blurred", pronoun="unspecified")
    found = world.run().effects
    assert set(found["outcome"]) >= {"misgendered_all", "said_unspecified", "scene_right", "said_rural"}
    assert "misgendered" not in set(found["outcome"])
    assert set(found["part"]) == {"people_blurred"} < set(VARIANTS)


def test_a_release_without_anybody_asked_has_empty_tables(tmp_path):
    world = World(tmp_path)
    world.picture("none", pronoun="she")
    found = world.run()
    assert len(found.probed) == 3 and not len(found.scores) and not len(found.effects)


def test_labels_don_t_depend_on_the_files_that_vectors_come_in(world, tmp_path):
    first = world.run()
    world.vectors.reverse()
    second = world.run()
    for one, other in zip(first, second, strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_labels_of_a_probe_are_named_tuples_of_the_file():
    assert Label("rural", (), TYPE.labels[0].prompts) == TYPE.labels[0]
