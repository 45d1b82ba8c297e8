"""Subjects' keys: made once, private, and gone from every byte once destroyed."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.backup.archive import keys
from accord.errors import AccordError


def held(vault):
    return b"".join(path.read_bytes() for path in vault.rglob("*") if path.is_file())


def test_a_key_is_made_once_for_each_person(tmp_path):
    first = keys.make(tmp_path / "vault", ["ann", "bob", "ann"])
    assert len(set(first.keys.values())) == 2
    assert all(len(key) == 32 for key in first.keys.values())
    assert keys.make(tmp_path / "vault", ["bob", "ann"]) == first == keys.read(tmp_path / "vault")
    assert keys.make(tmp_path / "vault", ["eve"]).of("ann") == first.of("ann")


def test_they_are_private_and_name_nobody(tmp_path):
    ring = keys.make(tmp_path / "vault", ["0123456789abcdef"])
    for path in (tmp_path / "vault").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0
    assert b"0123456789abcdef" not in held(tmp_path)
    assert bytes.fromhex("0123456789abcdef") not in held(tmp_path)
    assert bytes.fromhex(ring.of("0123456789abcdef")) in held(tmp_path)


def test_a_destroyed_key_is_in_no_byte_of_the_vault(tmp_path):
    vault = tmp_path / "vault"
    ring = keys.make(vault, ["ann", "bob", "eve"])
    key, name = ring.keys[ring.of("bob")], ring.of("bob")
    assert key in held(vault)
    assert keys.destroy(vault, "bob") is True
    assert keys.destroy(vault, "bob") is False
    parts = [key[at : at + 8] for at in range(len(key) - 7)]
    assert not any(part in held(vault) for part in parts)
    assert bytes.fromhex(name) not in held(vault)
    left = keys.read(vault)
    assert left.of("bob") is None
    assert [left.keys[left.of(who)] for who in ("ann", "eve")] == [ring.keys[ring.of(who)] for who in ("ann", "eve")]


def test_the_place_of_a_key_is_overwritten_not_moved(tmp_path):
    vault = tmp_path / "vault"
    keys.make(vault, ["ann", "bob"])
    slots = vault / "keys/subjects/slots"
    before, size = slots.stat().st_ino, slots.stat().st_size
    keys.destroy(vault, "ann")
    assert (slots.stat().st_ino, slots.stat().st_size) == (before, size)
    keys.make(vault, ["eve"])
    assert slots.stat().st_size == size


def test_whoever_comes_again_has_another_key(tmp_path):
    first = keys.make(tmp_path, ["ann"])
    keys.destroy(tmp_path, "ann")
    again = keys.make(tmp_path, ["ann"])
    assert again.of("ann") not in (None, first.of("ann"))
    assert not set(first.keys.values()) & set(again.keys.values())


def test_nothing_is_made_by_destroying(tmp_path):
    assert keys.destroy(tmp_path / "vault", "ann") is False
    assert not (tmp_path / "vault").exists()


def test_a_slot_that_was_cut_is_written_over(tmp_path):
    ring = keys.make(tmp_path, ["ann"])
    slots = tmp_path / "keys/subjects/slots"
    slots.write_bytes(slots.read_bytes() + os.urandom(17))
    assert keys.read(tmp_path) == ring
    assert keys.make(tmp_path, ["bob"]).of("ann") == ring.of("ann")
    assert slots.stat().st_size == 128


def test_missing_keys_are_told(tmp_path):
    with pytest.raises(AccordError, match="the vault has no backup key"):
        keys.read(tmp_path)
    keys.make(tmp_path, ["ann"])
    (tmp_path / "keys/subjects/general.key").unlink()
    with pytest.raises(AccordError, match="is missing, but subject keys exist"):
        keys.make(tmp_path, ["bob"])


@settings(max_examples=20, deadline=None)
@given(steps=st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef")), max_size=15))
def test_keys_stay_as_long_as_nobody_destroys_them(tmp_path_factory, steps):
    vault, model = tmp_path_factory.mktemp("vault"), {}
    for made, who in steps:
        if made:
            ring = keys.make(vault, [who])
            assert model.setdefault(who, ring.keys[ring.of(who)]) == ring.keys[ring.of(who)]
        else:
            assert keys.destroy(vault, who) is (model.pop(who, None) is not None)
    ring = keys.make(vault, [])
    assert {who: ring.keys[ring.of(who)] for who in model} == model
    assert len(ring.keys) == len(model)
