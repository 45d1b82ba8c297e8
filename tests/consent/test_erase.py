"""After an erasure nothing of a person is in the ledger's bytes, the chain verifies, and they stay out."""

import json

import pytest
from consent_cases import ANN, BOB, form, image, person

from accord.consent.ledger import chain, heads, ledger, proof
from accord.consent.ledger.records import Erasure, Proof
from accord.consent.requests import suppression
from accord.errors import AccordError
from accord.report.reading import waiting
from accord.report.telling import words
from accord.shards import opaque_id

CODE = "K7QX-2MPA-9RTW-HJ4E"


@pytest.fixture
def gone(shard):
    """A shard of which bob withdrew and was erased; with the values of his that were in the ledger."""
    shard.forms += form("bobs-form-77", BOB, image="i3", evidence_sha256="c" * 64)
    shard.record()
    shard.accord("code", "--vendor", "acme", "--subject", "bob", "--proof", CODE)
    shard.withdraw("bob")
    with ledger.reading(shard.vault) as opened:
        of_bob = [given for given in ledger.read(opened, Proof) if given.subject == BOB]
        salts = [
            salt
            for kind in ("party", "consent_event", "ipr_form", "depicts", "proof")
            for (salt,) in opened.execute(f"SELECT salt FROM {kind} WHERE subject = ?", (BOB,))
        ]
    assert len(salts) == 13  # party 2, events 3 + 3 + 1, copyright form 1, images 2, code 1
    shard.values = [BOB, "i3", "bobs-form-77", "c" * 64, *salts, of_bob[0].code_salt, of_bob[0].code_digest]
    shard.head = noted(shard)
    shard.erased = ledger.erase(shard.vault, BOB, ["i3"])
    return shard


def noted(shard):
    with ledger.reading(shard.vault) as opened:
        return chain.head(opened)[1]


def bytes_of(vault):
    return b"".join(path.read_bytes() for path in sorted(vault.rglob("*")) if path.is_file())


def test_nothing_of_theirs_is_in_any_byte(gone):
    left = bytes_of(gone.vault)
    assert [value for value in gone.values if value.encode() in left] == []
    assert ANN.encode() in left
    assert gone.erased == 13


def test_all_values_were_there_before(shard):
    shard.withdraw("bob")
    assert BOB.encode() in bytes_of(shard.vault)


def test_the_chain_verifies_and_only_grew(gone, capsys):
    gone.accord("verify", "--head", gone.head)
    assert "each as it was written" in capsys.readouterr().out
    with ledger.reading(gone.vault) as opened:
        assert [len(listed.entries.split()) for listed in ledger.read(opened, Erasure)] == [13]


def test_it_can_be_done_again_and_for_nobody(gone):
    before = noted(gone)
    assert ledger.erase(gone.vault, BOB) == 0
    assert ledger.erase(gone.vault, opaque_id("acme", "nobody")) == 0
    assert noted(gone) == before


def test_an_interrupted_erasure_changes_nothing(shard, monkeypatch):
    before = noted(shard)
    monkeypatch.setattr(heads, "note", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        ledger.erase(shard.vault, BOB)
    monkeypatch.undo()
    assert noted(shard) == before
    with pytest.raises(AccordError, match="append-only"), ledger.writing(shard.vault) as opened:
        opened.execute("DELETE FROM party")


def test_what_was_erased_does_not_come_back_with_the_delivery(gone):
    gone.record()
    assert BOB.encode() not in bytes_of(gone.vault)
    assert gone.passing() == ["i1"]


def test_a_redelivery_of_somebody_erased_is_refused_until_a_command_lets_them_in(gone):
    gone.forms += form("new", BOB, signed_on="2026-08-01")
    gone.images.append(image("i4", BOB))
    gone.people.append(person("i4", BOB))
    gone.forms += form("new-rights", BOB, ("copyright",), "copyright", signed_on="2026-08-01")
    gone.record()
    assert gone.passing() == ["i1"]
    assert BOB.encode() not in bytes_of(gone.vault)
    for role in ("subject", "rightsholder"):
        gone.accord("grant", "--vendor", "acme", "--subject", "bob", "--role", role, "--on", "2026-07-01")
    gone.record()
    assert gone.passing() == ["i1", "i2", "i3", "i4"]


def test_an_annotator_who_was_erased_stays_blank(shard):
    shard.withdraw("a2", "--role", "annotator")
    assert ledger.erase(shard.vault, opaque_id("acme", "a2")) == 1
    told = shard.apply().annotators.set_index("annotator")["nationality"]
    assert told.to_dict() == {opaque_id("acme", "a1"): "Japan", opaque_id("acme", "a2"): ""}


def test_without_its_key_the_suppression_list_is_not_guessed_around(gone):
    (gone.vault / suppression.KEY).unlink()
    with pytest.raises(AccordError, match="the key of the suppression list is missing"):
        gone.apply()


def test_codes_differ_and_are_compared_as_people_write_them():
    codes = {proof.new_code() for _ in range(50)}
    assert len(codes) == 50
    given = proof.of_code(ANN, CODE)
    assert proof.fits(given, CODE.lower().replace("-", " "))
    assert not proof.fits(given, CODE[:-1] + "F")
    assert proof.of_code(ANN, CODE).code_digest != given.code_digest


def test_who_was_erased_and_comes_again_is_counted_and_told(gone, tmp_path):
    (tmp_path / "consent/00").mkdir(parents=True)
    assert waiting.delivered_again(tmp_path) == 0
    (tmp_path / "consent/00/import.json").write_text(json.dumps(gone.record()))
    assert waiting.delivered_again(tmp_path) == 1
    assert words.delivered_again(1).startswith("1 person who was erased came again with a delivery")
