"""Grants, notices, acknowledgements and the overdue: the whole way between a publisher and those who hold a release."""

import hashlib
import json
import random
import shutil
import sys
import time
from datetime import date, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.holders import command
from accord.holders.notifying import acknowledgements, answers, mail, notices, outbox
from accord.holders.prune_command import main as prune_main
from accord.holders.register import grants, listing, overdue, store
from accord.release.erasing import orders, prune
from accord.release.seal import leaves, log, revocations
from accord.sealing import canonical, dsse, signing
from killing import changes

DAY = date(2026, 3, 1)
ANNA = {"name": "Anna Älvsjö, Institute of Examples", "contact": "anna@example.org"}
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
WHOLE = {outbox.LIST, outbox.TEXT, outbox.SIGNED, mail.MESSAGE}
"""What lies in the folder of a notice to somebody with an e-mail address."""


class Scene:
    """A publisher, a holder with a key and a copy."""

    def __init__(self, publisher, small, copy, tmp_path, key=KEY):
        self.publisher, self.small, self.copy, self.folder = publisher, small, copy, tmp_path
        self.vault, self.release = publisher.vault, publisher.releases / "1.0.0"
        self.path = grants.grant(self.vault, self.release, **ANNA, key=key and key.public_key())

    @property
    def holder(self) -> str:
        return grants.read(self.path.read_bytes(), self.publisher.key.public_key())["holder"]

    def withdraw(self, *numbers: int, today: date = DAY) -> int:
        """Revoke images, prune the publisher's own copy, announce it."""
        envelope = self.publisher.revoke(*(self.small.IMAGES[n] for n in numbers))
        prune.prune(self.release, envelope)
        return outbox.announce(self.vault, self.release, "1.0.0", envelope, today=today)

    def waiting(self) -> list[dict]:
        return outbox.waiting(self.vault)

    def answer(self, notice: dict | None, key=KEY, named: bool = True) -> bytes:
        """What the holder sends after carrying out a notice, or of the copy as it is."""
        data = _read(notice, outbox.LIST) if notice else (self.copy / revocations.NAME).read_bytes()
        order = orders.read(self.copy, data)
        prune.carry_out(self.copy, order)
        told = notices.held(_read(notice, outbox.SIGNED), "notice.json", order) if notice and named else None
        return acknowledgements.make(self.copy, order, key, told)

    def receive(self, envelope: bytes, today: date = DAY):
        return answers.receive(self.vault, envelope, today=today)

    def refused(self, envelope: bytes) -> str:
        """The text of the error; nothing was recorded."""
        before = _recorded(self.vault)
        with pytest.raises(AccordError) as caught:
            self.receive(envelope)
        assert _recorded(self.vault) == before
        return str(caught.value)


def _recorded(vault) -> tuple:
    with store.reading(vault) as opened:
        rows = [store.find(opened, kind) for kind in store.TABLES]
    return rows, (vault / log.PLACE).read_bytes()


def _read(notice: dict, name: str) -> bytes:
    return (Path(notice["folder"]) / name).read_bytes()


@pytest.fixture
def scene(publisher, small, copy, tmp_path):
    return Scene(publisher, small, copy, tmp_path)


def forged(envelope: bytes, signer=KEY, **changes) -> bytes:
    """An acknowledgement that says something else, signed anew."""
    content = dsse.content(envelope)
    content["predicate"] |= changes
    about = {"leaves": {"rfc9162-sha256": content["predicate"]["root"]}}
    about["leaves.jsonl"] = {"sha256": content["predicate"]["leaves_sha256"]}
    return dsse.seal(dsse.statement(acknowledgements.KIND, about, content["predicate"]), signer)


def test_a_grant_says_who_may_hold_what_and_is_logged_by_hash(scene):
    document = scene.path.read_bytes()
    key = scene.publisher.key.public_key()
    told = grants.read(document, key)
    statement = prune.orders.seal.read((scene.release / "release.dsse.json").read_bytes(), key)
    assert told == {
        "holder": told["holder"],
        "until": "",
        "dataset": "tiny",
        "version": "1.0.0",
        "root": statement["root"],
        "terms_sha256": hashlib.sha256(b"be kind\n").hexdigest(),
    }
    body = {"kind": "grant", "sha256": hashlib.sha256(document.strip()).hexdigest()}
    assert [entry["body"] for entry in log.entries(scene.vault, key)] == [body]
    assert scene.path.stat().st_mode & 0o777 == 0o600


def test_the_same_name_and_contact_are_the_same_holder(scene):
    again = grants.grant(scene.vault, scene.release, **ANNA)
    assert again == scene.path
    spelled = {**ANNA, "name": f" {ANNA['name'].replace('A', chr(0xFF21))}\u00a0"}
    assert grants.grant(scene.vault, scene.release, **spelled) == scene.path
    later = grants.grant(scene.vault, scene.publisher.publish("2.0.0"), **ANNA, until=date(2027, 1, 1))
    assert later.name == f"{scene.holder}-2.0.0.json"
    other = grants.grant(scene.vault, scene.release, ANNA["name"], "other@example.org")
    assert scene.holder not in other.name
    first, second = listing.holders(scene.vault)
    assert (first["name"], first["contact"]) == (ANNA["name"], ANNA["contact"])
    assert first["key"] == signing.fingerprint(KEY.public_key()) and first["trusted"] == "grant"
    assert [(one["version"], one["until"]) for one in first["releases"]] == [("1.0.0", ""), ("2.0.0", "2027-01-01")]
    assert second["key"] == ""


def test_bad_grants_are_told(scene):
    for name, contact, what in [("", "a\nb", "2 problems"), ("x" * 201, "a", "--name: is not one line of 1 to 200")]:
        with pytest.raises(AccordError, match=what):
            grants.grant(scene.vault, scene.release, name, contact)
    with pytest.raises(AccordError, match=r"release 9.0.0: there is no such release"):
        grants.grant(scene.vault, scene.publisher.releases / "9.0.0", "a", "b")
    assert len(listing.holders(scene.vault)) == 1


def test_a_notice_is_made_for_everyone_who_holds_the_version(scene):
    grants.grant(scene.vault, scene.release, "Bo", "bo@example.org")
    grants.grant(scene.vault, scene.publisher.publish("2.0.0"), "Cy", "cy@example.org")
    assert scene.withdraw(0, 1) == 2
    told = {one["name"]: one for one in scene.waiting()}
    assert set(told) == {ANNA["name"], "Bo"}
    assert {(one["made"], one["due"], one["sent"]) for one in told.values()} == {("2026-03-01", "2026-03-31", "")}
    listed = _read(told["Bo"], outbox.LIST)
    signed = notices.read(_read(told["Bo"], outbox.SIGNED), scene.publisher.key.public_key())
    assert signed["revocations_sha256"] == hashlib.sha256(listed).hexdigest()
    assert (signed["leaves"], signed["version"], signed["notice"]) == (10, "1.0.0", told["Bo"]["notice"])
    assert (signed["sent"], signed["due"], len(signed["receipts"])) == ("2026-03-01", "2026-03-31", 1)
    letter = _read(told["Bo"], outbox.TEXT).decode()
    assert "To: Bo\n" in letter and "by 2026-03-31" in letter and "accord prune PATH/TO/1.0.0" in letter
    assert signing.fingerprint(scene.publisher.key.public_key()) in letter and "Anna" not in letter
    everything = b"".join(scene.small.bytes_in(scene.vault / "outbox").values())
    assert not [image for image in scene.small.IMAGES if image.encode() in everything]


def test_announcing_again_makes_the_same_notice(scene):
    scene.withdraw(0)
    before = scene.small.bytes_in(scene.vault)
    envelope = revocations.envelopes(scene.release)[0]
    assert outbox.announce(scene.vault, scene.release, "1.0.0", envelope, today=DAY + timedelta(9)) == 1
    assert scene.small.bytes_in(scene.vault) == before


def test_who_missed_a_notice_catches_up(scene):
    """The second list holds both revocations; one answer closes both notices; older ones are then of no use."""
    scene.withdraw(0)
    scene.withdraw(1, 2, today=DAY + timedelta(5))
    first, second = scene.waiting()
    assert len(_read(first, outbox.LIST).splitlines()) == 1
    assert _read(second, outbox.LIST).splitlines() == revocations.envelopes(scene.release)
    done = scene.receive(scene.answer(second))
    assert done.closed == [first["notice"], second["notice"]] and done.compared and not done.first_use
    assert scene.waiting() == [] and list((scene.vault / "outbox").iterdir()) == []


def test_revocations_that_were_carried_out_but_not_announced_are_in_the_list(scene):
    """Two erasures at once: both are pruned before the first is announced; nobody gets two notices."""
    both = [scene.publisher.revoke(scene.small.IMAGES[n]) for n in (0, 1)]
    for envelope in both:
        prune.prune(scene.release, envelope)
    for envelope in both:
        assert outbox.announce(scene.vault, scene.release, "1.0.0", envelope, today=DAY) == 1
    (notice,) = scene.waiting()
    assert sorted(_read(notice, outbox.LIST).splitlines()) == sorted(both)
    assert scene.receive(scene.answer(notice)).compared


def test_announced_before_the_own_copy_was_pruned(scene):
    envelope = scene.publisher.revoke(scene.small.IMAGES[0])
    assert outbox.announce(scene.vault, scene.release, "1.0.0", envelope, today=DAY) == 1
    assert scene.receive(scene.answer(scene.waiting()[0])).compared


def test_only_revocations_of_that_version_by_the_vault_are_announced(scene):
    later = scene.publisher.publish("2.0.0")
    envelope = scene.publisher.revoke(scene.small.IMAGES[0], of=later)
    for folder, version, what in [
        (scene.release, "1.0.0", "revocation: belongs to another release"),
        (later, "1.0.0", r"release 1.0.0: its folder holds version 2.0.0"),
        (scene.folder / "none", "1.0.0", "there is no such release"),
    ]:
        with pytest.raises(AccordError, match=what):
            outbox.announce(scene.vault, folder, version, envelope, today=DAY)
    strange = revocations.revoke({"version": "1.0.0", "root": "ab"}, [], OTHER)
    with pytest.raises(AccordError, match="was not signed with this key"):
        outbox.announce(scene.vault, scene.release, "1.0.0", strange, today=DAY)
    assert scene.waiting() == []


@pytest.mark.parametrize("lost", [outbox.LIST, outbox.SIGNED, ""])
def test_an_outbox_that_was_interrupted_is_made_again(scene, lost):
    """A part of a notice is missing, a folder of no notice is there; what else somebody put there is left alone."""
    scene.withdraw(0)
    place = scene.vault / "outbox"
    whole = scene.small.bytes_in(place)
    (folder,) = place.iterdir()
    if lost == outbox.LIST:
        (folder / outbox.LIST).unlink()
        (folder / outbox.SIGNED).unlink()
    elif lost:
        (folder / lost).rename(folder / f"{lost}.partial")
    else:
        shutil.rmtree(folder)
    (place / "01234567-89ab-4cde-8f01-23456789abcd").mkdir()
    (place / "notes").mkdir()
    outbox.announce(scene.vault, scene.release, "1.0.0", revocations.envelopes(scene.release)[0], today=DAY)
    assert scene.small.bytes_in(place) == whole
    assert sorted(path.name for path in place.iterdir()) == sorted([folder.name, "notes"])


def test_an_answer_is_recorded_and_logged_by_hash(scene):
    scene.withdraw(0)
    envelope = scene.answer(scene.waiting()[0])
    done = scene.receive(envelope + b"\n", today=DAY + timedelta(3))
    assert (done.new, done.holder, done.version) == (True, scene.holder, "1.0.0")
    again = scene.receive(envelope, today=DAY + timedelta(4))
    assert (again.new, again.closed) == (False, [])
    bodies = [entry["body"] for entry in log.entries(scene.vault, scene.publisher.key.public_key())]
    assert bodies[1:] == [{"kind": "acknowledgement", "sha256": hashlib.sha256(envelope).hexdigest()}]
    assert listing.holders(scene.vault)[0]["releases"][0]["acknowledged"] == "2026-03-04"


def test_an_answer_that_names_no_notice_is_known_by_its_key(scene):
    scene.withdraw(0)
    assert scene.receive(scene.answer(scene.waiting()[0], named=False)).closed
    text = scene.refused(forged(scene.answer(None), OTHER, key=_pem(OTHER), notice=""))
    assert "is signed with an unregistered key" in text


def _pem(key) -> str:
    return signing.public_text(key.public_key()).decode()


def test_without_a_registered_key_the_first_one_is_trusted(publisher, small, copy, tmp_path):
    scene = Scene(publisher, small, copy, tmp_path, key=None)
    scene.withdraw(0)
    done = scene.receive(scene.answer(scene.waiting()[0], OTHER))
    assert done.first_use and done.key == signing.fingerprint(OTHER.public_key())
    assert listing.holders(scene.vault)[0]["trusted"] == "first use"
    scene.withdraw(1)
    assert "was not signed with the key that holder" in scene.refused(scene.answer(scene.waiting()[0], KEY))
    grants.grant(scene.vault, scene.release, **ANNA, key=KEY.public_key())
    assert scene.receive(scene.answer(scene.waiting()[0], KEY)).closed


def test_wrong_answers_are_refused(scene):
    scene.withdraw(0)
    scene.withdraw(1)
    first, second = scene.waiting()
    early = scene.answer(first)
    late = scene.answer(second)
    receipts = dsse.content(late)["predicate"]["receipts"]
    never = "01234567-89ab-4cde-8f01-23456789abcd"
    gap = revocations.receipt(_read(second, outbox.LIST).splitlines()[1])
    for envelope, what in [
        (b"hello", "acknowledgement: is not valid JSON"),
        (late[:-20], "acknowledgement: is not valid JSON"),
        (forged(late, OTHER), "was not signed with this key, or was changed since"),
        (forged(late, OTHER, key=_pem(OTHER)), f"was not signed with the key that holder {scene.holder} registered"),
        (forged(late, root="00" * 32), "is about another release"),
        (forged(late, notice=never), f"names an unknown notice ({never})"),
        (forged(early, notice=second["notice"]), "is incomplete: it lacks 1 of 2 revocation(s)"),
        (forged(late, receipts=[gap]), "is incomplete: it lacks 1 of 2 revocation(s)"),
        (forged(late, receipts=[]), "is incomplete: it lacks 2 of 2 revocation(s)"),
        (forged(late, receipts=sorted([*receipts, "ab" * 32])), "names 1 revocation(s) that were never announced"),
        (forged(late, leaves=9), "its leaves.jsonl doesn't match the release after these revocations"),
        (forged(late, leaves_sha256="cd" * 32), "its leaves.jsonl doesn't match the release"),
        (forged(late, extra=1), "its statement is not that of an acknowledgement"),
        (forged(late, receipts="all"), "its statement is not that of an acknowledgement"),
        (forged(late, key="-"), "is not a valid public key"),
    ]:
        assert what in scene.refused(envelope), what
    text = scene.refused(forged(late, OTHER, key=_pem(OTHER), leaves=9, receipts=[*receipts, "ab" * 32]))
    assert text.startswith("2 problems found")
    assert scene.receive(late).closed == [first["notice"], second["notice"]]


def test_an_old_answer_does_not_close_a_newer_notice(scene):
    scene.withdraw(0)
    early = scene.answer(scene.waiting()[0])
    scene.receive(early)
    scene.withdraw(1)
    (newer,) = scene.waiting()
    text = scene.refused(early)
    assert f"was recorded before, on 2026-03-01, and is older than the notice of 2026-03-01 ({newer['notice']})" in text
    assert "is older than the notice of" in scene.refused(forged(early, notice=""))
    assert "is incomplete" in scene.refused(forged(early, notice=newer["notice"]))
    assert scene.waiting() == [newer]


def test_an_early_answer_that_comes_late_closes_what_it_covers(scene):
    scene.withdraw(0)
    early = scene.answer(scene.waiting()[0])
    scene.withdraw(1)
    first, second = scene.waiting()
    done = scene.receive(early)
    assert (done.closed, done.still_open, done.compared) == ([first["notice"]], [second["notice"]], True)


def test_an_answer_from_a_copy_that_lost_live_leaves_is_refused(scene):
    scene.withdraw(0)
    lines = (scene.copy / leaves.NAME).read_bytes().splitlines()
    keeps = next(n for n, line in enumerate(lines) if scene.small.IMAGES[5].encode() in line)
    lines[keeps] = lines[keeps][:-5]
    (scene.copy / leaves.NAME).write_bytes(b"".join(line + b"\n" for line in lines))
    assert "their copy is damaged or not all was erased" in scene.refused(scene.answer(scene.waiting()[0]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_changed_byte_of_an_answer_is_found(scene, draw):
    if not scene.waiting():
        scene.withdraw(0)
        scene.envelope = scene.answer(scene.waiting()[0])
    at, flip = draw.draw(st.integers(0, len(scene.envelope) - 1)), draw.draw(st.integers(1, 255))
    scene.refused(
        scene.envelope[:at] + bytes([scene.envelope[at] ^ flip]) + scene.envelope[at + 1 :] + b"x" * (at == 0)
    )


@pytest.mark.slow
def test_killed_at_random_notices_and_answers_are_there_once(scene, small):
    """A child is killed somewhere in announcing, and in recording the answer, 12 times over; then it is done again."""
    dice, start = random.Random(5), time.perf_counter()
    scene.withdraw(5)
    lasts, killed = time.perf_counter() - start, 0
    scene.receive(scene.answer(scene.waiting()[0]))
    for number in range(12):
        envelope = revocations.revoke(
            {"version": "1.0.0", "root": _root(scene)},
            _hashes(scene)[number : number + 2],
            scene.publisher.key,
        )
        announce = partial(outbox.announce, scene.vault, scene.release, "1.0.0", envelope, today=DAY)
        killed += small.killed(announce, dice.uniform(0, lasts))
        assert announce() == 1
        (notice,) = scene.waiting()
        assert [path.name for path in (scene.vault / "outbox").iterdir()] == [notice["notice"]]
        answer = scene.answer(notice)
        killed += small.killed(partial(scene.receive, answer), dice.uniform(0, lasts))
        assert scene.receive(answer).closed in ([], [notice["notice"]])
        assert scene.waiting() == []
    bodies = [entry["body"]["kind"] for entry in log.entries(scene.vault, scene.publisher.key.public_key())]
    assert bodies == ["grant"] + ["acknowledgement"] * 13
    assert killed > 3


def test_an_outbox_that_is_made_again_and_killed_before_any_change_is_whole_in_the_end(scene, tmp_path):
    envelope = scene.publisher.revoke(scene.small.IMAGES[0])
    announced = partial(outbox.announce, folder=scene.release, version="1.0.0", envelope=envelope, today=DAY)
    announced(scene.vault)
    shutil.rmtree(scene.vault / outbox.FOLDER)
    for number in count(1):
        vault = shutil.copytree(scene.vault, tmp_path / f"vault{number}")
        ended = changes(partial(announced, vault), fatal=number)
        announced(vault)
        (notice,) = outbox.waiting(vault)
        assert {path.name for path in Path(notice["folder"]).iterdir()} == WHOLE
        if ended:
            break
    assert number > len(WHOLE)


def _root(scene) -> str:
    return orders.read(scene.release, revocations.envelopes(scene.release)[0]).root


def _hashes(scene) -> list[bytes]:
    return [leaves.parse(line).hash for line in (scene.release / leaves.NAME).read_bytes().splitlines()]


def test_overdue_is_what_is_past_its_day_and_not_answered(scene):
    scene.withdraw(0)
    (notice,) = scene.waiting()
    due = DAY + timedelta(30)
    assert overdue.overdue(scene.vault, due) == []
    (late,) = overdue.overdue(scene.vault, due + timedelta(2))
    assert (late["notice"], late["days"], late["sent"]) == (notice["notice"], 2, "")
    assert "Anna" not in json.dumps(late)
    scene.receive(scene.answer(notice))
    assert overdue.overdue(scene.vault, due + timedelta(2)) == []


def test_who_deleted_their_copy_gets_no_more_notices(scene):
    scene.withdraw(0)
    assert grants.end(scene.vault, scene.holder, "1.0.0", today=DAY) == 1
    assert scene.waiting() == [] and overdue.overdue(scene.vault, date(2030, 1, 1)) == []
    assert scene.withdraw(1) == 0
    grants.grant(scene.vault, scene.release, **ANNA)
    assert len(scene.waiting()) == 1  # they got the release again: what they left unanswered is open again
    for holder, version, what in [
        (scene.holder, "3.0.0", "has no grant of 3.0.0"),
        ("nobody", "1.0.0", "is unknown"),
    ]:
        with pytest.raises(AccordError, match=what):
            grants.end(scene.vault, holder, version, today=DAY)


def test_names_are_in_the_store_and_the_outbox_alone(scene):
    scene.withdraw(0)
    scene.receive(scene.answer(scene.waiting()[0]))
    scene.withdraw(1)
    for word in (b"Anna", "Älvsjö".encode(), b"anna@example.org"):
        files = [p for p in scene.folder.rglob("*") if p.is_file() and word in p.read_bytes()]
        places = {p.relative_to(scene.folder / "publisher").parts[:2] for p in files}
        assert places <= {("vault", "holders"), ("vault", "outbox")} and ("vault", "holders") in places
    assert not [p for p in scene.folder.rglob("*") if "anna" in str(p.relative_to(scene.folder)).lower()]


def test_the_forgotten_leave_their_id_and_hashes(scene):
    scene.withdraw(0)
    scene.receive(scene.answer(scene.waiting()[0]))
    scene.withdraw(1)
    holder, logged = scene.holder, (scene.vault / log.PLACE).read_bytes()
    late = scene.answer(scene.waiting()[0])
    assert grants.end(scene.vault, holder, today=DAY, forget=True) == 1
    words = (b"Anna", "Älvsjö".encode(), b"anna@example.org", _pem(KEY).splitlines()[1].encode())
    kept = {p: p.read_bytes() for p in scene.vault.rglob("*") if p.is_file()}
    assert not [p for p, data in kept.items() if p.name != "holders.sqlite" and any(word in data for word in words)]
    store_bytes = (scene.vault / "holders" / "holders.sqlite").read_bytes()
    assert not [word for word in words[:3] if word in store_bytes]
    (left,) = listing.holders(scene.vault)
    assert (left["holder"], left["name"], left["contact"], left["key"]) == (holder, "", "", "")
    assert (scene.vault / log.PLACE).read_bytes() == logged
    assert "is signed with an unregistered key" in scene.refused(late)


def run(*argv) -> int:
    return command.main([str(word) for word in argv])


def test_the_whole_way_by_command(publisher, small, copy, tmp_path, capsys):
    vault = ("--vault", publisher.vault)
    key, ack = tmp_path / "holder.pem", tmp_path / "ack.json"
    assert run("key", "--out", key) == 0
    assert key.stat().st_mode & 0o777 == 0o600
    capsys.readouterr()
    who = ("--name", ANNA["name"], "--contact", ANNA["contact"], "--key", key.with_suffix(".pub"))
    assert run("grant", *who, "--release", "1.0.0", "--releases", publisher.releases, *vault) == 0
    assert "Anna" not in capsys.readouterr().out
    envelope = publisher.revoke(small.IMAGES[0])
    assert outbox.announce(publisher.vault, publisher.releases / "1.0.0", "1.0.0", envelope, today=DAY) == 1
    assert run("outbox", *vault) == 0
    assert "TO BE SENT, due 2026-03-31" in capsys.readouterr().out
    (notice,) = outbox.waiting(publisher.vault)
    assert run("sent", "--notice", notice["notice"], "--on", "2026-03-02", *vault) == 0
    assert run("outbox", "--json", *vault) == 0
    assert json.loads(capsys.readouterr().out)[0]["sent"] == "2026-03-02"
    assert run("overdue", "--on", "2026-03-31", *vault) == 0
    assert run("overdue", "--on", "2026-04-01", *vault) == 1
    assert "1 day(s) over" in capsys.readouterr().out
    mail = shutil.copytree(notice["folder"], tmp_path / "mail")
    flags = ["--revocations", mail / "revocations.jsonl", "--notice", mail / "notice.json"]
    flags += ["--acknowledge", ack, "--holder-key", key, "--key", publisher.public(tmp_path / "publisher.pem")]
    assert prune_main([str(word) for word in [copy, *flags]]) == 0
    capsys.readouterr()
    assert run("acknowledge", ack, "--on", "2026-03-20", *vault) == 0
    assert f"notices closed: {notice['notice']}" in capsys.readouterr().out
    assert run("overdue", "--on", "2026-04-01", "--json", *vault) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run("list", *vault) == 0
    assert f"{ANNA['name']}  {ANNA['contact']}\n    1.0.0\n1 holder(s)" in capsys.readouterr().out
    assert run("end", "--holder", notice["holder"], "--forget", *vault) == 0
    assert run("list", "--json", *vault) == 0
    assert "Anna" not in capsys.readouterr().out


def test_a_first_key_is_told_by_command(publisher, small, copy, tmp_path, capsys):
    scene = Scene(publisher, small, copy, tmp_path, key=None)
    scene.withdraw(0)
    (tmp_path / "ack.json").write_bytes(scene.answer(scene.waiting()[0]))
    assert run("acknowledge", tmp_path / "ack.json", "--vault", scene.vault) == 0
    out = capsys.readouterr().out
    assert "that it is this holder's, nothing has shown" in out and signing.fingerprint(KEY.public_key()) in out


def test_bad_commands_are_told(scene, tmp_path):
    vault = ("--vault", scene.vault)
    key = tmp_path / "key.pem"
    run("key", "--out", key)
    for argv, what in [
        (("key", "--out", key), "already exists"),
        (("end", "--holder", scene.holder, *vault), "--release: is missing"),
        (
            ("end", "--holder", scene.holder, "--release", "1.0.0", "--forget", *vault),
            "can't be combined with --forget",
        ),
        (("sent", "--notice", "x", *vault), "notice x: is unknown"),
        (("acknowledge", tmp_path / "none", *vault), "can't be read"),
        (
            ("grant", "--name", "a", "--contact", "b", "--release", "1.0.0", "--key", key, *vault),
            "is not a valid public key",
        ),
    ]:
        with pytest.raises(AccordError, match=what):
            run(*argv)


def test_an_empty_vault_has_no_holders_and_stays_as_it_is(tmp_path, capsys):
    for action in ("list", "outbox", "overdue"):
        assert run(action, "--vault", tmp_path / "vault") == 0
    assert not (tmp_path / "vault").exists()


def test_an_acknowledgement_is_written_only_where_all_is_gone(scene, tmp_path, capsys):
    """A list that was cut doesn't fit its notice; a copy that keeps something gets no acknowledgement."""
    scene.withdraw(0)
    scene.withdraw(1)
    _, notice = scene.waiting()
    mail, key = shutil.copytree(notice["folder"], tmp_path / "mail"), tmp_path / "holder.pem"
    run("key", "--out", key)
    whole = (mail / "revocations.jsonl").read_bytes()
    flags = [scene.copy, "--revocations", mail / "revocations.jsonl", "--notice", mail / "notice.json"]
    flags += ["--acknowledge", tmp_path / "ack.json", "--holder-key", key]
    (mail / "revocations.jsonl").write_bytes(whole.splitlines()[0])
    before = scene.small.bytes_in(scene.copy)
    with pytest.raises(AccordError, match=r"names 2 revocation\(s\), of which the list lacks 1: it was cut"):
        prune_main([str(word) for word in flags])
    assert scene.small.bytes_in(scene.copy) == before
    (mail / "revocations.jsonl").write_bytes(whole)
    lines = (scene.copy / leaves.NAME).read_bytes().splitlines(keepends=True)
    lost = next(n for n, line in enumerate(lines) if scene.small.IMAGES[0].encode() in line)
    (scene.copy / leaves.NAME).write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    with pytest.raises(AccordError, match="was not written: some revoked data is left"):
        prune_main([str(word) for word in flags])
    assert not (tmp_path / "ack.json").exists()
    with pytest.raises(AccordError, match="is not a valid Ed25519 key without password"):
        prune_main([str(word) for word in [*flags[:-1], mail / "notice.json"]])


def test_a_notice_of_something_else_is_refused(scene):
    scene.withdraw(0)
    (notice,) = scene.waiting()
    order = orders.read(scene.copy, _read(notice, outbox.LIST))
    signed = _read(notice, outbox.SIGNED)
    told = notices.read(signed, order.key)
    for envelope, what in [
        (notices.make(told, OTHER), "notice.json: was not signed with this key"),
        (notices.make(told | {"root": "00" * 32}, scene.publisher.key), "notice.json: is about another release"),
        (canonical.encode({}), "is not a valid DSSE envelope"),
    ]:
        with pytest.raises(AccordError, match=what):
            notices.held(envelope, "notice.json", order)


def test_equal_copies_give_equal_acknowledgements(scene, tmp_path):
    scene.withdraw(0)
    (notice,) = scene.waiting()
    assert scene.answer(notice) == scene.answer(notice)
    assert sys.getsizeof(scene.answer(notice)) < 3000
