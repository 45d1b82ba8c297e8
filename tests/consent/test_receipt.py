"""Receipts prove that an event is in the ledger, and nothing about anybody else."""

import hashlib
import json

import pytest
from consent_cases import ANN, BOB
from hypothesis import given
from hypothesis import strategies as st

from accord.consent import command
from accord.consent.ledger import ledger, merkle, receipt
from accord.errors import AccordError
from accord.sealing import signing

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [  # of the first 1, 2, ... leaves: the reference values of Certificate Transparency's implementations
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("count", range(1, 9))
def test_roots_are_those_of_certificate_transparency(count):
    assert merkle.root(LEAVES[:count]) == ROOTS[count - 1]


def test_no_entries_have_the_hash_of_nothing():
    assert merkle.root([]) == hashlib.sha256(b"").hexdigest()


@given(st.integers(1, 70), st.data())
def test_a_proof_leads_to_the_root_of_its_own_leaf_alone(count, data):
    leaves = [f"{number:064x}" for number in range(count)]
    index, other = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    path = merkle.path(leaves, index)
    assert len(path) <= (count - 1).bit_length()
    assert merkle.root_of_path(leaves[index], index, count, path) == merkle.root(leaves)
    assert other == index or merkle.root_of_path(leaves[other], index, count, path) != merkle.root(leaves)


@pytest.mark.parametrize(("index", "siblings"), [(3, []), (-1, []), (0, []), (0, ["00"] * 3)])
def test_a_proof_of_another_length_is_none(index, siblings):
    with pytest.raises(ValueError):
        merkle.root_of_path("00", index, 3, siblings)


@pytest.fixture
def kept(shard, tmp_path, capsys):
    """The file of the receipt for ann's withdrawal, entry 18; others come after it."""
    shard.withdraw("ann", "--scope", "biometric")
    shard.withdraw("bob")
    capsys.readouterr()
    assert shard.accord("receipt", "--event", "18", "--out", str(tmp_path / "r.json")) == 0
    shard.told = capsys.readouterr().out
    return tmp_path / "r.json"


def test_it_says_what_and_when_and_nothing_of_others(shard, kept):
    document = json.loads(kept.read_text())
    assert document["record"]["scope"] == "biometric"
    assert document["recorded_at"] in shard.told
    assert f"subject          {ANN}" in shard.told
    assert (document["entry"], document["head"]["entries"]) == (18, 19)
    for other in (BOB, "i3", "f2", "r2"):
        assert f'"{other}"' not in kept.read_text()
        assert other not in shard.told.split("The ledger had")[0]


def test_it_verifies_now_and_after_more_and_after_an_erasure(shard, kept, capsys):
    for change in (lambda: None, lambda: shard.withdraw("zoe"), lambda: ledger.erase(shard.vault, ANN)):
        change()
        capsys.readouterr()
        assert shard.accord("verify", "--receipt", str(kept)) == 0
        assert "the receipt holds: entry 18 was recorded at" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda d: d["record"].update(scope="*"), "its record is not what was committed to"),
        (lambda d: d.update(recorded_at="2020-01-01T00:00:00+00:00"), "its record is not what was committed to"),
        (lambda d: d.update(salt="0" * 64), "its record is not what was committed to"),
        (lambda d: d.update(before="0" * 64), "its place in the chain is wrong"),
        (lambda d: d.update(entry=17), "the ledger does not hold the entry"),
        (lambda d: d.update(entry=99), "the ledger does not hold the entry"),
        (lambda d: d.update(path=d["path"][1:]), "its proof does not lead to the root"),
        (lambda d: d["head"].update(entries=18), "the ledger never had that head"),
        (lambda d: d["head"].update(entries=99), "the ledger never had that head"),
        (lambda d: d["head"].update(root="0" * 64), "the ledger never had that root"),
    ],
)
def test_a_changed_receipt_is_told(shard, kept, change, what):
    document = json.loads(kept.read_text())
    change(document)
    kept.write_text(json.dumps(document))
    with pytest.raises(AccordError, match=what):
        shard.accord("verify", "--receipt", str(kept))


def test_who_has_the_public_key_alone_can_check_it(shard, kept, tmp_path, capsys):
    public = tmp_path / "release.pub"
    public.write_bytes(signing.public_text(signing.signing_key(shard.vault).public_key()))
    verify = ["verify", "--vault", str(tmp_path / "nowhere"), "--receipt", str(kept), "--key", str(public)]
    capsys.readouterr()
    assert command.main(verify) == 0
    assert "the receipt holds: entry 18 was recorded at" in capsys.readouterr().out
    document = json.loads(kept.read_text())
    for wrong in (document | {"salt": "0" * 64}, document | {"signature": {"keyid": 3, "sig": None}}):
        kept.write_text(json.dumps(wrong))
        with pytest.raises(AccordError, match="was not signed with this key, or was changed since"):
            command.main(verify)


def test_a_key_that_is_none(kept, tmp_path):
    (tmp_path / "key").write_text("no key")
    with pytest.raises(AccordError, match="--key: is not a valid public key"):
        command.main(["verify", "--receipt", str(kept), "--key", str(tmp_path / "key")])
    with pytest.raises(AccordError, match="--key: only applies to a receipt"):
        command.main(["verify", "--key", str(tmp_path / "key")])


def test_the_receipt_of_another_ledger_does_not_hold(shard, kept, tmp_path):
    from consent_cases import Shard

    (tmp_path / "other").mkdir()
    other = Shard(tmp_path / "other")
    other.record()
    with pytest.raises(AccordError, match="the ledger does not hold the entry"):
        other.accord("verify", "--receipt", str(kept))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"head": 3}', '{"format": "accord-receipt/2"}', "1" * 1_000_001, "[" * 100_000]
)
def test_what_is_no_receipt(shard, kept, text):
    kept.write_text(text)
    with pytest.raises(AccordError, match="is not a valid receipt"):
        shard.accord("verify", "--receipt", str(kept))


@pytest.mark.parametrize(
    "change", [{"entry": "18"}, {"table": "party"}, {"record": {"x": 1}}, {"path": ["zz"]}, {"salt": 3}]
)
def test_a_receipt_of_a_wrong_form(shard, kept, change):
    kept.write_text(json.dumps(json.loads(kept.read_text()) | change))
    with pytest.raises(AccordError):
        shard.accord("verify", "--receipt", str(kept))


@pytest.mark.parametrize("number", [0, 1, 99, -1])
def test_only_events_have_receipts(shard, tmp_path, number):
    with pytest.raises(AccordError, match=f"--event {number}: is not an event, or was erased"):
        shard.accord("receipt", "--event", str(number), "--out", str(tmp_path / "r.json"))


def test_an_erased_event_has_none_but_its_erasure_has(shard, kept, tmp_path):
    ledger.erase(shard.vault, ANN)
    with pytest.raises(AccordError, match="is not an event, or was erased"):
        shard.accord("receipt", "--event", "18", "--out", str(tmp_path / "s.json"))
    shard.accord("receipt", "--event", "20", "--out", str(tmp_path / "s.json"))
    assert receipt.load((tmp_path / "s.json").read_bytes(), "s")["table"] == "erasure"
