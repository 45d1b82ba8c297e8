"""Forms into the ledger, and from there to what may pass; events by command; their digests."""

import stat

import pytest
from consent_cases import ANN, BOB, Shard, form

from accord import cli
from accord.consent import record
from accord.consent.deciding import events
from accord.consent.ledger import ledger
from accord.errors import AccordError
from accord.shards import opaque_id


def test_import_counts_and_says_nothing_of_anyone(tmp_path):
    told = Shard(tmp_path).record()
    assert told == {"party": 4, "notice": 1, "consent_event": 6, "ipr_form": 2, "depicts": 4, "erased": 0}


def test_import_twice_changes_nothing(shard):
    before = (shard.vault / ledger.NAME).read_bytes()
    assert shard.record() == {"party": 4, "notice": 1, "consent_event": 6, "ipr_form": 2, "depicts": 4, "erased": 0}
    assert (shard.vault / ledger.NAME).read_bytes() == before
    assert stat.S_IMODE(shard.vault.stat().st_mode) == 0o700


def test_a_form_in_two_shards_is_one_form(shard):
    paths = [shard.folder / f"00.{kind}.parquet" for kind in ("forms", "people")]
    told = record.run([paths[0], paths[0]], [paths[1]], [], [], vault=shard.vault, **shard.settings)
    assert told["consent_event"] == 6


def test_all_pass_and_every_finding_is_told(shard):
    out = shard.apply()
    assert out.images["image"].tolist() == ["i1", "i2", "i3"]
    assert out.findings.groupby("image").size().tolist() == [5, 5, 5]
    assert set(out.findings["verdict"]) == {"pass"}
    granted = out.permits[(out.permits["image"] == "i2") & (out.permits["subject"] == BOB)]["scope"].tolist()
    assert {"collect", "publish_image", "publish_attr:pronoun"} <= set(granted)
    assert "biometric" not in granted
    assert len(granted) == 25


def test_two_vaults_give_the_same_tables(shard, tmp_path):
    other = Shard(tmp_path / "other")
    other.folder.mkdir()
    other.record()
    for mine, theirs in zip(shard.apply(), other.apply(), strict=True):
        assert mine.equals(theirs)


def test_whoever_withdraws_takes_all_images_of_theirs_out(shard, capsys):
    assert shard.withdraw("bob") == 0
    assert shard.passing() == ["i1"]
    out = shard.apply()
    assert BOB not in set(out.permits["subject"])
    assert out.findings[out.findings["verdict"] == "fail"][["image", "check"]].values.tolist() == [
        ["i2", "consent.scope"], ["i3", "consent.scope"]
    ]  # fmt: skip
    assert "recorded: withdrawal of *" in capsys.readouterr().out


def test_withdrawal_of_one_image(shard):
    shard.images[1]["image"] = named = opaque_id("acme", "d", "I2")
    for row in shard.people[1:3]:
        row["image"] = named
    shard.withdraw("bob", "--delivery", "d", "--image", "I2")
    assert set(shard.passing()) == {"i1", "i3"}


def test_withdrawal_of_one_attribute_takes_that_alone(shard):
    shard.withdraw("bob", "--scope", "publish_attr:pronoun")
    out = shard.apply()
    assert len(out.images) == 3
    granted = set(out.permits[out.permits["subject"] == BOB]["scope"])
    assert "publish_attr:pronoun" not in granted
    assert "publish_attr:ancestry" in granted


def test_withdrawal_of_a_rightsholder(shard):
    shard.withdraw("ann", "--role", "rightsholder")
    assert shard.passing() == ["i3"]


def test_withdrawal_of_an_annotator_blanks_what_they_disclosed(shard):
    shard.withdraw("a2", "--role", "annotator")
    out = shard.apply()
    assert len(out.images) == 3
    told = out.annotators.set_index("annotator")[["pronoun", "nationality", "consents"]]
    assert told.loc[opaque_id("acme", "a2")].tolist() == ["", "", False]
    assert told.loc[opaque_id("acme", "a1")].tolist() == ["1. He/him/his", "Japan", True]


def test_somebody_drawn_but_unknown_stops_the_image(shard):
    shard.refused = [{"item": "person", "image": "i1", "subject": "zoe", "reference": "I1", "check": "subject",
                      "reason": "r", "fatal": False}]  # fmt: skip
    assert shard.passing() == ["i2", "i3"]


def test_an_image_of_somebody_else_needs_a_form_of_its_own(shard):
    shard.forms = [row for row in shard.forms if row["form"] != "r2"]
    shard.forms += form("r3", "studio", ("copyright",), "copyright", image="i3", birth_date="")
    shard.record()
    assert shard.passing() == ["i1", "i2", "i3"]
    shard.forms[-1]["image"] = "i9"
    shard.record()
    assert shard.passing() == ["i1", "i2"]


def test_a_form_that_is_no_longer_delivered_grants_nothing(shard):
    shard.forms = [row for row in shard.forms if row["form"] != "f1"]
    assert shard.passing() == ["i3"]


def test_a_form_that_was_not_imported_is_an_error(shard):
    shard.forms += form("f9", ANN)
    with pytest.raises(AccordError, match=r"lacks 3 scope\(s\) of this shard's forms"):
        shard.apply()


def digests(vault, shown, inbox=None):
    return events.digests(vault, shown, lambda: shown, {"inbox": inbox, "proof_required": False}).shards


def test_digests_change_for_the_shards_that_show_the_person(shard):
    shown = {"00": frozenset({ANN, BOB}), "01": frozenset({BOB}), "02": frozenset()}
    before = digests(shard.vault, shown)
    shard.withdraw("ann")
    after = digests(shard.vault, shown)
    assert [key for key in shown if before[key] != after[key]] == ["00"]
    shard.withdraw("bob")
    assert [key for key in shown if after[key] != digests(shard.vault, shown)[key]] == ["00", "01"]


def test_the_last_days_of_events_are_told_to_the_shards_that_they_concern(shard):
    shard.accord("expire", "--vendor", "acme", "--subject", "bob", "--on", "2099-01-01")
    shown = {"00": frozenset({ANN, BOB}), "01": frozenset({ANN})}
    told = events.digests(shard.vault, shown, lambda: shown, {"inbox": None, "proof_required": False}).ends
    assert told == {"00": {"2099-01-01"}, "01": frozenset()}
    assert shard.apply("2099-01-01").images["image"].tolist() == ["i1", "i2", "i3"]
    assert shard.apply("2099-01-02").images["image"].tolist() == ["i1"]


def test_digests_know_no_salts_and_no_imports(shard, tmp_path):
    shown = {"00": frozenset({ANN})}
    assert digests(shard.vault, shown) == digests(tmp_path / "none", shown)
    other = Shard(tmp_path / "other")
    for one in (shard, other):
        one.withdraw("ann")
    assert digests(shard.vault, shown) == digests(other.vault, shown)


def test_show_and_verify(shard, capsys):
    shard.withdraw("ann", "--scope", "biometric")
    capsys.readouterr()
    vault = ["--vault", str(shard.vault)]
    assert cli.main(["consent", "show", *vault]) == 0
    told = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert (told["consent_event"], told["withdrawals"], told["entries"]) == ("7", "1", "18")
    assert cli.main(["consent", "verify", *vault, "--head", told["head"]]) == 0
    assert capsys.readouterr().out == f"18 entries, each as it was written; head {told['head']}\n"
    cli.main(["consent", "show", *vault, "--vendor", "acme", "--subject", "ann"])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"person {ANN}: in 2 image(s)"
    assert told[-1].startswith("  18: 2026-06-01 withdrawn biometric for all images (command, recorded 2")


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["withdraw", "--vendor", "v", "--subject", "s", "--scope", "fly"], "--scope: is not a valid scope"),
        (["withdraw", "--vendor", "v", "--subject", "s", "--image", "i"], "--image: needs delivery"),
        (["show", "--subject", "s"], "--subject: needs --vendor"),
        (["verify", "--head", "x"], "does not contain the noted hash"),
    ],
)
def test_commands_say_what_is_wrong(shard, flags, what):
    with pytest.raises(AccordError, match=what):
        cli.main(["consent", *flags, "--vault", str(shard.vault)])
