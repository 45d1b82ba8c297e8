"""All protocols of verification, and errors by hairstyles and pronoun, against double loops over all pairs."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, verdicts_of

from accord.analyse import verification
from accord.analyse.faces.rates import threshold_at, wilson
from accord.analyse.tables.verification import PROTOCOLS
from accord.vocabularies import HAIRSTYLES, PRONOUNS, SKIN_COLORS

TASK, KEY = "face_verification", ["image", "subject"]
SUBJECTS, IMAGES, FAR, LEAST = 40, 3, 0.01, 5


class World:
    """Tables of 40 subjects of two pronouns, six skin colours and three hairstyles, which change between images."""

    def __init__(self, seed=3):
        rng = np.random.default_rng(seed)
        self.owner = np.repeat(np.arange(SUBJECTS), IMAGES)
        noisy = np.where(self.owner % 2, 0.9, 0.4)[:, np.newaxis]
        vectors = rng.normal(size=(SUBJECTS, 12))[self.owner] + noisy * rng.normal(size=(len(self.owner), 12))
        self.vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        self.pronoun = self.owner % 2
        self.skin = rng.integers(0, 6, SUBJECTS)[self.owner]
        self.style = rng.integers(0, 3, len(self.owner))
        keys = [(f"i{n:03d}", f"s{s:03d}") for n, s in enumerate(self.owner)]
        self.frame = pd.DataFrame(keys, columns=KEY)
        said = (("pronoun", PRONOUNS, self.pronoun), ("natural_skin_color", SKIN_COLORS, self.skin),
                ("hairstyle", HAIRSTYLES, self.style))  # fmt: skip
        self.attributes = pd.concat(
            [self.frame.assign(attribute=name, value=[labels[v] for v in values]) for name, labels, values in said]
        )
        members = self.attributes[self.attributes["attribute"] != "hairstyle"].rename(columns={"value": "group"})
        crossed = members[members["attribute"] == "pronoun"].assign(attribute="pronoun x style")
        self.members = pd.concat([members, crossed])

    def run(self, order=None):
        embedded = self.frame.assign(model="m", vector=list(self.vectors))
        asked = asked_of("m", TASK, list(self.frame.itertuples(index=False, name=None)))
        tables = [embedded, asked, self.members, self.attributes]
        if order is not None:
            tables = [table.sample(frac=1, random_state=order) for table in tables]
        return verification.run(*tables, verdicts_of(self.frame["image"]), far=FAR, min_subjects=LEAST)

    def scores(self, wanted):
        """Genuine scores of the faces that are wanted in pairs, impostor scores of pairs: by a double loop."""
        every = self.vectors.astype(float) @ self.vectors.astype(float).T
        return np.array([every[a, b] for a, b in combinations(range(len(self.owner)), 2) if wanted(a, b)])


@pytest.fixture(scope="module")
def world():
    made = World()
    made.found = made.run()
    return made


def row_of(table, **key):
    found = table[(table[list(key)] == pd.Series(key)).all(axis=1)]
    assert len(found) == 1
    return found.iloc[0]


def near(world):
    owner, pronoun, skin = world.owner, world.pronoun, world.skin
    return lambda a, b: owner[a] != owner[b] and pronoun[a] == pronoun[b] and abs(skin[a] - skin[b]) < 2


def test_each_protocol_equals_a_double_loop(world):
    curves, owner, pronoun = world.found.curves, world.owner, world.pronoun
    whole = threshold_at(world.scores(near(world)), FAR)
    negatives = {
        "within the group": world.scores(lambda a, b: owner[a] != owner[b] and pronoun[a] == pronoun[b] == 1),
        "across groups": world.scores(lambda a, b: pronoun[a] != pronoun[b]),
    }
    genuine = world.scores(lambda a, b: owner[a] == owner[b] and pronoun[a] == 1)
    for protocol in PROTOCOLS[2:] + PROTOCOLS[:1]:
        row = row_of(curves, attribute="pronoun", group=PRONOUNS[1], protocol=protocol, far=FAR)
        scores = negatives.get(protocol, negatives["within the group"])
        threshold = whole if protocol == "at the whole set's threshold" else threshold_at(scores, FAR)
        assert (row["subjects"], row["positives"], row["negatives"]) == (20, 60, len(scores))
        assert row["threshold"] == pytest.approx(threshold, abs=1e-7)
        assert row["tar"] == pytest.approx((genuine >= threshold - 1e-9).mean())
        assert row["reached"] == pytest.approx((scores >= threshold - 1e-9).mean())
        assert (row["wilson_low"], row["wilson_high"]) == pytest.approx(wilson(round(row["tar"] * 60), 60))
        assert np.isnan(row["reached_low"]) == (protocol != "at the whole set's threshold")


def test_the_whole_set_has_the_hard_negatives_and_any(world):
    all_of = world.found.curves[world.found.curves["attribute"] == "all"]
    assert set(all_of["protocol"]) == {"near", "within the group"}
    row = row_of(all_of, protocol="near", far=FAR)
    hard, anyone = world.scores(near(world)), world.scores(lambda a, b: world.owner[a] != world.owner[b])
    assert row["negatives"] == len(hard) and row["threshold"] == pytest.approx(threshold_at(hard, FAR), abs=1e-7)
    assert row_of(all_of, protocol="within the group", far=FAR)["negatives"] == len(anyone)
    rate = row_of(world.found.rates, attribute="all")
    assert rate[["threshold", "tar", "low", "high"]].tolist() == row[["threshold", "tar", "low", "high"]].tolist()


def test_the_planted_bias_shows_where_the_threshold_is_shared(world):
    """Subjects of the second pronoun are less like themselves."""
    shared = world.found.curves[world.found.curves["protocol"] == "at the whole set's threshold"]
    first, second = (row_of(shared, attribute="pronoun", group=PRONOUNS[k], far=FAR) for k in (0, 1))
    assert first["low"] > second["high"]


def test_groups_are_compared_at_as_many_impostor_pairs_as_the_smallest_has(world):
    """Of the skin colours those with 450 negatives or fewer of FAR 0.01 are told by as many as the smallest."""
    rates = world.found.rates[world.found.rates["attribute"] == "natural_skin_color"]
    known = rates[rates["tar"].notna()]
    assert len(known) > 2 and set(known["equal_negatives"]) == {known["negatives"].min()}
    smallest = known["negatives"] == known["negatives"].min()
    assert (known.loc[smallest, "equal_tar"] == known.loc[smallest, "tar"]).all()
    assert (known["equal_low"] < known["equal_tar"]).all() and (known["equal_tar"] < known["equal_high"]).all()
    others = rates[rates["tar"].isna()]
    assert others["equal_tar"].isna().all() and (others["equal_negatives"] == 0).all()


def test_groups_are_compared_at_the_threshold_of_all(world):
    """As the curve at that threshold says; and intersections, which have no curve, too."""
    rates, curves = world.found.rates, world.found.curves
    for attribute in ("pronoun", "pronoun x style"):
        for name in PRONOUNS[:2]:
            rate = row_of(rates, attribute=attribute, group=name)
            row = row_of(curves, attribute="pronoun", group=name, protocol="at the whole set's threshold", far=FAR)
            assert rate[["shared_tar", "shared_low", "shared_high"]].tolist() == row[["tar", "low", "high"]].tolist()
            assert rate["shared_far"] == row["reached"]
    whole = row_of(rates, attribute="all")
    assert whole["shared_tar"] == whole["equal_tar"] == whole["tar"]


def test_intersections_have_a_rate_and_no_curve(world):
    assert "pronoun x style" in set(world.found.rates["attribute"])
    assert "pronoun x style" not in set(world.found.curves["attribute"])


def test_what_a_group_or_the_whole_set_can_t_resolve_says_so(world):
    curves = world.found.curves
    own = row_of(curves, attribute="pronoun", group=PRONOUNS[0], protocol="within the group", far=0.0003)
    assert own["note"] == "1,710 impostor pairs, fewer than the 3,334 that resolve a FAR of 0.0003"
    shared = row_of(curves, attribute="pronoun", group=PRONOUNS[0], protocol="at the whole set's threshold", far=0.0001)
    assert shared["note"] == "the whole dataset can't resolve a FAR of 0.0001" and np.isnan(shared["tar"])


def test_errors_of_hairstyles_are_shares_of_their_cells(world):
    threshold = threshold_at(world.scores(near(world)), FAR)
    impostor, genuine = near(world), lambda a, b: world.owner[a] == world.owner[b] and a != b
    told = {tuple(row[:5]): row for row in world.found.pair_errors.itertuples(index=False)}
    cells = 0
    for pronoun in (0, 1):
        for one, other in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):

            def met(a, b, one=one, other=other, pronoun=pronoun):
                return sorted(world.style[[a, b]]) == [one, other] and world.pronoun[a] == world.pronoun[b] == pronoun

            for error, wanted in (("false rejection", genuine), ("false acceptance", impostor)):
                scores = world.scores(lambda a, b, met=met, wanted=wanted: met(a, b) and wanted(a, b))
                wrong = scores < threshold - 1e-9 if error == "false rejection" else scores >= threshold - 1e-9
                row = told[("m", PRONOUNS[pronoun], HAIRSTYLES[one], HAIRSTYLES[other], error)]
                assert (row.pairs, row.errors, row.far) == (len(scores), wrong.sum(), FAR)
                assert row.threshold == pytest.approx(threshold, abs=1e-7)
                if row.subjects >= LEAST:
                    assert row.share == pytest.approx(wrong.mean()) and row.low <= row.share <= row.high
                    assert row.note == ""
                    cells += 1
                else:
                    assert np.isnan(row.share) and row.note.endswith(f", fewer than {LEAST}")
    assert cells > 12 and len(told) == 24


def test_the_order_of_rows_changes_nothing(world):
    for one, other in zip(world.found, world.run(order=1), strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_without_faces_there_are_empty_tables(world):
    asked = asked_of("m", TASK, [])
    none = world.frame.assign(model="m", vector=list(world.vectors)).iloc[:0]
    found = verification.run(none, asked, world.members, world.attributes, verdicts_of(world.frame["image"]))
    assert [len(table) for table in found] == [0, 0, 0, 0]
