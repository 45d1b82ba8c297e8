"""Wishes from files: what is taken, what is refused and how it is told; proofs; the watched folder."""

import json

import pytest
from consent_cases import ANN, BOB, Shard

from accord import cli
from accord.audit.evidence import erasures
from accord.audit.targets.places import Places
from accord.consent import receive
from accord.consent.deciding import events
from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import ConsentEvent
from accord.consent.ledger.records import Attempt, Proof, Received
from accord.consent.requests import imports, wishes
from accord.consent.requests.imports import File
from accord.errors import AccordError
from accord.report.reading import waiting
from accord.report.telling import words

HEADER = "action,vendor,subject,scope,on,until,proof,role,delivery,image\n"
CODE = "Sommerwind 2026"


def events_of(shard):
    with ledger.reading(shard.vault) as opened:
        return [e for e in ledger.read(opened, ConsentEvent) if e.source == "command"]


def read(shard, kind):
    with ledger.reading(shard.vault) as opened:
        return ledger.read(opened, kind)


def csv_of(*rows):
    return (HEADER + "".join(row + "," * (HEADER.count(",") - row.count(",")) + "\n" for row in rows)).encode()


def run(shard, *rows, required=False, where="wishes.csv"):
    return imports.run(shard.vault, [File(where, csv_of(*rows))], proof_required=required)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("fly,acme,ann,,2026-06-01", "action: is not a valid action"),
        ("withdraw,,ann,,2026-06-01", "vendor: is empty"),
        ("withdraw,acme,,,2026-06-01", "subject: is empty"),
        ("withdraw,acme,ann,publish_attr:height,2026-06-01", "scope: is not a valid scope"),
        ("withdraw,acme,ann,,", "on: is empty"),
        ("withdraw,acme,ann,,01.06.2026", "on: is not a valid date"),
        ("withdraw,acme,ann,,20260601", "on: is not a valid date"),
        ("withdraw,acme,ann,,2026-06-01,2026-07-01", "until: is for grants alone"),
        ("grant,acme,ann,,2026-06-01,2026-05-01", "until: lies before on"),
        ("withdraw,acme,ann,,2026-06-01,,,king", "role: is not a valid role"),
        ("withdraw,acme,ann,collect,2026-06-01,,,annotator", "scope: is not a valid scope"),
        ("withdraw,acme,ann,,2026-06-01,,,,d1", "image: needs delivery"),
        ("code,acme,ann,,,,abc", "proof: has fewer than 8"),
        ("withdraw,acme," + "x" * 1001 + ",,2026-06-01", "row: has a cell of over 1000"),
        ("withdraw,acme,ann,,2026-06-01,,,,,,extra", "row: has 11 cells, the header 10"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_without_what_it_says(row, problem):
    found, problems = wishes.parse(csv_of(row), "f.csv")
    assert found == []
    assert [f"{p.where} {p.what}" for p in problems] == [f"f.csv line 2 {problems[0].what}"]
    assert problem in problems[0].what
    assert "ann" not in problems[0].what.replace("annotator", "")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\xff\xfe", "is not valid CSV in UTF-8"),
        (b'action,vendor,subject\n"withdraw', "is not valid CSV in UTF-8"),
        (b"", "missing, unknown or duplicate columns"),
        (b"action,vendor\n", "missing, unknown or duplicate columns"),
        (b"action,vendor,subject,name\n", "missing, unknown or duplicate columns"),
        (b"action,vendor,subject,subject\n", "missing, unknown or duplicate columns"),
    ],
)
def test_a_file_that_is_no_table_of_wishes(data, problem):
    found, problems = wishes.parse(data, "f.csv")
    assert found == []
    assert problem in problems[0].what


def test_requests_from_a_spreadsheet_are_read():
    plain = csv_of("withdraw,acme,bob,publish_attr:pronoun,2026-06-01")
    expected = [wish for _, wish in wishes.parse(plain, "f.csv")[0]]
    assert len(expected) == 1
    for data in (b"sep=,\r\n" + plain, b"\xef\xbb\xbf" + plain, plain + b"\n , ,\n,,,\n",
                 b"sep=;\n" + plain.replace(b",", b";")):  # fmt: skip
        found, problems = wishes.parse(data, "f.csv")
        assert ([wish for _, wish in found], problems) == (expected, [])


def test_good_rows_are_recorded_bad_ones_told_all_at_once_and_again_changes_nothing(shard):
    rows = ["withdraw,acme,bob,publish_attr:pronoun,2026-06-01", "fly,acme,ann,,2026-06-01", "withdraw,acme,ann,,"]
    done = run(shard, *rows, "", "expire,acme,bob,biometric,2026-12-31")
    assert [event.scope for event in events_of(shard)] == ["publish_attr:pronoun", "biometric"]
    assert [problem.where for problem in done.problems] == ["wishes.csv line 3", "wishes.csv line 4"]
    assert (done.rows, done.new) == (2, 3)
    before = (shard.vault / ledger.NAME).read_bytes()
    assert run(shard, *rows, "", "expire,acme,bob,biometric,2026-12-31").new == 0
    assert (shard.vault / ledger.NAME).read_bytes() == before
    assert [(one.rows, one.refused) for one in read(shard, Received)] == [(2, 2)]


def test_a_bad_file_does_not_stop_a_good_one(shard, tmp_path, capsys):
    (tmp_path / "a.csv").write_bytes(b"\xff")
    (tmp_path / "b.csv").write_bytes(csv_of("withdraw,acme,bob,,2026-06-01"))
    (tmp_path / "c.csv").symlink_to(tmp_path / "b.csv")
    (tmp_path / "note.txt").write_text("no table")
    with pytest.raises(AccordError) as raised:
        shard.accord("import", str(tmp_path))
    assert [(p.where.rsplit("/")[-1], p.what) for p in raised.value.problems] == [
        ("a.csv line 1", "is not valid CSV in UTF-8 (byte 0xff)"),
        ("c.csv", "not a valid request file"),
    ]
    assert "3 file(s), 1 good row(s) read" in capsys.readouterr().out
    assert shard.passing() == ["i1"]


@pytest.mark.parametrize(
    ("proof", "required", "taken"),
    [
        (CODE, True, True),
        (CODE, False, True),
        ("sommerwind2026", True, True),  # as people write it
        ("", False, True),
        ("", True, False),
        ("Sommerwind 2027", True, False),
        ("Sommerwind 2027", False, False),  # one that is given must be right
    ],
)
def test_proofs(shard, proof, required, taken):
    run(shard, f"code,acme,bob,,,,{CODE}")
    done = run(shard, f"withdraw,acme,bob,,2026-06-01,,{proof}", required=required)
    assert shard.passing() == (["i1"] if taken else ["i1", "i2", "i3"])
    assert len(read(shard, Attempt)) == (not taken)
    told = [problem.what for problem in done.problems]
    assert told == ["the proof is missing or wrong: only the attempt was recorded"] * (not taken)


def test_no_code_was_given_out(shard):
    assert len(run(shard, f"withdraw,acme,bob,,2026-06-01,,{CODE}", required=True).problems) == 1
    assert events_of(shard) == []


def test_the_newest_code_counts_and_an_old_row_does_not_bring_back_the_old_one(shard):
    old, new = f"code,acme,bob,,,,{CODE}", "code,acme,bob,,,,Winterwald 2027"
    run(shard, old)
    run(shard, old, new)
    run(shard, old)
    assert len(read(shard, Proof)) == 2
    assert len(run(shard, f"withdraw,acme,bob,,2026-06-01,,{CODE}").problems) == 1
    assert run(shard, "withdraw,acme,bob,,2026-06-01,,Winterwald 2027").problems == []


def test_codes_and_references_are_nowhere_in_the_vault(shard):
    run(shard, "code,acme,roberta-b-1,,,,Sommerwind 2026", "withdraw,acme,roberta-b-1,,2026-06-01,,Winterwald 2027")
    left = b"".join(path.read_bytes() for path in shard.vault.rglob("*") if path.is_file())
    for value in (b"Sommerwind", b"SOMMERWIND2026", b"Winterwald", b"roberta-b-1"):
        assert value not in left


def test_an_attempt_by_command_is_noted_and_told(shard, capsys):
    assert shard.accord("code", "--vendor", "acme", "--subject", "bob") == 0
    code = capsys.readouterr().out.split("code: ")[1].splitlines()[0]
    with pytest.raises(AccordError, match=r"--proof \(attempt [0-9a-f]{8}\): the proof is missing or wrong") as raised:
        shard.withdraw("bob", "--proof", "WRONG-WRONG")
    assert read(shard, Attempt)[0].attempt in str(raised.value)
    assert BOB not in str(raised.value)
    assert shard.withdraw("bob", "--proof", code.lower()) == 0
    assert shard.passing() == ["i1"]


def test_the_configuration_says_whether_a_proof_is_required(tmp_path, capsys):
    config = tmp_path / "my.yaml"
    vault = json.dumps(str(tmp_path / "vault"))
    config.write_text(f"vault: {vault}\nconsent: {{proof_required: true}}\n")
    who = ["--config", str(config), "--vendor", "acme", "--subject", "bob"]
    with pytest.raises(AccordError, match="the proof is missing or wrong"):
        cli.main(["consent", "withdraw", *who])
    cli.main(["consent", "expire", *who, "--on", "2026-12-31"])
    assert "recorded: end of *" in capsys.readouterr().out
    config.write_text("- no settings\n")
    with pytest.raises(AccordError, match="is not a valid configuration"):
        cli.main(["consent", "show", "--config", str(config)])


@pytest.fixture
def inbox(tmp_path):
    (tmp_path / "inbox").mkdir()
    return tmp_path / "inbox"


def digests(shard, inbox):
    shown = {"00": frozenset({ANN}), "01": frozenset({BOB})}
    return events.digests(shard.vault, shown, lambda: shown, {"inbox": str(inbox), "proof_required": False})


def test_a_run_notices_what_was_dropped_and_imports_it(shard, inbox, capsys):
    before = digests(shard, inbox)
    (inbox / "wish of bob.csv").write_bytes(csv_of("withdraw,acme,bob,,2026-06-01", "withdraw,acme,ann,,never"))
    seen = digests(shard, inbox)
    assert [shard for shard in ("00", "01") if seen.shards[shard] != before.shards[shard]] == ["01"]
    assert seen.inbox != before.inbox
    shard.settings["inbox"] = [inbox]
    shard.record()
    found = receive.run(vault=shard.vault, inbox=inbox, proof_required=False)
    assert found == {"files": 1, "rows": 1, "refused": 1}
    told = capsys.readouterr().err
    assert "line 3: on: is not a valid date" in told
    assert "bob" not in told
    assert shard.passing() == ["i1"]
    assert digests(shard, inbox) == seen
    (inbox / "wish of bob.csv").unlink()
    assert digests(shard, inbox).shards == seen.shards


def test_the_folder_is_seen_before_there_is_a_ledger(tmp_path, inbox):
    shard = Shard(tmp_path)
    before = digests(shard, inbox)
    (inbox / "a.csv").write_bytes(csv_of("withdraw,acme,bob,,2026-06-01"))
    seen = digests(shard, inbox)
    assert seen.shards["01"] != before.shards["01"]
    shard.settings["inbox"] = [inbox]
    shard.record()
    assert digests(shard, inbox) == seen


def test_a_missing_folder_is_not_passed_over(shard, inbox):
    inbox.rmdir()
    with pytest.raises(AccordError, match="the watched folder does not exist"):
        digests(shard, inbox)


def test_a_file_that_still_lies_there_does_not_bring_somebody_back_who_was_erased(shard, inbox):
    (inbox / "a.csv").write_bytes(csv_of(f"code,acme,bob,,,,{CODE}", f"withdraw,acme,bob,,2026-06-01,,{CODE}"))
    shard.settings["inbox"] = [inbox]
    shard.record()
    ledger.erase(shard.vault, BOB)
    assert receive.run(vault=shard.vault, inbox=inbox, proof_required=True)["refused"] == 0
    assert BOB.encode() not in (shard.vault / ledger.NAME).read_bytes()
    assert shard.passing() == ["i1"]


def test_what_is_refused_is_told_until_it_is_mended(shard, inbox, capsys):
    config = inbox.parent / "config.yaml"
    config.write_text(f"vault: {shard.vault}\nconsent: {{inbox: {inbox}}}\n")
    (inbox / "excel.csv").write_text("action;vendor;subject;on\nwithdraw;acme;bob;2026-06-01\n")
    (inbox / "day.csv").write_bytes(csv_of("withdraw,acme,bob,,22/11/2026"))
    (inbox / "ann.xlsx").write_bytes(b"PK")
    (inbox / "more").mkdir()
    (inbox / ".keep").touch()
    places = Places(vault=shard.vault, config={"consent": {"inbox": str(inbox)}})

    def shown():
        capsys.readouterr()
        assert cli.main(["consent", "show", "--config", str(config)]) == 0
        return capsys.readouterr().out

    told = shown()
    assert "4 row(s) or file(s) of requests in the inbox are invalid: they aren't applied" in told
    assert (
        "looks separated by" in told and "on: is not a valid date" in told and told.count("another file or folder") == 2
    )
    assert "bob" not in told and "ann" not in told
    assert {check.verdict for check in erasures.inbox(places)} == {"fail"}
    for name in ("excel.csv", "day.csv", "ann.xlsx"):
        (inbox / name).unlink()
    (inbox / "more").rmdir()
    assert "can't be read" not in shown()
    assert [check.verdict for check in erasures.inbox(places)] == ["pass"]
    inbox.joinpath(".keep").unlink()
    inbox.rmdir()
    assert [check.verdict for check in erasures.inbox(places)] == ["fail"]


def test_a_summary_tells_what_the_run_refused(tmp_path):
    (tmp_path / "consent").mkdir()
    assert waiting.refused_wishes(tmp_path) == 0
    (tmp_path / "consent/inbox.json").write_text('{"files": 1, "rows": 0, "refused": 2}')
    assert "2 row(s) or file(s) of requests" in words.refused_wishes(waiting.refused_wishes(tmp_path))
