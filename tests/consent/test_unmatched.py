"""Wishes for somebody whom no delivery has brought: open until one does, or until somebody settles them."""

import sqlite3
from contextlib import closing

import pytest
from consent_cases import ANN, Shard, annotator, form, image, person

from accord import cli
from accord.audit.evidence import erasures
from accord.consent import waiting
from accord.consent.deciding import events
from accord.consent.ledger import ledger, schema
from accord.consent.ledger.records import Settled
from accord.consent.requests import imports, unmatched
from accord.consent.requests.imports import File
from accord.erase.executing import withdrawal_requests as inbox
from accord.errors import AccordError
from accord.report.telling import words
from accord.text.references import person as id_of

OPEN = 3
TYPO = "anm"


def show(shard, capsys, *flags):
    capsys.readouterr()
    shard.accord("show", *flags)
    return capsys.readouterr().out


def entries(shard):
    return [one.entry for one in unmatched.of_vault(shard.vault)]


def test_a_mistyped_withdrawal_is_recorded_and_its_exit_code_says_that_it_is_for_nobody(shard, capsys):
    assert shard.withdraw(TYPO) == OPEN
    told = capsys.readouterr().out
    assert "recorded: withdrawal of *" in told
    assert "1 open request(s) that match nobody, or no image, in any delivery" in told
    assert TYPO not in told
    assert shard.passing() == ["i1", "i2", "i3"]
    assert shard.withdraw(TYPO) == OPEN  # not only the first time
    assert shard.withdraw("ann") == 0


@pytest.mark.parametrize("spelled", [" ann", "ann\u00a0", "\uff41nn"])
def test_a_reference_counts_however_it_is_spelled(shard, spelled):
    assert shard.withdraw(spelled) == 0
    assert shard.passing() == ["i3"]


@pytest.mark.parametrize("spelled", ["Ann", "\u0430nn"])
def test_a_variant_in_case_or_script_is_somebody_else(shard, spelled):
    assert shard.withdraw(spelled) == OPEN


def test_wishes_of_files_are_told_too(shard, tmp_path, capsys):
    file = tmp_path / "w.csv"
    file.write_text("action,vendor,subject,on\nwithdraw,acme,\uff42ob ,2026-06-01\nwithdraw,acme,bobb,2026-06-01\n")
    assert shard.accord("import", str(file)) == OPEN
    assert "1 open request(s)" in capsys.readouterr().out
    assert shard.passing() == ["i1"]
    file.write_text("action,vendor,subject,on\nwithdraw,acme,bob,2026-06-01\n")
    assert shard.accord("import", str(file)) == 0
    file.write_text("action,vendor,subject,on\nwithdraw,acme,bobb,2026-06-01\nfly,acme,ann,2026-06-01\n")
    with pytest.raises(AccordError, match="action"):
        shard.accord("import", str(file))
    assert "1 open request(s)" in capsys.readouterr().out


def test_rows_of_the_inbox_are_taken_out_however_they_are_spelled(tmp_path):
    (tmp_path / "w.csv").write_text("action,vendor,subject,on\nwithdraw,acme,\uff42ob ,2026-06-01\n")
    assert inbox.rows_of(tmp_path, id_of("acme", "bob")) == 1
    inbox.take_out(tmp_path, id_of("acme", "bob"))
    assert list(tmp_path.iterdir()) == []


def test_an_image_that_shows_them_not_is_nobodys(shard):
    assert shard.withdraw("ann", "--delivery", "d", "--image", "I9") == OPEN
    name = imports.wishes.wish(
        action="withdraw", vendor="acme", subject="ann", delivery="d", image="I9", on="2026-06-01"
    )
    shard.images.append(image(imports.wishes.event(name).image, ANN))
    shard.people.append(person(imports.wishes.event(name).image, ANN))
    shard.record()
    assert entries(shard) == []


def test_roles_are_known_by_what_was_delivered(shard):
    shard.annotators = ["a1"]
    shard.record()
    assert shard.withdraw("a1", "--role", "annotator") == 0
    assert shard.withdraw("a9", "--role", "annotator") == OPEN
    assert shard.withdraw("ann", "--role", "rightsholder") == 0
    assert shard.withdraw("studio", "--role", "rightsholder") == OPEN
    assert shard.withdraw("ann", "--role", "annotator") == OPEN  # a subject, and no annotator
    assert annotator("a1")["annotator"] == id_of("acme", "a1")


def test_a_delivery_that_brings_them_closes_it(shard):
    shard.withdraw("zoe")
    zoe = id_of("acme", "zoe")
    shard.images.append(image("i4", zoe))
    shard.people.append(person("i4", zoe))
    shard.forms += [*form("f4", zoe), *form("r4", zoe, ("copyright",), "copyright")]
    shard.record()
    assert entries(shard) == []
    assert shard.passing() == ["i1", "i2", "i3"]  # and counts


def test_whoever_was_erased_is_known(shard):
    shard.withdraw("bob")
    ledger.erase(shard.vault, id_of("acme", "bob"))
    assert shard.withdraw("bob", "--on", "2026-07-01") == 0


def test_show_tells_until_somebody_settles_and_the_chain_holds(shard, capsys):
    shard.withdraw(TYPO)
    [entry] = entries(shard)
    told = show(shard, capsys)
    assert "open_wishes    1" in told
    assert f"entry {entry}: withdrawn * as subject, recorded 2" in told
    assert ": open, matches nobody in any delivery" in show(shard, capsys, "--vendor", "acme", "--subject", TYPO)
    before = ledger_head(shard)
    assert shard.accord("settle", "--event", str(entry), "--as", "mistyped") == 0
    assert "open_wishes    0" in show(shard, capsys)
    assert shard.accord("verify", "--head", before) == 0
    with ledger.reading(shard.vault) as opened:
        assert ledger.read(opened, Settled) == [(entry, "mistyped")]
    with pytest.raises(AccordError, match=f"--event {entry}: not an open request"):
        shard.accord("settle", "--event", str(entry), "--as", "mistyped")


def test_a_settled_wish_that_is_said_again_is_open_again(shard):
    shard.withdraw(TYPO)
    [entry] = entries(shard)
    shard.accord("settle", "--event", str(entry), "--as", "mistyped")
    assert shard.withdraw(TYPO) == 3
    [again] = entries(shard)
    assert again > entry
    assert shard.withdraw(TYPO) == 3
    assert entries(shard) == [again]


def test_only_open_wishes_are_settled_all_or_none(shard):
    shard.withdraw(TYPO)
    shard.withdraw("ann")
    [entry] = entries(shard)
    with pytest.raises(AccordError) as raised:
        shard.accord("settle", "--event", str(entry), str(entry + 1), "999", "--as", "never-delivered")
    assert [problem.where for problem in raised.value.problems] == [f"--event {entry + 1}", "--event 999"]
    assert entries(shard) == [entry]


def test_a_settled_wish_still_counts(shard):
    shard.withdraw("zoe")
    shard.accord("settle", "--event", str(entries(shard)[0]), "--as", "never-delivered")
    zoe = id_of("acme", "zoe")
    shard.images.append(image("i4", zoe))
    shard.people.append(person("i4", zoe))
    shard.forms += [*form("f4", zoe), *form("r4", zoe, ("copyright",), "copyright")]
    shard.record()
    assert shard.passing() == ["i1", "i2", "i3"]


def test_report_and_audit_tell_how_many_and_nothing_else(shard):
    assert erasures.unanswered(shard.vault, "2030-01-01")[0].verdict == "pass"
    shard.withdraw(TYPO)
    shard.withdraw("studio", "--role", "rightsholder")
    counted = waiting.run([], vault=shard.vault)
    assert dict(counted.itertuples(index=False)) == {"annotator": 0, "rightsholder": 1, "subject": 1}
    assert "2 requests (withdrawals" in words.open_wishes(2)
    recorded = unmatched.of_vault(shard.vault)[0].recorded_at[:10]
    [told] = erasures.unanswered(shard.vault, recorded)
    assert (told.verdict, told.what) == (
        "warn", "2 request(s) are about nobody in a delivery, 0 of them for over 30 days"
    )  # fmt: skip
    [told] = erasures.unanswered(shard.vault, "2099-01-01")
    assert told.verdict == "fail"
    assert id_of("acme", TYPO) not in str(told)


def test_the_count_is_made_again_when_a_wish_is_recorded_or_settled(shard):
    def digest():
        return events.digests(shard.vault, ["00"], dict, {"inbox": None, "proof_required": False}).wishes

    seen = [digest()]
    shard.withdraw(TYPO)
    seen.append(digest())
    shard.accord("settle", "--event", str(entries(shard)[0]), "--as", "mistyped")
    seen.append(digest())
    assert len(set(seen)) == 3


def test_a_ledger_of_the_version_before_verifies_and_takes_wishes(shard):
    without(shard, "settled")
    assert shard.accord("verify") == 0
    assert shard.accord("show") == 0
    assert shard.withdraw(TYPO) == OPEN
    assert shard.accord("settle", "--event", str(entries(shard)[0]), "--as", "mistyped") == 0
    assert shard.accord("verify") == 0


def test_a_lost_table_hides_no_lost_heads(shard):
    without(shard, "settled")
    (shard.vault / "log/heads.jsonl").unlink()
    with pytest.raises(AccordError, match="is missing: a rollback of the ledger"):
        shard.accord("verify")


def test_every_table_of_the_ledger_is_chained(shard):
    imports.run(shard.vault, [File("f", b"")], proof_required=False)
    with ledger.reading(shard.vault) as opened:
        assert set(ledger.TABLES.values()) | {"chain"} <= schema.tables(opened)


def without(shard, table):
    """Take an empty table away, which a ledger of an earlier version lacks."""
    with closing(sqlite3.connect(shard.vault / ledger.NAME)) as db:
        for trigger in (f"{table}_no_update", f"{table}_no_delete", f"{table}_follows"):
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(f"DROP TABLE {table}")
        db.commit()


def ledger_head(shard):
    with ledger.reading(shard.vault) as opened:
        return ledger.head(opened).hash


def test_a_wish_on_the_command_line_without_a_vault(tmp_path):
    shard = Shard(tmp_path)
    assert shard.withdraw("zoe") == OPEN
    assert cli.main(["consent", "show", "--vault", str(shard.vault)]) == 0
