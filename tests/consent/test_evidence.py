"""A signed file that the ledger has of somebody else is no evidence, whatever name it is delivered under."""

import pytest
from consent_cases import ANN, BOB, Shard, form, image, person

from accord.consent.ledger import ledger
from accord.shards import opaque_id

CARL = opaque_id("acme", "carl")
FILE = "d" * 64


@pytest.fixture
def shard(tmp_path):
    return Shard(tmp_path)


def new_name(shard, tmp_path, kind="consent", **changes):
    """A shard of a later delivery, of a new person with bob's signed file, and another of their own."""
    later = Shard(tmp_path)
    later.images, later.people = [image("i9", CARL)], [person("i9", CARL)]
    bobs = next(row for row in shard.forms if row["subject"] == BOB and row["kind"] == kind)["evidence_sha256"]
    changed = {"evidence_sha256": bobs, **changes}
    of_kind = {"consent": {}, "copyright": {}} | {kind: changed}
    later.forms = form("f9", CARL, **of_kind["consent"])
    later.forms += form("r9", CARL, ("copyright",), "copyright", **of_kind["copyright"])
    later.record("later")
    return later


def reasons(shard):
    found = shard.apply().findings
    return {row.check: row.reason for row in found[found["verdict"] == "fail"].itertuples()}


def test_forms_of_ones_own_pass(shard, tmp_path):
    shard.record()
    assert new_name(shard, tmp_path, evidence_sha256=FILE).passing() == ["i9"]


@pytest.mark.parametrize(("kind", "check"), [("consent", "consent.form_missing"), ("copyright", "consent.copyright")])
@pytest.mark.parametrize("withdraws", [True, False])
def test_a_file_of_somebody_else_is_no_evidence(shard, tmp_path, kind, check, withdraws):
    shard.record()
    if withdraws:
        shard.withdraw("bob")
    later = new_name(shard, tmp_path, kind)
    assert later.passing() == []
    assert "the signed file is recorded for somebody else, or for somebody who was erased" in reasons(later)[check]


def test_a_file_that_is_declared_as_joint_counts(shard, tmp_path):
    shard.record()
    assert new_name(shard, tmp_path, joint=True).passing() == ["i9"]


@pytest.mark.parametrize("kind", ["consent", "copyright"])
def test_a_file_of_somebody_who_was_erased_is_no_evidence(shard, tmp_path, kind):
    shard.record()
    shard.withdraw("bob")
    ledger.erase(shard.vault, BOB)
    later = new_name(shard, tmp_path, kind)
    assert later.passing() == []
    assert any("for somebody who was erased" in reason for reason in reasons(later).values())


def test_of_a_joint_form_the_other_person_stays(shard):
    shared = {"evidence_sha256": FILE, "joint": True}
    shard.forms = [*form("f1", ANN, **shared), *form("f2", BOB, **shared), *shard.forms[6:]]
    shard.record()
    assert shard.passing() == ["i1", "i2", "i3"]
    shard.withdraw("bob")
    ledger.erase(shard.vault, BOB)
    shard.forms = [row for row in shard.forms if row["subject"] == ANN]
    shard.images, shard.people = [image("i1", ANN)], [person("i1", ANN)]
    shard.record()
    assert shard.passing() == ["i1"]


def test_whoever_is_let_in_again_may_bring_the_same_forms(shard):
    shard.record()
    shard.withdraw("bob")
    ledger.erase(shard.vault, BOB)
    shard.record()
    assert shard.passing() == ["i1"]
    shard.accord("grant", "--vendor", "acme", "--subject", "bob", "--on", "2026-06-02")
    shard.accord("grant", "--vendor", "acme", "--subject", "bob", "--role", "rightsholder", "--on", "2026-06-02")
    shard.record()
    assert "i3" in shard.passing()


def test_the_same_person_under_a_former_spelling_keeps_their_forms(shard):
    shard.record()
    new = opaque_id("acme", "bob of now")
    for row in (*shard.images, *shard.people, *shard.forms):
        row["subject"] = new if row["subject"] == BOB else row["subject"]
    shard.refused = [{"item": "reference", "image": "", "subject": new, "reference": BOB, "check": "spelling",
                      "reason": "read in another spelling", "fatal": False}]  # fmt: skip
    shard.record()
    assert shard.passing() == ["i1", "i2", "i3"]


def test_the_file_is_not_named_by_the_list_of_those_who_were_erased(shard):
    shard.record()
    bobs = next(row for row in shard.forms if row["subject"] == BOB)["evidence_sha256"]
    ledger.erase(shard.vault, BOB)
    assert bobs.encode() not in (shard.vault / ledger.NAME).read_bytes()
