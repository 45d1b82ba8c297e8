"""What was in force for a day, as it was known at a time."""

import json

import pytest
from consent_cases import ANN, BOB

from accord.consent.deciding.grants import Event, in_force
from accord.consent.ledger import ledger
from accord.consent.showing import show
from accord.consent.showing.show import Moment
from accord.errors import AccordError

MARCH, APRIL, MAY, JUNE = (f"2026-0{month}-15T12:00:00+00:00" for month in (3, 4, 5, 6))


@pytest.fixture
def history(tmp_path, monkeypatch):
    """Ann's form of January was recorded in March; in May it was recorded that she had withdrawn biometric in April, in
    June that she ends everything after 31 July; bob has a form."""
    from consent_cases import Shard

    shard = Shard(tmp_path)
    shard.forms = [{**row, "scope": "biometric"} if row["scope"] == "publish_attr:*" else row for row in shard.forms]
    steps = {
        MARCH: shard.record,
        MAY: lambda: shard.withdraw("ann", "--scope", "biometric", "--on", "2026-04-01"),
        JUNE: lambda: shard.accord("expire", "--vendor", "acme", "--subject", "ann", "--on", "2026-07-31"),
    }
    for time, step in steps.items():
        monkeypatch.setattr(ledger, "_now", lambda _, time=time: time)
        step()
    return shard


@pytest.mark.parametrize(
    ("as_of", "known_at", "expected"),
    [
        ("2026-02-01", "2026-03-14T00:00:00+00:00", None),  # nothing was known yet
        ("2026-02-01", MARCH, "biometric collect publish_image"),
        ("2026-04-20", APRIL, "biometric collect publish_image"),  # the withdrawal was not known
        ("2026-04-20", MAY, "collect publish_image"),
        ("2026-03-31", MAY, "biometric collect publish_image"),  # of the day before it
        ("2026-01-01", JUNE, ""),  # before the form
        ("2026-07-31", JUNE, "collect publish_image"),
        ("2026-08-01", JUNE, ""),
        ("2026-08-01", MAY, "collect publish_image"),
    ],
)
def test_two_times(history, as_of, known_at, expected):
    with ledger.reading(history.vault) as opened:
        told = show.in_force(opened, history.vault, Moment(as_of, known_at), ANN)
    first, *lines = told.splitlines()
    assert first == f"person {ANN} on {as_of}, as it was known at {known_at}"
    found = [" ".join(sorted(line.split(": ")[1].split())) for line in lines if ", as subject: " in line]
    assert found == ([] if expected is None else [expected or "nothing"])


def test_of_everybody_people_are_counted(history, capsys):
    for flags, count in (
        (["--as-of", "2026-07-31"], "2 of 2"),
        (["--as-of", "2026-08-01"], "1 of 2"),
        (["--as-of", "2026-08-01", "--known-at", "2026-05-16"], "2 of 2"),
        (["--as-of", "2026-08-01", "--known-at", "2026-06-15T13:59:59+02:00"], "2 of 2"),
        (["--as-of", "2026-08-01", "--known-at", "2026-06-15T14:00:00+02:00"], "1 of 2"),
        (["--as-of", "2026-08-01", "--known-at", "2026-02-01"], "0 of 0"),
    ):
        history.accord("show", *flags)
        assert f"{count} people granted collect and publish_image" in capsys.readouterr().out


def test_a_person_is_listed_with_numbers_and_times(history, capsys):
    history.accord("show", "--vendor", "acme", "--subject", "ann")
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"person {ANN}: in 2 image(s)"
    assert told[-1] == f"  19: 2026-07-31 ended * for all images until 2026-07-31 (command, recorded {JUNE})"
    assert told[-2] == f"  18: 2026-04-01 withdrawn biometric for all images (command, recorded {MAY})"
    assert any("granted copyright for all images (form" in line for line in told)
    ledger.erase(history.vault, BOB)
    history.accord("show", "--vendor", "acme", "--subject", "bob")
    told = capsys.readouterr().out
    assert "erased, and refused since" in told
    assert "granted" not in told


def test_an_end_counts_for_the_release_when_its_day_is_over(history):
    out = history.apply()
    found = out.findings[(out.findings["verdict"] == "fail") & (out.findings["image"] == "i1")]
    assert found[["check", "reason"]].values.tolist() == [
        ["consent.form_expired", "the consent of somebody in the image has expired"]
    ]
    history.forms += [{**row, "form": "f7", "signed_on": "2026-08-01"} for row in history.forms if row["form"] == "f1"]
    history.record()
    assert "i1" in history.passing()


def test_times_of_recording_never_decrease(history, monkeypatch):
    monkeypatch.undo()
    with ledger.writing(history.vault) as opened:
        opened.execute("DROP TRIGGER party_no_update")
        opened.execute("UPDATE party SET recorded_at = '2999-01-01' WHERE seq = 2")
        assert ledger._now(opened) == "2999-01-01"
    with pytest.raises(AccordError, match="back-dated"), ledger.reading(history.vault):
        pass


@pytest.mark.parametrize(
    ("day", "expected"), [("2026-01-01", False), ("2026-01-02", True), ("2026-05-31", True), ("2026-06-01", False)]
)
def test_a_later_withdrawal_leaves_the_past_as_it_was(day, expected):
    events = [Event("", "*", "granted", "2026-01-02"), Event("", "*", "withdrawn", "2026-06-01")]
    assert in_force(events, "i1", "collect", day) == expected


def test_machines_are_told_the_same(history, capsys):
    def told(*flags: str):
        history.accord("show", "--json", *flags)
        return json.loads(capsys.readouterr().out)

    ann = ("--vendor", "acme", "--subject", "ann")
    assert (told()["withdrawals"], told()["open_wishes"], told()["entries"]) == (2, 0, 19)
    person = told(*ann)
    assert (person["person"], person["images"], person["erased"]) == (ANN, 2, [])
    assert person["events"][-1] == {
        "entry": 19, "recorded_at": JUNE, "on": "2026-07-31", "image": "", "until": "2026-07-31", "state": "ended",
        "scope": "*", "source": "command", "open": False,
    }  # fmt: skip
    everybody = told("--as-of", "2026-08-01")
    assert (everybody["granted"], everybody["people"], everybody["known_at"]) == (1, 2, None)
    [whole] = [row for row in told("--as-of", "2026-07-31", *ann)["in_force"] if row["role"] == "subject"]
    assert whole["image"] == "" and "publish_image" in whole["scopes"] and "biometric" not in whole["scopes"]
