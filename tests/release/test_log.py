"""The receipt log: append-only, signed, provable."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.release.seal import log
from accord.sealing import canonical, merkle, signing

BODIES = [{"kind": "release", "version": f"{n}.0.0", "root": f"{n:064x}"} for n in range(1, 8)]


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    made = tmp_path_factory.mktemp("log") / "vault"
    for body in BODIES:
        log.append(made, body)
    return made


def public(vault):
    return signing.signing_key(vault).public_key()


def test_entries_follow_one_another(vault):
    known = log.entries(vault, public(vault))
    assert [entry["body"] for entry in known] == BODIES
    assert [entry["size"] for entry in known] == list(range(1, 8))
    assert [entry["previous"] for entry in known] == [None, *(entry["root"] for entry in known[:-1])]


def test_an_entry_is_appended_once(vault):
    before = (vault / log.PLACE).read_bytes()
    assert log.append(vault, BODIES[2])["size"] == 3
    assert (vault / log.PLACE).read_bytes() == before
    assert (vault / log.PLACE).stat().st_mode & 0o777 == 0o600


@settings(deadline=None)
@given(st.integers(1, 7), st.integers(1, 7))
def test_who_noted_an_entry_gets_proofs(vault, first, second):
    first, second = sorted((first, second))
    known = log.entries(vault, public(vault))
    hashes = log.leaves(known[:second])
    roots = [bytes.fromhex(entry["root"]) for entry in known]
    path = merkle.consistency(hashes, first)
    assert merkle.consistent(first, roots[first - 1], second, roots[second - 1], path)
    leaf = merkle.leaf_hash(canonical.encode(BODIES[first - 1]))
    assert merkle.includes(roots[second - 1], second, leaf, first - 1, merkle.inclusion(hashes, first - 1))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda lines: [*lines[:3], *lines[4:]], "entry 4: does not follow from the previous ones"),
        (lambda lines: lines[1:], "entry 1: does not follow"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "entry 1: does not follow"),
        (lambda lines: [*lines, lines[-1]], "entry 8: does not follow"),
        (lambda lines: [lines[0].replace(b'"sig":"', b'"sig":"A'), *lines[1:]], "entry 1: "),
        (lambda lines: [*lines, b"{}"], "entry 8: is not a valid DSSE envelope"),
    ],
)
def test_a_changed_log_is_told_and_not_added_to(vault, tmp_path, change, what):
    copy = tmp_path / "vault"
    for name in (log.PLACE, "keys/release.pem"):
        (copy / name).parent.mkdir(parents=True)
        (copy / name).write_bytes((vault / name).read_bytes())
    lines = change((vault / log.PLACE).read_bytes().splitlines())
    (copy / log.PLACE).write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.raises(AccordError, match=what):
        log.append(copy, {"kind": "release", "version": "8.0.0", "root": ""})


def test_a_publication_is_logged(house):
    reported = [house.publish(), house.publish(failing=("img-2",))]
    bodies = [entry["body"] for entry in log.entries(house.vault, public(house.vault))]
    assert [(body["version"], body["root"]) for body in bodies] == [(r["version"], r["root"]) for r in reported]
    assert json.loads(json.dumps(reported[0]))["key"] == signing.fingerprint(public(house.vault))
