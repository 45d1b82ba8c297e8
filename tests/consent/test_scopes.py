"""Who withdraws what takes out what: each party and scope, from the command to what a release may say."""

import pytest
from consent_cases import ANN, BOB, SCOPES, Shard, annotator, form, image, person

from accord.engine import table
from accord.intake.tables import Attributes
from accord.release.making import permits
from accord.shards import opaque_id

ALL = ("collect", "publish_image", "publish_attr:*", "aggregate_attr:*")
SAID = {"pronoun": "1. He/him/his", "ancestry": "11. Asia", "hairstyle": "2. Short", "height": "181"}


def said(out, shard):
    """(image, subject, attribute) that a release may tell of each person, and may count."""
    rows = [(p["image"], p["subject"], name, value, "") for p in shard.people for name, value in SAID.items()]
    rows = [row for row in rows if row[0] in set(out.images["image"])]
    given = table.rows(rows, Attributes)
    told, counted = permits.published(given, out.permits), permits.aggregated(given, out.permits)
    return tuple(set(t[["image", "subject", "attribute"]].itertuples(index=False, name=None)) for t in (told, counted))


@pytest.fixture
def shard(tmp_path):
    made = Shard(tmp_path)
    made.forms = [row for row in made.forms if row["kind"] == "copyright"]
    made.forms += [*form("f1", ANN, ALL), *form("f2", BOB, ALL)]
    made.record()
    return made


@pytest.mark.parametrize(
    ("scope", "told", "counted"),
    [
        ("publish_attr:pronoun", {"pronoun"}, set()),
        ("publish_attr:ancestry", {"ancestry"}, set()),
        ("publish_attr:*", {"pronoun", "ancestry", "hairstyle"}, set()),
        ("aggregate_attr:height", set(), {"height"}),
        ("aggregate_attr:*", set(), {"height"}),
        ("biometric", set(), set()),
    ],
)
@pytest.mark.parametrize(("name", "subject"), [("ann", ANN), ("bob", BOB)])
def test_a_withdrawal_of_attributes_takes_these_of_that_person_alone(shard, scope, told, counted, name, subject):
    before = said(shard.apply(), shard)
    shard.withdraw(name, "--scope", scope)
    after = shard.apply()
    assert len(after.images) == 3
    gone = [was - now for was, now in zip(before, said(after, shard), strict=True)]
    images = [p["image"] for p in shard.people if p["subject"] == subject]
    assert gone[0] == {(shown, subject, attribute) for shown in images for attribute in told}
    assert gone[1] == {(shown, subject, attribute) for shown in images for attribute in counted}


@pytest.mark.parametrize(
    ("name", "flags", "passing"),
    [
        ("ann", [], ["i3"]),  # the primary subject of i1 and i2
        ("bob", [], ["i1"]),  # the secondary subject of i2
        ("ann", ["--scope", "collect"], ["i3"]),
        ("bob", ["--scope", "publish_image"], ["i1"]),
        ("ann", ["--role", "rightsholder"], ["i3"]),  # whose form covers i1 and i2
        ("bob", ["--role", "rightsholder"], ["i1", "i2"]),
        ("ann", ["--role", "annotator"], ["i1", "i2", "i3"]),  # an annotator of that name: no subject
        ("a1", ["--role", "annotator"], ["i1", "i2", "i3"]),
    ],
)
def test_who_takes_which_images_out(shard, name, flags, passing):
    shard.withdraw(name, *flags)
    assert shard.passing() == passing


def test_a_rightsholder_takes_the_images_of_their_form_alone(shard):
    shard.images += [image("i4", ANN), image("i5", ANN)]
    shard.people += [person("i4", ANN), person("i5", ANN)]
    shard.forms = [row for row in shard.forms if row["form"] != "r1"]
    for name, holder, shown in (
        ("s1", "studio", "i4"),
        ("s2", "other", "i5"),
        ("s3", "studio", "i1"),
        ("s4", "o", "i1"),
    ):
        shard.forms += form(name, opaque_id("acme", holder), ("copyright",), "copyright", image=shown, birth_date="")
    shard.record()
    assert shard.passing() == ["i1", "i3", "i4", "i5"]
    shard.withdraw("studio", "--role", "rightsholder")
    assert shard.passing() == ["i1", "i3", "i5"]  # somebody else's form covers i1 too


@pytest.mark.parametrize("scope", ["train", "external"])
def test_use_beyond_the_dataset_is_granted_by_its_name_alone(shard, scope):
    def agreed():
        told = shard.apply().permits
        return set(told.loc[told["scope"] == scope, "subject"])

    assert agreed() == set()
    shard.forms += form("f3", BOB, (scope,))
    shard.record()
    assert agreed() == {BOB}
    ann = ["--vendor", "acme", "--subject", "ann"]
    shard.accord("grant", *ann, "--on", "2026-10-01")
    assert agreed() == {BOB}  # everything is what the dataset is for
    shard.accord("grant", *ann, "--scope", scope, "--on", "2026-10-01")
    assert agreed() == {ANN, BOB}
    shard.withdraw("ann", "--scope", scope)
    assert agreed() == {BOB} and len(shard.passing()) == 3


def test_a_withdrawal_of_everything_withdraws_use_beyond_the_dataset_too(shard):
    shard.forms += form("f3", BOB, ("train", "external"))
    shard.record()
    bob = ["--vendor", "acme", "--subject", "bob"]
    shard.withdraw("bob")
    shard.accord("grant", *bob, "--on", "2026-11-01")
    told = shard.apply().permits
    assert "collect" in set(told.loc[told["subject"] == BOB, "scope"])
    assert not {"train", "external"} & set(told["scope"])


def test_an_annotator_can_come_back_and_can_set_an_end(shard):
    def blank():
        told = shard.apply().annotators
        return told[told["nationality"] == ""]["annotator"].tolist()

    a1 = annotator("a1")["annotator"]
    who = ["--vendor", "acme", "--subject", "a1", "--role", "annotator"]
    shard.accord("expire", *who, "--on", "2026-11-01")
    assert blank() == []  # the release speaks of that day
    shard.withdraw("a1", "--role", "annotator")
    assert blank() == [a1]
    shard.accord("grant", *who, "--on", "2026-11-02")
    assert blank() == [a1]  # not yet
    shard.accord("grant", *who, "--on", "2026-10-01")
    assert blank() == []


def test_a_grant_by_command_adds_what_no_form_grants(shard):
    shard.forms = [row for row in shard.forms if row["form"] != "f2"]
    assert shard.passing() == ["i1"]
    who = ["--vendor", "acme", "--subject", "bob", "--on", "2026-10-01"]
    for scope in SCOPES[:2]:
        shard.accord("grant", *who, "--scope", scope, "--until", "2026-11-01")
    assert shard.passing() == ["i1", "i2", "i3"]
    assert {attribute for _, subject, attribute in said(shard.apply(), shard)[0] if subject == BOB} == set()
