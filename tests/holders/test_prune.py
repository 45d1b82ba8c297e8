"""`accord prune`: what is revoked goes from a holder's copy, whatever state that is in; nothing else does."""

import errno
import json
import random
import re
import shutil
import subprocess
import sys
import time
from functools import partial

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord import __main__ as program
from accord.errors import AccordError
from accord.holders.prune_command import main
from accord.release.erasing import orders, prune
from accord.release.format import fhibe
from accord.release.seal import leaves, revocations, seal
from accord.release.seal.verification import verify

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture
def listed(publisher, small, tmp_path):
    """A list of two revocations: of image 0, and of images 1 and 2."""
    first, second = publisher.revoke(small.IMAGES[0]), publisher.revoke(*small.IMAGES[1:3])
    path = tmp_path / "revocations.jsonl"
    path.write_bytes(first + b"\n" + second + b"\n")
    return path


def run(copy, listed, *flags) -> int:
    return main([str(copy), "--revocations", str(listed), *map(str, flags)])


def refused(copy, listed, small, *flags) -> str:
    """The text of the error; the copy is as it was."""
    before = small.bytes_in(copy)
    with pytest.raises(AccordError) as caught:
        run(copy, listed, *flags)
    assert small.bytes_in(copy) == before
    return str(caught.value)


def pictures(folder) -> set[str]:
    return {path.name for path in (folder / fhibe.RAW).glob("*/*")}


def test_all_revocations_of_a_list_are_carried_out(publisher, small, copy, listed, tmp_path, capsys):
    key = publisher.public(tmp_path / "publisher.pem")
    assert run(copy, listed, "--key", key) == 0
    out = capsys.readouterr().out
    assert "2 revocation(s), 0 of them carried out" in out
    assert "erased    15 leaves: 9 files, 6 rows" in out  # of each image 3 files, and a row in 2 tables
    assert "valid: every file is as signed" in out and "warning" not in out
    assert pictures(copy) == set(small.IMAGES[3:])
    everything = b"".join(small.bytes_in(copy).values()) + "".join(small.bytes_in(copy)).encode()
    assert not [image for image in small.IMAGES[:3] if image.encode() in everything]
    assert all(image.encode() in everything for image in small.IMAGES[3:])


def test_without_a_key_it_warns_and_again_it_has_nothing_to_do(small, copy, listed, capsys):
    assert run(copy, listed) == 0
    assert "warning: no --key was given" in capsys.readouterr().out
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in copy.rglob("*") if p.is_file()}
    assert run(copy, listed, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["revocations"], told["carried_out_before"], told["leaves"]) == (2, 2, 0)
    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in copy.rglob("*") if p.is_file()} == before


def test_a_dry_run_touches_nothing(small, copy, listed, capsys):
    before = small.bytes_in(copy)
    assert run(copy, listed, "--dry-run") == 0
    assert "would erase 15 leaves: 9 files, 6 rows; nothing was touched" in capsys.readouterr().out
    assert small.bytes_in(copy) == before


def test_a_list_survives_mail_programs(publisher, small, copy, listed, tmp_path):
    """Other ends of lines, empty and repeated lines, another order, a mark before the text: the same bytes come out."""
    first, second = listed.read_bytes().splitlines()
    whole = small.copy_of(copy, tmp_path / "whole")
    assert run(whole, listed) == 0
    listed.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join([second, b"", first, second]))
    assert run(copy, listed) == 0
    left, right = small.bytes_in(copy), small.bytes_in(whole)
    assert sorted(left.pop(revocations.NAME).splitlines()) == sorted(right.pop(revocations.NAME).splitlines())
    assert left == right


def test_a_leaf_that_two_revocations_name_ends_the_same_in_any_order(publisher, small, copy, tmp_path):
    both = [publisher.revoke(*small.IMAGES[:2]), publisher.revoke(*small.IMAGES[1:3])]
    other = small.copy_of(copy, tmp_path / "other")
    for envelope in both:
        prune.prune(copy, envelope)
    for envelope in reversed(both):
        prune.prune(other, envelope)
    assert (copy / leaves.NAME).read_bytes() == (other / leaves.NAME).read_bytes()
    assert verify(copy).problems == verify(other).problems == []


def test_all_bad_lines_are_told_and_nothing_is_touched(publisher, small, copy, listed):
    later = publisher.publish("2.0.0", small.IMAGES[1:])
    good = listed.read_bytes().splitlines()
    forged = revocations.revoke(verify(copy).statement, [bytes(32)], OTHER)
    strange = publisher.revoke(small.IMAGES[3], of=later)
    changed = good[1].replace(b'"payload":"ey', b'"payload":"ez')
    listed.write_bytes(b"\n".join([good[0], forged, strange, good[1][:300], b"hello", changed, b"[]", b"\xff\xfe"]))
    text = refused(copy, listed, small)
    assert text.startswith("7 problems found")
    for number, what in [
        (2, "was not signed with this key, or was changed since"),
        (3, "belongs to another release"),
        (4, "is not valid JSON"),
        (5, "is not valid JSON"),
        (6, "was not signed with this key, or was changed since"),
        (7, "is not a valid DSSE envelope of one signed in-toto statement"),
        (8, "is not valid JSON"),
    ]:
        assert f"revocations.jsonl, line {number}: {what}" in text
    assert "get the list from them again" in text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_or_cut_envelope_is_never_carried_out(small, copy, listed, draw):
    first, second = listed.read_bytes().splitlines()
    at = draw.draw(st.integers(0, len(first) - 1))
    flip = draw.draw(st.sampled_from([1, 2, 4, 64]))
    bad = draw.draw(st.sampled_from([first[:at], first[:at] + bytes([first[at] ^ flip]) + first[at + 1 :]]))
    whole = listed.read_bytes()
    listed.write_bytes(second + b"\n" + bad + b"x\n" if not bad.strip() else second + b"\n" + bad + b"\n")
    try:
        refused(copy, listed, small)
    finally:
        listed.write_bytes(whole)


def test_bad_input_is_told(publisher, small, copy, listed, tmp_path, monkeypatch, capsys):
    assert "contains no revocation" in refused(copy, _empty(tmp_path), small)
    assert re.search(r"--revocations .*none: can't be read", refused(copy, tmp_path / "none", small))
    assert "is not a valid public key" in refused(copy, listed, small, "--key", listed)
    other = tmp_path / "other.pem"
    other.write_bytes(_public(OTHER))
    assert "release.pub: differs from the given key" in refused(copy, listed, small, "--key", other)
    text = refused(copy, listed, small, "--delete-copies", "--acknowledge", copy / "ack.json")
    assert "--delete-copies: needs --also" in text and "--acknowledge: needs --holder-key" in text
    assert "can't be written" in text
    assert "no such folder" in refused(copy, listed, small, "--also", tmp_path / "none")
    monkeypatch.setattr(sys, "argv", ["accord", "prune", str(tmp_path / "none"), "--revocations", str(listed)])
    with pytest.raises(SystemExit) as caught:
        program.main()
    assert caught.value.code == 2 and "no such folder" in capsys.readouterr().err


def _empty(folder):
    (folder / "empty").write_bytes(b"\n\n")
    return folder / "empty"


def _public(key) -> bytes:
    from accord.sealing import signing

    return signing.public_text(key.public_key())


def test_a_damaged_copy_loses_what_is_revoked_all_the_same(publisher, small, copy, listed, capsys):
    """Revoked files are gone or changed, files that stay are gone, a table has other ends of lines."""
    gone, changed, stays = (copy / fhibe.RAW / f"subject-{small.IMAGES[n]}" / small.IMAGES[n] for n in (0, 1, 4))
    shutil.rmtree(gone)
    (changed / f"main_{small.IMAGES[1]}.png").write_bytes(b"brighter")
    shutil.rmtree(stays)
    table = copy / fhibe.WHOLE_TABLE
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))
    assert run(copy, listed) == 1
    out = capsys.readouterr().out
    assert "erased    15 leaves: 7 files, 6 rows" in out
    assert "1 of the files had been changed, and were erased all the same" in out
    assert "2 more files were not there any more" in out
    assert f"main_{small.IMAGES[4]}.png: is missing" in out and "NOT ALL IS ERASED" not in out
    everything = b"".join(small.bytes_in(copy).values()) + "".join(small.bytes_in(copy)).encode()
    assert not [image for image in small.IMAGES[:3] if image.encode() in everything]
    shutil.copytree(publisher.releases / "1.0.0" / stays.relative_to(copy), stays)
    table.write_bytes(table.read_bytes().replace(b"\r\n", b"\n"))
    assert run(copy, listed) == 1  # the manifest's word of that table is the damaged one
    assert "manifest.jsonl: does not match the files" in capsys.readouterr().out


def test_damaged_leaves_give_away_what_they_still_say(publisher, small, copy, listed, capsys):
    """A damaged line of a leaf that stays does no harm; one of a revoked leaf is told, and its content stays."""
    lines = (copy / leaves.NAME).read_bytes().splitlines()
    stays = next(n for n, line in enumerate(lines) if small.IMAGES[5].encode() in line)
    lost = next(n for n, line in enumerate(lines) if f"main_{small.IMAGES[0]}.png".encode() in line)
    lines[stays] = lines[stays][:-9]
    lines[lost] = lines[lost].replace(b'"kind":"image"', b'"kind":"imaga"')
    (copy / leaves.NAME).write_bytes(b"".join(line + b"\n" for line in lines))
    assert run(copy, listed) == 1
    out = capsys.readouterr().out
    assert "erased    14 leaves: 8 files, 6 rows" in out
    assert "NOT ALL IS ERASED" in out and "leaves.jsonl: lacks 1 of the revoked leaves" in out
    assert (copy / leaves.NAME).read_bytes().splitlines()[stays] == lines[stays]
    shutil.copy(publisher.releases / "1.0.0" / leaves.NAME, copy / leaves.NAME)
    assert run(copy, listed) == 0  # the file was got again, and what was left goes


def test_what_seals_may_be_damaged_too(publisher, small, copy, listed, tmp_path, capsys):
    (copy / seal.ENVELOPE).unlink()
    (copy / seal.PUBLIC_KEY).unlink()
    (copy / revocations.NAME).write_bytes(b"rubbish\n")
    (copy / "manifest.jsonl").write_bytes(b"rubbish\n")
    assert "release.pub: can't be read" in refused(copy, listed, small)
    assert run(copy, listed, "--key", publisher.public(tmp_path / "publisher.pem")) == 1
    assert "release.dsse.json: is missing" in capsys.readouterr().out
    for name in (seal.ENVELOPE, seal.PUBLIC_KEY):
        shutil.copy(publisher.releases / "1.0.0" / name, copy / name)
    assert verify(copy).problems == []


def test_where_nothing_says_which_release_it_is_nothing_is_touched(small, copy, listed):
    (copy / seal.ENVELOPE).write_bytes(b"{}\n")
    with (copy / leaves.NAME).open("ab") as file:
        file.write(b"more\n")
    assert "the release can't be identified" in refused(copy, listed, small)
    (copy / leaves.NAME).unlink()
    assert "leaves.jsonl: can't be read, so the revoked files are unknown" in refused(copy, listed, small)


def test_a_full_or_read_only_disk_is_told(copy, listed, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(prune, "replace", full)
        with pytest.raises(AccordError, match=r"can't be written to \(No space left on device\): it was not pruned"):
            run(copy, listed)
    assert run(copy, listed) == 0


def test_links_are_not_followed(small, copy, listed, tmp_path, capsys):
    """A folder behind a link is left alone and told; a file that is a link goes, what it points to stays."""
    outside, kept = tmp_path / "outside", tmp_path / "kept.png"
    behind = copy / fhibe.RAW / f"subject-{small.IMAGES[0]}"
    behind.rename(outside)
    behind.symlink_to(outside)
    link = copy / fhibe.MASKS / small.IMAGES[1] / "hair.png"
    link.rename(kept)
    link.symlink_to(kept)
    before = small.bytes_in(outside)
    assert run(copy, listed) == 1
    out = capsys.readouterr().out
    assert out.count("is behind a link") == 2 and "2 leaf(s) are revoked but not erased" in out
    assert small.bytes_in(outside) == before and kept.is_file() and not link.is_symlink()
    assert "erased    13 leaves: 7 files, 6 rows" in out
    behind.unlink()
    outside.rename(behind)
    assert run(copy, listed) == 0


def test_rows_that_can_not_be_told_hold_their_leaves(publisher, small, copy, listed, capsys):
    """Somebody renamed the ids in a table: which rows are revoked can't be told, so no tombstone says they are gone."""
    table = copy / fhibe.WHOLE_TABLE
    table.write_bytes(table.read_bytes().replace(small.IMAGES[0].encode(), b"somebody"))
    assert run(copy, listed) == 1
    assert "1 of the revoked rows can't be found in it" in capsys.readouterr().out
    table.write_bytes(
        b"".join(
            row
            for row in leaves.rows(publisher.releases / "1.0.0" / fhibe.WHOLE_TABLE)
            if not row.startswith(tuple(image.encode() for image in small.IMAGES[1:3]))
        )
    )
    assert run(copy, listed) == 0
    assert small.IMAGES[0].encode() not in table.read_bytes()


def test_a_changed_row_goes_only_where_its_id_is_revoked_altogether(publisher, small, copy):
    """Two rows have one id; one is revoked: in a changed table neither can be told by its id."""
    table = copy / fhibe.WHOLE_TABLE
    first = small.IMAGES[0]
    lines = (copy / leaves.NAME).read_bytes().splitlines()
    row = next(leaves.parse(line) for line in lines if b'"row":1,' in line and fhibe.WHOLE_TABLE.encode() in line)
    going = [row]
    staying = [row._replace(record=row.record | {"sha256": "0" * 64})]
    table.write_bytes(b"header\n" + first.encode() + b",changed\n")
    left = prune.erasing.rows(copy, fhibe.WHOLE_TABLE, going, staying)
    assert (left.erased, left.held) == (0, {row.hash})
    left = prune.erasing.rows(copy, fhibe.WHOLE_TABLE, going, [])
    assert (left.erased, left.kept, left.held) == (1, [b"header\n"], set())


def test_copies_elsewhere_are_found_and_deleted(small, copy, listed, tmp_path, capsys):
    """Byte for byte, by content, not by name; what stays shares a mask with what goes: that is no copy of it."""
    copy = copy.rename(_folder(tmp_path / "home") / "copy")
    image = copy / fhibe.RAW / f"subject-{small.IMAGES[0]}" / small.IMAGES[0] / f"main_{small.IMAGES[0]}.png"
    also = copy.parent / "also"
    (also / "deep").mkdir(parents=True)
    shutil.copy(image, also / "deep" / "train_000.bin")
    (also / "mask.png").write_bytes(b"a mask without hair")
    (also / "cropped.png").write_bytes(image.read_bytes()[1:])
    (also / "empty").touch()
    (also / "link.png").symlink_to(image)
    assert run(copy, listed, "--dry-run", "--also", copy.parent) == 0
    assert capsys.readouterr().out.count("copy: ") == 1
    assert run(copy, listed, "--also", also, also / "deep", "--delete-copies") == 0
    out = capsys.readouterr().out
    assert "copies    1 found, 1 deleted" in out
    assert sorted(p.name for p in also.rglob("*")) == ["cropped.png", "deep", "empty", "link.png", "mask.png"]


def _folder(path):
    path.mkdir()
    return path


def test_copies_are_listed_where_they_are_to_stay(small, copy, listed, tmp_path, capsys):
    image = copy / fhibe.RAW / f"subject-{small.IMAGES[0]}" / small.IMAGES[0] / f"main_{small.IMAGES[0]}.png"
    other = tmp_path / "also" / "same.png"
    other.parent.mkdir()
    shutil.copy(image, other)
    assert run(copy, listed, "--also", other.parent) == 0
    told = capsys.readouterr()
    assert f"delete it yourself: {other}" in told.out and other.is_file() and not told.err
    assert run(copy, listed, "--also", other.parent, "--delete-copies") == 0
    assert "15 leaves were erased in an earlier run: copies of them can't be found any more" in capsys.readouterr().err


@pytest.mark.slow
def test_killed_at_random_it_ends_in_the_same_state(small, copy, listed, tmp_path):
    """A child is killed once to three times, somewhere in its run, 25 times over."""
    data = listed.read_bytes()
    dice, whole = random.Random(7), small.copy_of(copy, tmp_path / "whole")
    start = time.perf_counter()
    _carry_out(whole, data)
    lasts, expected, killed = time.perf_counter() - start, small.bytes_in(whole), 0
    for number in range(25):
        folder = small.copy_of(copy, tmp_path / f"copy-{number}")
        for _ in range(dice.randint(1, 3)):
            killed += small.killed(partial(_carry_out, folder, data), dice.uniform(0, lasts))
        _carry_out(folder, data)
        assert small.bytes_in(folder) == expected
        assert verify(folder).problems == []
        shutil.rmtree(folder)
    assert killed > 5


def _carry_out(folder, data: bytes) -> None:
    prune.carry_out(folder, orders.read(folder, data))


def test_it_starts_without_heavy_libraries(copy, listed):
    code = (
        "import sys; from accord.cli import main; main(sys.argv[1:]);"
        "assert not {'pandas', 'numpy', 'torch', 'yaml', 'sqlite3'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, "prune", copy, "--revocations", listed], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
