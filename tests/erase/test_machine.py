"""A case from withdrawal to closing: what falls, what stays, what stops it, and what is left of it."""

import email
import email.policy
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from erase_cases import (
    IMAGES,
    NOW,
    REFERENCES,
    House,
    forget,
    image,
    locked_by_another_process,
    record_of,
    say,
    sha,
    who,
)

from accord.consent.ledger import ledger
from accord.consent.requests import suppression
from accord.engine import table
from accord.erase.cases import case as cases
from accord.erase.cases import machine, receipt
from accord.erase.cases.case import CLOSED, DOSSIER, FACTS, PLANNED
from accord.erase.cases.machine import Options
from accord.erase.executing import execute
from accord.erase.executing.effects import Effects
from accord.erase.planning import plan
from accord.errors import AccordError, Problem
from accord.look.views import log as views
from accord.release.seal import log, revocations
from accord.release.seal.verification import verify
from accord.review.database import accounts, chain, store, work
from accord.review.tables import Items
from accord.scan import dossier
from accord.scan.inspection import Inspector
from accord.scan.walk import walk
from accord.sealing import signing

FALLEN = (image("IMG_00001"), image("IMG_00002"))


def opened(house):
    machine.open_new(house.places, house.effects())
    return cases.every(house.places.cases)


def run(house, options=None, **effects):
    machine.open_new(house.places, house.effects())
    chosen = cases.every(house.places.cases)
    return machine.carry_on(chosen, house.places, house.effects(**effects), options or house.options()), chosen


def bytes_below(*folders):
    files = [path for folder in folders for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return b"".join(path.as_posix().encode() + path.read_bytes() for path in files)


def test_a_case_opens_once_for_whoever_withdrew_as_a_whole(house):
    (case,) = opened(house)
    assert (case.stage, len(opened(house))) == ("received", 1)
    with ledger.reading(house.places.vault) as book:
        recorded = [at for _, at, event in ledger.recorded(book, ledger.ConsentEvent) if event.state == "withdrawn"]
    assert [case.read(FACTS)["received"]] == recorded
    assert re.fullmatch("[0-9a-f]{16}", case.name)
    modes = {path.stat().st_mode & 0o777 for path in (case.folder, *case.folder.iterdir())}
    assert modes == {0o700, 0o600}


@pytest.mark.parametrize("flags, cases_there", [
    (["--scope", "collect"], 2),
    (["--scope", "publish_image"], 2),
    (["--scope", "publish_attr:pronoun"], 1),
    (["--delivery", "2026-03", "--image", "IMG_00004"], 1),
    (["--role", "annotator"], 1),
    (["--role", "rightsholder"], 1),
])  # fmt: skip
def test_not_every_withdrawal_is_a_case(house, flags, cases_there):
    house.withdraw("cid", *flags)
    assert len(opened(house)) == cases_there


def test_whoever_was_let_in_again_has_no_case(house):
    say("grant", "ann", "--on", "2026-11-04")
    assert opened(house) == []


def test_whoever_is_let_in_again_before_anything_was_touched_is_not_erased(house):
    (case,) = opened(house)
    plan.make(case, house.places, house.effects())
    say("grant", "ann", "--on", "2026-11-04")
    before = bytes_below("results", "releases", "delivery")
    assert run(house) == ([], [case])
    assert [line["step"] for line in case.journal()] == ["received", "planned", "let in again", "closed"]
    assert not (case.folder / "person.json").exists()
    assert bytes_below("results", "releases", "delivery") == before
    house.withdraw("ann", "--on", "2026-11-05")
    assert [one.stage for one in opened(house) if one != case] == ["received"]


def test_a_wish_in_the_inbox_opens_a_case(house):
    lines = f"action,vendor,subject,on\nwithdraw,acme,{REFERENCES['dan']},2026-11-03\n"
    Path("inbox/wishes.csv").write_text(lines)
    assert len(opened(house)) == 2


def test_the_plan_names_all_that_a_scan_finds(house):
    (case,) = opened(house)
    told = plan.make(case, house.places, house.effects())
    assert case.stage == PLANNED
    known = house.effects().dossier(house.places, plan.person.of(case.read("person.json")))
    inspector = Inspector(known)
    walk([house.places.results], inspector)
    found = {finding.place.path for finding in inspector.findings}
    assert len(found) == 5  # all but the page, the release's record, and the sizes, which name nobody
    assert found <= told["results"].keys()


def test_the_plan_follows_the_lineage_and_nothing_else(house):
    (case,) = opened(house)
    told = plan.make(case, house.places, house.effects())
    shard = ["checks/00/decode.parquet", "checks/00/sizes.parquet", "intake/00/images.parquet", "intake/00/images.tar",
             "intake/00/people.parquet"]  # fmt: skip
    gathers = ["checks/verdicts.parquet", "release/release.json", "report/index.html"]
    assert list(told["results"]) == sorted(f"results/{name}" for name in shard + gathers)
    assert told["results"]["results/intake/00/people.parquet"] == 3
    assert told["results"]["results/checks/00/sizes.parquet"] == 0
    assert told["records"] == sorted(str(record_of(path)) for path in told["results"])
    assert len(told["logs"]) == 8 - 1  # images.tar and images.parquet have the same log here
    assert (told["ledger"], told["index"], told["images"], told["replacements"]) == (3 + 1 + 3, 2, 2, 1)
    assert told["deliveries"] == {"delivery": {"rows": 2 + 3 + 1}}
    (fallen,) = told["releases"].values()
    assert (len(fallen["leaves"]), fallen["files"]) == (2 * 3, 2 * 2)


def test_a_plan_is_shown_without_saying_whom_it_is_about(house):
    (case,) = opened(house)
    before = bytes_below("results", "releases", "delivery", "inbox")
    plan.make(case, house.places, house.effects())
    shown = plan.text(plan.document(case)) + json.dumps(plan.document(case))
    assert [word for word in (REFERENCES["ann"], who("ann"), *FALLEN, "IMG_00001") if word in shown] == []
    assert "1.0.0: 6 leaves, of which 4 are files" in shown
    assert "results/intake/00/people.parquet  (3 rows with their data)" in shown
    assert bytes_below("results", "releases", "delivery", "inbox") == before


def test_a_case_goes_all_the_way(house, capsys):
    stops, (case,) = run(house)
    assert (stops, case.stage) == ([], CLOSED)
    left = bytes_below("results", "releases", "vault", "logs", ".snakemake", "delivery", "inbox")
    for word in (REFERENCES["ann"], who("ann"), *FALLEN, sha("IMG_00001"), sha("IMG_00002")):
        assert word.encode() not in left
    for word in (who("bob"), REFERENCES["bob"], image("IMG_00003")):
        assert word.encode() in left
    with ledger.reading(house.places.vault) as book:
        assert suppression.is_erased(ledger.book(house.places.vault, book).of("subject", who("ann")))
    old = verify(Path("releases/1.0.0"))
    assert (old.problems, old.erased) == ([], 6)
    assert json.loads(Path("vault/admitted.json").read_text()) == [image("IMG_00005")]
    assert not Path("vault/keys/subjects", who("ann")).exists()
    assert opened(house) == [case]
    told = capsys.readouterr().err
    assert re.match(r"accord erase: \d+ files in \d+ folders\n", told), told


def test_every_delivery_is_redacted(house):
    shutil.copytree("delivery", "later")
    both = House(house.places._replace(deliveries=(Path("delivery"), Path("later"))))
    (_, (case,)) = run(both)
    assert REFERENCES["ann"].encode() not in bytes_below("delivery", "later")
    assert case.read(FACTS)["deliveries"] == [{"rows": 6}] * 2 and case.has(CLOSED)


def test_reviews_and_views_of_the_person_and_of_images_of_two_go_and_others_stay(house):
    usual = {"queue": "logos", "other": "", "region": "", "check": "logo", "kind": "logo", "polygon": [], "score": 1.0,
             "threshold": 0.6, "reason": ""}  # fmt: skip
    shown = [(reference, people[0]) for reference, people in IMAGES.items()]
    asked = [{**usual, "item": f"item-{r}", "image": image(r), "subject": who(name)} for r, name in shown]
    with store.opened(house.places.vault) as db:
        accounts.add(db, "ada", accounts.REVIEWER, "correct horse battery")
        work.add_items(db, table.rows(asked, Items))
        work.assign(db, "logos", ["ada"])
        for item in asked:
            work.vote(db, "ada", item["item"], "dismiss", note=f"said of {item['image']}")
    for name in ("IMG_00001", "IMG_00003"):
        views.note(house.places.vault, image(name), "yunet", True)
    planned = next(machine.planned(opened(house), house.places, house.effects()))
    assert "2 review items with their answers" in plan.text(plan.document(planned))
    _, (case,) = run(house)
    assert case.read("case.json")["reviews"] == 2
    assert [one.image for one in views.views(house.places.vault)] == [image("IMG_00003")]
    left = bytes_below("vault")
    assert [word for word in (*FALLEN, "item-IMG_00001", "item-IMG_00002") if word.encode() in left] == []
    with store.reading(house.places.vault) as db:
        assert chain.verify(db) == []
        assert sorted(work.decided(db)["item"]) == ["item-IMG_00003", "item-IMG_00004", "item-IMG_00005"]


def test_what_is_left_of_a_case_names_nobody(house):
    _, (case,) = run(house)
    names = {path.relative_to(case.folder).as_posix() for path in case.folder.rglob("*") if path.is_file()}
    assert names == {"case.json", "journal.jsonl", "receipt.dsse.json", "revocations/1.0.0.json"}
    assert [line["step"] for line in case.journal()] == [
        "received", "planned", "execution began", *execute.STEPS, "executed", "indexes forgot", "rebuilt", "scanned",
        "receipt", "notified", "closed",
    ]  # fmt: skip


def test_other_shards_are_untouched(house):
    kept = {path: path.stat().st_mtime_ns for path in Path("results").rglob("01/*")}
    run(house, options=Options(None))
    assert {path: path.stat().st_mtime_ns for path in Path("results").rglob("01/*")} == kept
    assert not Path("results/intake/00/people.parquet").exists()
    assert not record_of("results/report/index.html").exists()
    assert record_of("results/checks/01/decode.parquet").exists()


def test_the_receipt_can_be_checked_with_the_public_key_alone(house):
    with ledger.reading(house.places.vault) as book:
        commitments = {str(seq): c for seq, _, c, _ in ledger.chain.entries(book)}
    _, (case,) = run(house)
    envelope = (case.folder / "receipt.dsse.json").read_bytes()
    key = signing.signing_key(house.places.vault).public_key()
    told = receipt.check(envelope, key)
    assert (told["case"], told["executed"], told["images"], told["replacements"]) == (case.name, NOW, 2, 1)
    assert told["entries"].items() <= commitments.items()
    assert len(told["entries"]) == 7
    revocation = (case.folder / "revocations/1.0.0.json").read_bytes()
    assert told["releases"] == [{
        "version": "1.0.0", "root": verify(Path("releases/1.0.0")).statement["root"], "leaves": 6,
        "revocation": revocations.receipt(revocation),
    }]  # fmt: skip
    assert revocation in revocations.envelopes(Path("releases/1.0.0"))
    assert Path("vault/outbox/1.0.0.json").read_bytes() == revocation
    assert told["scan"]["findings"] == 0
    body = {"kind": "erasure", "case": case.name, "receipt": hashlib.sha256(envelope).hexdigest()}
    assert log.entries(house.places.vault, key)[-1]["body"] == body
    other = Ed25519PrivateKey.generate().public_key()
    with pytest.raises(ValueError, match="was not signed with this key"):
        receipt.check(envelope, other)
    with pytest.raises(ValueError):
        receipt.check(envelope.replace(b'"payload":"e', b'"payload":"f'), key)


def test_the_officer_has_a_message_that_names_nobody(house):
    _, (case,) = run(house)
    path = house.places.vault / "outbox" / f"{case.name}.eml"
    assert path.stat().st_mode & 0o777 == 0o600
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert (message["To"], message["X-Unsent"], message["Subject"]) == (None, "1", f"Erasure {case.name} is done")
    body, attached = message.iter_parts()
    assert f"erasure {case.name}" in body.get_content() and "must delete their copies: 1." in body.get_content()
    key = signing.signing_key(house.places.vault).public_key()
    assert receipt.check(attached.get_content(), key)["case"] == case.name
    assert not any(name.encode() in path.read_bytes() for name in (who("ann"), REFERENCES["ann"], *FALLEN))


def test_a_leak_stops_the_case_and_it_goes_on_once_it_is_gone(house):
    leak = Path("results/notes.txt")
    leak.write_text(f"seen: {REFERENCES['ann']}\n")
    outside = Path("elsewhere")
    outside.mkdir()
    (outside / "copy.bin").write_bytes(FALLEN[0].encode())
    leak.rename(outside / "notes.txt")
    (stop,), (case,) = run(house, house.options("elsewhere"))
    assert (stop.stage, case.stage) == ("rebuilt", "rebuilt")
    assert "the scan found 2 kind(s) of traces" in stop.why
    assert "elsewhere/notes.txt : vendor's reference (text), 1" in stop.why
    assert REFERENCES["ann"] not in stop.why
    one_judged = house.options("elsewhere")._replace(judged=1)
    assert "the scan found 2 kind(s) of traces" in run(house, one_judged)[0][0].why
    for path in outside.iterdir():
        path.unlink()
    stops, _ = run(house, house.options("elsewhere"))
    assert (stops, case.stage) == ([], CLOSED)


def test_traces_that_a_person_judged_are_in_the_receipt(house):
    Path("elsewhere").mkdir()
    Path("elsewhere/notes.txt").write_text(f"somebody else is called so too: {REFERENCES['ann']}\n")
    stops, (case,) = run(house, house.options("elsewhere")._replace(judged=1))
    key = signing.signing_key(house.places.vault).public_key()
    told = receipt.check((case.folder / "receipt.dsse.json").read_bytes(), key)
    assert (stops, told["scan"]["findings"]) == ([], 1)
    assert "1 traces, judged to belong to somebody else" in receipt.text(told)


def test_a_case_waits_for_the_rebuild(house):
    (stop,), (case,) = run(house, options=Options(None))
    assert case.stage == "executed"
    assert "results/release/release.json: is missing: the release has not been rebuilt yet" in stop.why
    with pytest.raises(AccordError, match="the workflow failed with exit code 1"):
        run(house, options=Options(["false"]))
    with pytest.raises(AccordError, match="can't be started"):
        run(house, options=Options(["no-such-program"]))
    assert run(house)[0] == []


WAITS = r"""cp -a after/. . && mkdir -p .snakemake/log logs
printf 'accord: 1 problem found\n  - release.publish: 7 images awaiting review: nothing was published\n' > logs/plan.log
printf 'Error in rule release_plan:\n    jobid: 1\n    log: logs/plan.log (check log file(s) for error details)\n' \
    > .snakemake/log/2099.snakemake.log
exit 1"""


def test_a_rebuild_that_waits_for_reviews_alone_holds_no_erasure_up(house):
    assert run(house, options=Options(["sh", "-c", WAITS]))[0] == []


def test_a_rebuild_that_brings_them_back_is_told(house):
    Path("after/results/intake/00/people.parquet").write_bytes(Path("results/intake/00/people.parquet").read_bytes())
    (stop,), (case,) = run(house)
    assert case.stage == "executed"
    assert "results/intake/00/people.parquet: contains erased data" in stop.why


def test_two_people_of_one_image_are_both_erased(tmp_path, monkeypatch):
    (tmp_path / "both").mkdir()
    monkeypatch.chdir(tmp_path / "both")
    house = House.build(gone=("ann", "bob")).withdraw("ann").withdraw("bob")
    stops, found = run(house)
    assert (stops, [case.stage for case in found]) == ([], [CLOSED, CLOSED])
    old = verify(Path("releases/1.0.0"))
    assert (old.problems, old.erased) == ([], 3 * 3)
    first, second = (case.read(FACTS)["releases"][0]["leaves"] for case in found)
    assert (first, second) == (6, 6)  # each names the leaves of the image of both


def test_what_others_are_known_by_is_kept_before_results_fall(house):
    house.withdraw("bob")
    machine.open_new(house.places, house.effects())
    found = {case.read("person.json")["subject"]: case for case in cases.every(house.places.cases)}
    ann, bob = found[who("ann")], found[who("bob")]
    machine.carry_on([ann], house.places, house.effects(), Options(None))
    assert not Path("results/intake/00/images.parquet").exists()
    known = {value.text for value in dossier.load(bob.folder / DOSSIER).values}
    assert sha("IMG_00003") in known
    assert (ann.stage, bob.stage) == ("executed", "planned")
    assert [line["step"] for line in bob.journal()] == ["received", "planned"]


def test_what_is_left_of_one_stops_that_one_alone(tmp_path, monkeypatch):
    (tmp_path / "both").mkdir()
    monkeypatch.chdir(tmp_path / "both")
    house = House.build(gone=("ann", "dan")).withdraw("ann").withdraw("dan")
    Path("elsewhere").mkdir()
    Path("elsewhere/notes.txt").write_text(f"seen: {REFERENCES['dan']}\n")
    (stop,), found = run(house, house.options("elsewhere"))
    assert {case.name == stop.case: case.stage for case in found} == {True: "rebuilt", False: CLOSED}
    assert [case.read(FACTS)["scan"]["findings"] for case in found if case.name != stop.case] == [0]


def test_what_a_run_made_between_plan_and_execution_falls_too(house):
    (case,) = opened(house)
    plan.make(case, house.places, house.effects())
    late = Path("results/checks/00/late.parquet")
    late.write_bytes(Path("results/checks/00/decode.parquet").read_bytes())
    stops, _ = run(house)
    assert stops == []
    assert not late.exists()


def test_a_running_workflow_is_waited_for(house):
    with locked_by_another_process():
        (stop,), _ = run(house)
    assert "workflow: is locked by another process" in stop.why
    assert Path("results/intake/00/people.parquet").exists()


def test_what_a_killed_run_locked_stops_no_erasure(house):
    lock = Path(".snakemake/locks")
    lock.mkdir()
    (lock / "0.input.lock").touch()
    assert run(house)[0] == []
    assert not lock.exists()


def test_a_delivery_that_cannot_be_redacted_stops_a_case_before_anything_is_touched(house):
    link = Problem("videos/08.mp4", "is a link, or no regular file", "nothing was changed")
    before = bytes_below("results", "releases", "delivery", "inbox")
    (stop,), (case,) = run(house, obstacles=lambda *_: [link])
    assert "delivery 1, videos/08.mp4: is a link" in stop.why and stop.stage == PLANNED
    assert bytes_below("results", "releases", "delivery", "inbox") == before and not case.has("releases revoked")
    assert "delivery 1, videos/08.mp4" in plan.text(plan.document(case)) and plan.document(case)["obstacles"]
    stops, (case,) = run(house)
    assert stops == [] and case.has(CLOSED)


def test_a_failing_part_stops_its_case_alone(house):
    house.withdraw("dan")

    def refuse(delivery, subject, images):
        if subject == who("ann"):
            raise AccordError("the disk is full")
        return forget(house.places.vault, frozenset(), frozenset())

    (first, second), found = run(house, options=Options(None), redact=refuse)
    assert "the disk is full" in first.why
    assert [case.has("ledger erased") for case in found] == [case.name == second.case for case in found]


def test_inbox_files_lose_the_rows_of_that_person_alone(house):
    mixed, theirs = Path("inbox/mixed.csv"), Path("inbox/theirs.csv")
    head = "action,vendor,subject,on\n"
    wish = f"withdraw,acme,{REFERENCES['ann']},2026-11-03\n"
    other = f"expire,acme,{REFERENCES['cid']},2027-11-03\n"
    mixed.write_text(head + wish + other)
    theirs.write_text(head + wish)
    (case,) = opened(house)
    assert plan.make(case, house.places, house.effects())["inbox"] == 2
    run(house)
    assert mixed.read_text() == head + other
    assert not theirs.exists()


def test_a_version_without_a_copy_is_told(house):
    Path("releases/1.0.0").rename("elsewhere")
    _, (case,) = run(house)
    assert case.read(FACTS)["without_copy"] == ["1.0.0"]
    assert case.read(FACTS)["releases"] == []


def test_a_version_whose_secret_is_gone_is_not_passed_over(house):
    secret = Path("vault/releases/1.0.0/secret")
    secret.unlink()
    (stop,), (case,) = run(house)
    assert "version 1.0.0: its secret is missing from the vault" in stop.why
    assert case.stage == "received"
    assert not secret.exists()


def test_a_wish_recorded_meanwhile_is_erased_too(house):
    run(house, options=Options(None))
    say("withdraw", "ann", "--on", "2026-11-09")
    stops, (case,) = run(house)
    assert (stops, case.stage) == ([], CLOSED)
    assert who("ann").encode() not in Path("vault/ledger.sqlite").read_bytes()


def test_a_torn_line_of_the_journal_was_not_done(house):
    (case,) = opened(house)
    with (case.folder / "journal.jsonl").open("a") as file:
        file.write('{"at": "2026-11-20", "step": "clo')
    assert case.stage == "received"
    case.note(PLANNED, NOW)
    assert [line["step"] for line in case.journal()] == ["received", PLANNED]


def test_a_second_one_waits_outside(house):
    with cases.locked(house.places.cases), pytest.raises(AccordError, match="another `accord erase` is running"):
        cases.locked(house.places.cases).__enter__()


def test_the_real_hands_know_the_time_and_make_names():
    effects = Effects()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", effects.now())
    assert len({effects.name() for _ in range(20)}) == 20
