"""Vaults of versions that made ids of any spelling: nobody who withdrew under one comes back under the other."""

from consent_cases import ANN, BOB, Shard

from accord.consent.ledger import ledger, proof
from accord.consent.ledger.records import COMMAND, WITHDRAWN, ConsentEvent, IprForm, Party
from accord.consent.requests import unmatched
from accord.consent.requests.imports import wishes
from accord.shards import opaque_id

FORMER = opaque_id("acme", "bo\uff42")


def spelling(**ids):
    return [{"item": "reference", "image": "", "subject": "", "reference": FORMER, "check": "spelling", "reason": "r",
             "fatal": False, **ids}]  # fmt: skip


def withdrawn(shard, subject=FORMER, image=""):
    """A withdrawal as an earlier version recorded it, and the person whom it knew."""
    event = ConsentEvent("subject", subject, image, "*", WITHDRAWN, "2026-06-01", "", COMMAND, "", "", "")
    with ledger.writing(shard.vault) as opened:
        ledger.append(opened, [Party(subject, "subject_primary"), event])


def test_a_withdrawal_under_another_spelling_goes_on(shard):
    withdrawn(shard)
    assert shard.passing() == ["i1", "i2", "i3"]
    shard.refused = spelling(subject=BOB)
    shard.record()
    assert shard.passing() == ["i1"]
    assert unmatched.of_vault(shard.vault) == []
    before = (shard.vault / ledger.NAME).read_bytes()
    shard.record()
    assert (shard.vault / ledger.NAME).read_bytes() == before
    assert shard.accord("verify") == 0


def test_a_withdrawal_of_an_image_under_another_spelling_goes_on(shard):
    withdrawn(shard, ANN, FORMER)
    shard.refused = spelling(image="i1")
    shard.record()
    assert shard.passing() == ["i2", "i3"]


def test_whoever_was_erased_under_another_spelling_stays_out(tmp_path):
    shard = Shard(tmp_path)
    withdrawn(shard)
    with ledger.writing(shard.vault) as opened:
        ledger.append(opened, [IprForm(FORMER, "", "2026-01-02", "", "r", "e")])
    ledger.erase(shard.vault, FORMER)
    shard.refused = spelling(subject=BOB)
    shard.record()
    assert shard.passing() == ["i1"]
    assert BOB.encode() not in (shard.vault / ledger.NAME).read_bytes()


def test_whoever_was_erased_since_does_not_come_back_from_the_other_spelling(shard):
    withdrawn(shard)
    shard.refused = spelling(subject=BOB)
    shard.record()
    ledger.erase(shard.vault, BOB)
    shard.record()
    assert BOB.encode() not in (shard.vault / ledger.NAME).read_bytes()


def test_a_code_under_another_spelling_goes_on(shard):
    old = wishes.Wish("code", "acme", "bo\uff42", proof="Sommerwind 2026")
    with ledger.writing(shard.vault) as opened:
        ledger.append(opened, [proof.of_code(old.person, old.proof)])
    shard.refused = spelling(subject=BOB)
    shard.record()
    assert shard.withdraw("bob", "--proof", "Sommerwind 2026") == 0
