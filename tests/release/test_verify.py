"""Verification of a release: what is whole passes, whatever was changed is found."""

import base64
import json
import re
import shutil
from pathlib import PurePath

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.release import command as release_command
from accord.release.command import main
from accord.release.erasing import prune as module
from accord.release.erasing.prune import prune
from accord.release.format import fhibe, videos
from accord.release.seal import held, leaves, revocations, seal
from accord.release.seal.verification import verify
from accord.release.tree import tree
from accord.sealing import canonical, dsse, merkle, signing

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture(scope="module")
def made(tmp_path_factory, shards, tiny):
    """A house with two versions of a release."""
    house = tiny.House(tmp_path_factory.mktemp("signed"), shards)
    house.publish()
    house.publish(failing=("img-2",))
    return house


@pytest.fixture
def release(made, tmp_path):
    """A copy of the first version that may be written to."""
    return copy_of(made, tmp_path / "copy")


def copy_of(made, folder):
    shutil.copytree(made.releases / "1.0.0", folder)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@pytest.fixture(scope="module")
def key(made, tmp_path_factory):
    """The publisher's public key, got another way."""
    path = tmp_path_factory.mktemp("key") / "publisher.pem"
    path.write_bytes(signing.public_text(signing.signing_key(made.vault).public_key()))
    return path


def told(verdict) -> str:
    return "\n".join(str(problem) for problem in verdict.problems)


def leaf_lines(folder) -> list[bytes]:
    return (folder / leaves.NAME).read_bytes().splitlines()


def write_leaves(folder, lines) -> None:
    """Leaves numbered anew, as a careful forger writes them."""
    records = [json.loads(line) | {"index": n} for n, line in enumerate(lines)]
    (folder / leaves.NAME).write_bytes(b"".join(canonical.encode(r) + b"\n" for r in records))


def test_a_release_verifies_with_the_key_alone(release, key):
    verdict = verify(release, key)
    assert (verdict.problems, verdict.proven, verdict.erased) == ([], True, 0)
    files = [path for path in release.rglob("*") if path.is_file()]
    tables = [release / table for table in leaves.TABLES if table != videos.TABLE]
    rows = sum(len(table.read_bytes().splitlines()) for table in tables)
    assert verdict.files == len(files)
    assert verdict.leaves == verdict.statement["leaves"] == len(files) - 4 - len(tables) + rows


def test_the_statement_names_the_release_before(made, key):
    first, second = (verify(made.releases / version, key).statement for version in ("1.0.0", "2.0.0"))
    assert (first["previous"], first["version"]) == (None, "1.0.0")
    assert second["previous"] == {"version": "1.0.0", "root": first["root"]}


def test_the_root_is_that_of_the_lines_by_hand(release, key):
    hashes = []
    for line in map(json.loads, leaf_lines(release)):
        record = json.dumps(line["record"], sort_keys=True, separators=(",", ":")).encode()
        hashes.append(merkle.leaf_hash(bytes.fromhex(line["salt"]) + record))
    assert merkle.root(hashes).hex() == verify(release, key).statement["root"]
    assert hashes == sorted(hashes)


def test_salts_are_fresh_in_every_leaf_and_version(made):
    lines = [json.loads(line) for version in ("1.0.0", "2.0.0") for line in leaf_lines(made.releases / version)]
    assert len({line["salt"] for line in lines}) == len(lines)
    documents = {(line["record"]["path"], line["record"]["sha256"]) for line in lines}
    assert len(documents) < len(lines)  # terms and protocol are in both versions, under two salts


def test_each_row_that_speaks_of_a_person_is_a_leaf(release):
    records = [json.loads(line)["record"] for line in leaf_lines(release)]
    kinds = {kind: [r for r in records if r["kind"] == kind] for kind in {r["kind"] for r in records}}
    assert set(kinds) == {"image", "crop", "mask", "annotation", "document", "header", "row"}
    assert sorted((r["path"], r["row"]) for r in kinds["row"]) == sorted(
        [(fhibe.WHOLE_TABLE, n) for n in (1, 2, 3, 4)]
        + [(fhibe.FACE_TABLE, n) for n in (1, 2, 3, 4)]
        + [(leaves.ANNOTATORS, 1)]
    )
    assert len(kinds["image"]) == 3 + 2 and len(kinds["crop"]) == 4 + 4


@pytest.fixture(scope="module")
def damaged(made, tmp_path_factory):
    """A copy whose files are damaged one after the other, and put right again."""
    return copy_of(made, tmp_path_factory.mktemp("damaged") / "copy")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_changed_byte_is_found(damaged, draw):
    path = draw.draw(st.sampled_from(sorted(p for p in damaged.rglob("*") if p.is_file())))
    whole = path.read_bytes()
    at, flip = draw.draw(st.integers(0, len(whole) - 1)), draw.draw(st.integers(1, 255))
    path.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
    try:
        assert verify(damaged).problems
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize("name", ["manifest.jsonl", "leaves.jsonl", "release.dsse.json", "release.pub"])
def test_changed_bytes_of_what_seals_are_found(damaged, name):
    whole = (damaged / name).read_bytes()
    for at in range(0, len(whole), len(whole) // 25):
        (damaged / name).write_bytes(whole[:at] + bytes([whole[at] ^ 32]) + whole[at + 1 :])
        assert verify(damaged).problems, at
    (damaged / name).write_bytes(whole[:-1])
    assert verify(damaged).problems
    (damaged / name).write_bytes(whole)
    assert not verify(damaged).problems


def forge_drop(folder):
    write_leaves(folder, leaf_lines(folder)[1:])


def forge_twice(folder):
    write_leaves(folder, [*leaf_lines(folder), leaf_lines(folder)[0]])


def forge_order(folder):
    first, second, *rest = leaf_lines(folder)
    write_leaves(folder, [second, first, *rest])


def drop_with_file(folder):
    """Take out a picture from folder, leaves and manifest."""
    line = next(line for line in leaf_lines(folder) if b'"kind":"image"' in line)
    path = json.loads(line)["record"]["path"]
    (folder / path).unlink()
    write_leaves(folder, [other for other in leaf_lines(folder) if other != line])
    kept = [one for one in (folder / "manifest.jsonl").read_text().splitlines(True) if f'"{path}"' not in one]
    (folder / "manifest.jsonl").write_text("".join(kept))


def sign_with_another_key(folder):
    """Sign anew, and leave the publisher's public key there."""
    public = (folder / seal.PUBLIC_KEY).read_bytes()
    resign(folder)
    (folder / seal.PUBLIC_KEY).write_bytes(public)


def resign(folder):
    envelope = json.loads((folder / seal.ENVELOPE).read_bytes())
    content = json.loads(base64.b64decode(envelope["payload"]))
    (folder / seal.ENVELOPE).write_bytes(dsse.seal(content, OTHER) + b"\n")
    (folder / seal.PUBLIC_KEY).write_bytes(signing.public_text(OTHER.public_key()))


def swap_rows(folder):
    head, first, second, *rest = (folder / fhibe.WHOLE_TABLE).read_bytes().splitlines(True)
    (folder / fhibe.WHOLE_TABLE).write_bytes(b"".join([head, second, first, *rest]))


def repeat_row(folder):
    head, first, *rest = (folder / fhibe.WHOLE_TABLE).read_bytes().splitlines(True)
    (folder / fhibe.WHOLE_TABLE).write_bytes(b"".join([head, first, first, *rest]))


def drop_row(folder):
    head, _, *rest = (folder / fhibe.WHOLE_TABLE).read_bytes().splitlines(True)
    (folder / fhibe.WHOLE_TABLE).write_bytes(b"".join([head, *rest]))


def forge_tombstone(folder):
    """Erase a picture as `prune` does, with a receipt that nobody signed."""
    lines = leaf_lines(folder)
    at = next(n for n, line in enumerate(lines) if b'"kind":"image"' in line)
    leaf = leaves.parse(lines[at])
    (folder / leaf.record["path"]).unlink()
    lines[at] = leaves.tombstone(leaf, "ab" * 32).strip()
    write_leaves(folder, lines)


def forged_revocation(folder):
    """A tombstone with a receipt that somebody else has signed."""
    release = verify(folder).statement
    leaf = leaves.parse(leaf_lines(folder)[0])
    envelope = revocations.revoke(release, [leaf.hash], OTHER)
    (folder / revocations.NAME).write_bytes(envelope + b"\n")
    lines = leaf_lines(folder)
    lines[0] = leaves.tombstone(leaf, revocations.receipt(envelope)).strip()
    write_leaves(folder, lines)


FORGERIES = [
    (forge_drop, "leaves.jsonl: its root differs from the signed one"),
    (forge_twice, r"leaves.jsonl: has \d+ leaves; \d+ were signed"),
    (forge_order, "leaves.jsonl: its root differs from the signed one"),
    (drop_with_file, "manifest.jsonl: differs from the signed one"),
    (sign_with_another_key, "release.dsse.json: was not signed with this key"),
    (swap_rows, "row 3 is not in its signed position"),
    (repeat_row, "row 3 is a duplicate"),
    (drop_row, "signed row 1 is missing or changed"),
    (forge_tombstone, "was erased without a signed revocation"),
    (forged_revocation, r"revocations.jsonl, line 1: was not signed with this key"),
    (lambda f: (f / "more.txt").write_text("x"), "more.txt: is in no leaf: it was added"),
    (lambda f: (f / "data/raw/empty").mkdir(), "data/raw/empty/: is a folder without files"),
    (lambda f: (f / "link").symlink_to("/etc/hostname"), "link: is not a readable regular file"),
    (lambda f: (f / "terms.txt").unlink(), "terms.txt: is missing"),
    (lambda f: (f / seal.ENVELOPE).unlink(), "release.dsse.json: is missing"),
    (lambda f: (f / seal.PUBLIC_KEY).unlink(), "release.pub: is missing"),
    (lambda f: (f / leaves.NAME).unlink(), "leaves.jsonl: is missing"),
    (lambda f: (f / revocations.NAME).touch(), "revocations.jsonl: is empty"),
    (lambda f: (f / leaves.NAME).write_bytes(b'{"index":0,"record":7,"salt":""}\n[]\n'), "line 1: is not a valid leaf"),
]


@pytest.mark.parametrize(("forge", "what"), FORGERIES)
def test_a_forgery_is_found(release, key, forge, what):
    forge(release)
    assert re.search(what, told(verify(release, key))), told(verify(release, key))
    assert verify(release).problems


def test_somebody_elses_release_is_whole_but_not_the_publishers(release, key):
    resign(release)
    assert verify(release).problems == [] and not verify(release).proven
    assert "release.pub: differs from the given key" in told(verify(release, key))


def test_all_problems_are_told_at_once(release):
    (release / "terms.txt").write_text("all is allowed")
    (release / "more.txt").write_text("more")
    shutil.rmtree(release / fhibe.MASKS)
    where = [problem.where for problem in verify(release).problems]
    assert {"terms.txt", "more.txt", "manifest.jsonl"} <= set(where)
    assert sum(path.startswith(fhibe.MASKS) for path in where) >= 4
    assert all(problem.hint for problem in verify(release).problems)


def revocation(made, folder, image: str) -> bytes:
    """The publisher's revocation of all that speaks of an image (its id in the release)."""
    fallen = [leaves.parse(line).hash for line in leaf_lines(folder) if image.encode() in line]
    return revocations.revoke(verify(folder).statement, fallen, signing.signing_key(made.vault))


def an_image(folder) -> str:
    return sorted((folder / fhibe.RAW).glob("*/*"))[0].name


def test_after_an_erasure_the_old_signature_verifies_and_nothing_is_left(made, release, key):
    image = an_image(release)
    gone = [line for line in leaf_lines(release) if image.encode() in line]
    before = (release / seal.ENVELOPE).read_bytes()
    assert prune(release, revocation(made, release, image)) == len(gone) > 5
    verdict = verify(release, key)
    assert (verdict.problems, verdict.erased) == ([], len(gone))
    assert (release / seal.ENVELOPE).read_bytes() == before
    told = [json.loads(line) for line in gone]
    others = {json.loads(line)["record"]["sha256"] for line in leaf_lines(release) if b"tombstone" not in line}
    words = {image, *(t["salt"] for t in told), *(t["record"]["sha256"] for t in told)} - others
    assert len(words) > len(gone)
    left = [p.relative_to(release).as_posix().encode() for p in release.rglob("*")]
    left += [p.read_bytes() for p in release.rglob("*") if p.is_file()]
    assert [word for word in words if any(word.encode() in text for text in left)] == []


@pytest.mark.parametrize("killed_at", range(9))
def test_an_erasure_that_was_killed_is_gone_on_with(made, release, key, monkeypatch, killed_at):
    class Killed(BaseException):
        pass

    envelope, real, calls = revocation(made, release, an_image(release)), module.replace, []

    def write(path, data, mode):
        calls.append(path)
        if len(calls) > killed_at // 2 + 1:
            if killed_at % 2:
                path.with_name(f"{path.name}.partial").write_bytes(data[:3])
            raise Killed
        real(path, data, mode)

    with monkeypatch.context() as patch:
        patch.setattr(module, "replace", write)
        with pytest.raises(Killed) if killed_at < 8 else monkeypatch.context():
            prune(release, envelope)
    prune(release, envelope)
    whole = {p: p.read_bytes() for p in release.rglob("*") if p.is_file()}
    assert verify(release, key).problems == []
    assert prune(release, envelope) == 0
    assert {p: p.read_bytes() for p in release.rglob("*") if p.is_file()} == whole


def test_folders_that_a_killed_run_left_empty_go(made, release, key):
    image = an_image(release)
    envelope = revocation(made, release, image)
    for place in (release / "data").rglob(image):
        shutil.rmtree(place)
    prune(release, envelope)
    assert verify(release, key).problems == []


def test_two_erasures_and_changed_bytes_of_what_is_left(made, release, key):
    for _ in range(2):
        prune(release, revocation(made, release, an_image(release)))
    assert verify(release, key).problems == []
    for name in ("revocations.jsonl", "leaves.jsonl", "manifest.jsonl"):
        whole = (release / name).read_bytes()
        (release / name).chmod(0o644)
        for at in range(0, len(whole), len(whole) // 12):
            (release / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert verify(release).problems, (name, at)
        (release / name).write_bytes(whole)


def test_what_was_erased_can_not_come_back(made, release, key, tmp_path):
    shutil.copytree(release, tmp_path / "before")
    prune(release, revocation(made, release, an_image(release)))
    for name in ("leaves.jsonl", "manifest.jsonl"):
        shutil.copy(tmp_path / "before" / name, release / name)
    shutil.copytree(tmp_path / "before" / "data", release / "data", dirs_exist_ok=True)
    assert "are revoked but not erased" in told(verify(release, key))


def test_a_revocation_of_another_release_or_key_erases_nothing(made, release):
    before = {p: p.read_bytes() for p in release.rglob("*") if p.is_file()}
    later = made.releases / "2.0.0"
    for envelope, what in [
        (revocation(made, later, an_image(later)), "revocation: belongs to another release"),
        (revocations.revoke(verify(release).statement, [], OTHER), "revocation: was not signed with this key"),
    ]:
        with pytest.raises(AccordError, match=what):
            prune(release, envelope)
    assert {p: p.read_bytes() for p in release.rglob("*") if p.is_file()} == before


def test_the_command_says_it_and_its_exit_code_is_the_verdict(release, key, capsys):
    assert main(["verify", str(release), "--key", str(key)]) == 0
    assert "valid: every file is as signed" in capsys.readouterr().out
    assert main(["verify", str(release)]) == 0
    assert "This shows that the release is complete\nand unchanged, but not who made it" in capsys.readouterr().out
    (release / "new\x1b[2J.txt").write_text("x")
    assert main(["verify", str(release)]) == 1
    out = capsys.readouterr().out
    assert "BROKEN\n1 problem found" in out and "\x1b" not in out
    assert main(["verify", str(release), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["origin"]) == ("broken", "not proven")
    assert document["problems"][0]["what"] == "is in no leaf: it was added, or should have been erased"


def test_a_missing_folder_or_key_is_told(release, tmp_path):
    with pytest.raises(AccordError, match="no such folder"):
        verify(tmp_path / "none")
    assert "nokey.pem: can't be read" in told(verify(release, tmp_path / "nokey.pem"))


TEXTS = st.text(st.sampled_from('ab/._- é"\\\x7f\n{},:'), max_size=6)
RECORDS = st.fixed_dictionaries(
    {"kind": TEXTS, "path": TEXTS, "sha256": TEXTS}, optional={"of": TEXTS, "row": st.integers(-2, 10**17)}
)


@settings(max_examples=150, deadline=None)
@given(RECORDS, st.integers(0, 10**17), st.binary(min_size=32, max_size=32), st.data())
def test_the_usual_form_of_a_leaf_is_read_as_any_other(record, index, salt, draw):
    """Held against the reading that knows no usual form; lines that differ in a byte from a good one, too."""
    line = canonical.encode({"index": index, "record": record, "salt": salt.hex()})
    place = draw.draw(st.integers(0, len(line) - 1))
    changed = (
        line[:place] + draw.draw(st.sampled_from([b"", b"0", b" ", b'"', b"\\", b"\xff", b"a"])) + line[place + 1 :]
    )

    def outcome(text):
        try:
            return leaves.parse(text)
        except ValueError as error:
            return str(error)

    found = [outcome(text) for text in (line, changed)]
    assert found[0] == leaves.Leaf(index, merkle.leaf_hash(salt + canonical.encode(record)), record)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "_USUAL", re.compile(r"(?!)"))
        assert [outcome(text) for text in (line, changed)] == found


@settings(max_examples=100, deadline=None)
@given(st.lists(st.fixed_dictionaries({"path": TEXTS, "size": st.integers(0, 9), "media": TEXTS}), max_size=4))
def test_a_manifest_has_a_line_for_each_entry_whatever_their_names(entries):
    given = [*entries, *([{"path": "}, {", "size": 1}] if len(entries) % 2 else [])]
    text = tree.manifest(given)
    lines = [json.dumps(entry, sort_keys=True) for entry in sorted(given, key=lambda entry: entry["path"])]
    assert text.decode().splitlines() == lines and text.endswith(b"\n") == bool(given)


@pytest.mark.parametrize(
    "path", ["a.png", "d.x/a", "d.x/.a", "a.", "..a", "a.b.c", ".a.b", "", "a..", "d/a.PNG", "..."]
)
def test_the_end_of_a_name_is_that_of_its_path(path):
    assert held._suffix(path) == PurePath(path).suffix


def test_modes_that_no_signature_covers_are_remarks(release, capsys):
    """A holder's copy is as signed, whatever its modes: the verdict stays, and says who else could change it."""
    assert release_command.main(["verify", str(release)]) == 0
    assert "warning: mode" not in capsys.readouterr().out
    files = sorted(path.relative_to(release).as_posix() for path in release.rglob("*.png"))
    for name in files:
        (release / name).chmod(0o666)
    (release / "terms.txt").chmod(0o4755)
    (release / "manifest.jsonl").chmod(0o2644)
    assert release_command.main(["verify", str(release)]) == 0
    out = capsys.readouterr().out
    assert "valid: every file is as signed" in out
    assert f" and {len(files) - 1} more: can be changed by everybody" in out
    assert "warning: mode of manifest.jsonl and 1 more: set-uid or set-gid: a program that runs as somebody else" in out
    assert release_command.main(["verify", str(release), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "valid" and len(told["remarks"]) == 2


def test_an_older_version_in_the_place_of_a_newer_one_is_told(made, tmp_path, capsys):
    release = copy_of(made, tmp_path / "2.0.0")
    assert release_command.main(["verify", str(release)]) == 1
    assert (
        "2.0.0: holds version 1.0.0\n    hint: an older version may have been put in its place"
        in capsys.readouterr().out
    )
    assert release_command.main(["verify", str(release.rename(tmp_path / "1.0.0"))]) == 0
    assert release_command.main(["verify", str((tmp_path / "1.0.0").rename(tmp_path / "theirs"))]) == 0
