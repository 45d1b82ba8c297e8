"""What counts of wishes by the order of recording: consent and erasure ask one rule."""

from datetime import UTC, datetime

import pytest
from consent_cases import ANN, BOB
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Moment
from accord.consent.deciding import events, grants
from accord.consent.deciding.grants import Event
from accord.consent.ledger import ledger
from accord.consent.ledger.records import COMMAND, GRANTED, SUBJECT, WITHDRAWN, ConsentEvent
from accord.consent.requests import imports, order, wishes
from accord.erase.cases import standing
from accord.errors import AccordError
from accord.text import days

WHO = ("--vendor", "acme", "--subject", "bob")
AT = "2026-11-10T12:00:00+00:00"


def event(state, day, scope="*", image="", last="", subject=BOB):
    return ConsentEvent(SUBJECT, subject, image, scope, state, day, last, COMMAND, "", "", "")


def put(shard, *events):
    with ledger.writing(shard.vault) as opened:
        ledger.append(opened, events)


def cases(shard):
    with ledger.reading(shard.vault) as opened:
        return set(standing.refused(shard.vault, opened))


def test_a_wish_of_a_day_to_come_is_refused(shard):
    for action in ("grant", "withdraw"):
        with pytest.raises(AccordError, match="--on: is a day to come"):
            shard.accord(action, *WHO, "--on", "2099-01-01")
    assert shard.accord("expire", *WHO, "--on", "2099-01-01") == 0


@pytest.mark.parametrize("action", ["grant", "withdraw"])
def test_a_row_of_a_day_to_come_is_refused(action):
    found, problems = wishes.parse(f"action,vendor,subject,on\n{action},acme,bob,2099-01-01\n".encode(), "inbox 1")
    assert found == []
    assert [(p.where, p.what) for p in problems] == [
        ("inbox 1 line 2", "on: is a day to come: nothing was recorded")
    ]  # fmt: skip


def test_today_has_come_in_every_time_zone():
    assert days.latest("2026-11-10T09:59:59+00:00") == "2026-11-10"
    assert days.latest("2026-11-10T10:00:00+00:00") == "2026-11-11"
    assert days.latest("2026-11-10T23:00:00-12:00") == "2026-11-12"
    assert days.today() <= days.latest()
    assert wishes.faults(wishes.wish(action="grant", vendor="v", subject="s", on=days.latest())) == []


def test_a_grant_dated_ahead_that_an_earlier_version_took_outvotes_no_withdrawal(shard):
    for grant_first in (True, False):
        grant, withdrawal = event(GRANTED, "2099-01-01"), event(WITHDRAWN, "2026-06-01")
        put(shard, *((grant, withdrawal) if grant_first else (withdrawal, grant)))
        assert (shard.passing(), cases(shard)) == (["i1"], {BOB})


def test_a_withdrawal_outvotes_what_was_recorded_before_it(shard):
    put(shard, event(GRANTED, "2026-07-01"), event(WITHDRAWN, "2026-06-01"))
    assert (shard.passing(), cases(shard)) == (["i1"], {BOB})
    put(shard, event(GRANTED, "2026-07-01", "collect"))
    assert (shard.passing(), cases(shard)) == (["i1"], {BOB})
    put(shard, event(GRANTED, "2026-07-02"))
    assert (shard.passing(), cases(shard)) == (["i1", "i2", "i3"], set())


def test_a_grant_that_comes_after_in_day_and_recording_lets_in_again(shard):
    put(shard, event(WITHDRAWN, "2026-06-01"), event(GRANTED, "2026-07-01"))
    assert (shard.passing(), cases(shard)) == (["i1", "i2", "i3"], set())


def test_a_wish_that_still_lies_in_the_inbox_is_not_recorded_again(shard, tmp_path):
    file = imports.named(csv_of(tmp_path / "wishes.csv", OUT))
    with ledger.reading(shard.vault) as opened:
        assert imports.pending(opened, shard.vault, [file], proof_required=False) == [event(WITHDRAWN, "2026-06-01")]
    imports.run(shard.vault, [file], proof_required=False)
    put(shard, event(GRANTED, "2026-07-01"))
    with ledger.reading(shard.vault) as opened:
        assert imports.pending(opened, shard.vault, [file], proof_required=False) == []


def test_what_was_in_force_before_a_withdrawal_that_comes_again_is_not_changed(shard):
    put(shard, event(GRANTED, "2026-07-01"), event(WITHDRAWN, "2026-06-01"))
    with ledger.reading(shard.vault) as opened:
        told = [one for _, _, one in ledger.heard(opened) if one.source == COMMAND]
    assert [one.event_on for one in told if one.state == WITHDRAWN] == ["2026-06-01", "2026-07-01"]


def test_a_withdrawal_touches_its_own_scope_image_and_person_alone():
    grant = event(GRANTED, "2026-07-01")
    for other, touches in (
        (event(WITHDRAWN, "2026-06-01", "publish_attr:pronoun"), True),
        (event(WITHDRAWN, "2026-06-01", image="i1"), True),
        (event(WITHDRAWN, "2026-06-01", subject=ANN), False),
        (event(WITHDRAWN, "2026-06-01", last="2026-06-01"), False),  # ended, not withdrawn
    ):
        assert len(order.heard([(1, AT, grant), (2, AT, other)])) == 2 + touches
    narrow = event(GRANTED, "2026-07-01", "biometric")
    assert len(order.heard([(1, AT, narrow), (2, AT, event(WITHDRAWN, "2026-06-01", "publish_attr:*"))])) == 2


SOME_DAYS = st.sampled_from(["2026-05-01", "2026-06-01", "2026-07-01", "2026-08-01"])
SAID = st.lists(st.tuples(st.sampled_from([GRANTED, WITHDRAWN]), SOME_DAYS), min_size=1, max_size=6)


@given(said=SAID)
def test_whoever_withdrew_last_is_out(said):
    """Of wishes about everything: the last withdrawal counts unless a grant follows it in recording, of a later day."""
    told = order.heard([(seq, AT, event(state, day)) for seq, (state, day) in enumerate(said)])
    events = [Event(one.image, one.scope, one.state, one.event_on) for _, _, one in told]
    withdrawn = [(seq, day) for seq, (state, day) in enumerate(said) if state == WITHDRAWN]
    out_until = ""
    for seq, day in withdrawn:
        out_until = max([out_until, day, *(d for state, d in said[:seq] if state == GRANTED)])
    later = any(state == GRANTED and day > out_until for state, day in said)
    assert grants.granted(events, "i1", "collect", "2026-11-01") == later


@settings(max_examples=12, deadline=None, derandomize=True)
@given(data=st.data())
def test_audit_erasure_and_consent_agree(data, tmp_path_factory):
    from consent_cases import Shard

    shard = Shard(tmp_path_factory.mktemp("shard"))
    shard.record()
    put(shard, *(event(state, day) for state, day in data.draw(SAID)))
    with consents.opened(shard.vault) as told:
        audited = told.ended("i3", Moment(datetime.now(UTC).date().isoformat())) is None
    passes = "i3" in shard.passing()
    assert passes == audited
    assert passes == (BOB not in cases(shard))


def test_a_withdrawal_said_again_on_its_day_counts_against_the_grant_between(shard):
    everybody = ["i1", "i2", "i3"]
    for action, day, passing in (
        ("withdraw", "2026-06-01", ["i1"]), ("withdraw", "2026-06-01", ["i1"]),
        ("grant", "2026-07-01", everybody), ("withdraw", "2026-06-01", ["i1"]),
    ):  # fmt: skip
        assert shard.accord(action, *WHO, "--on", day) == 0
        assert shard.passing() == passing
    assert cases(shard) == {BOB}
    with ledger.reading(shard.vault) as opened:
        assert len([e for e in ledger.read(opened, ConsentEvent) if e.source == COMMAND]) == 3


def csv_of(path, *rows):
    path.write_text("action,vendor,subject,on\n" + "".join(f"{action},acme,{who},{day}\n" for action, who, day in rows))
    return path


OUT, IN = ("withdraw", "bob", "2026-06-01"), ("grant", "bob", "2026-07-01")


@pytest.mark.parametrize(
    ("files", "passing"),
    [
        ([[OUT], [IN], [OUT]], ["i1", "i2", "i3"]),  # a file that was read before says nothing anew
        ([[OUT, IN], [OUT, IN, ("withdraw", "zoe", "2026-06-01")]], ["i1", "i2", "i3"]),  # a list that grows
        ([[OUT, IN], [("withdraw", "zoe", "2026-06-01"), OUT]], ["i1"]),
        ([[OUT, IN, OUT]], ["i1"]),
        ([[OUT, IN, OUT], [OUT, IN, OUT, ("withdraw", "zoe", "2026-06-01")]], ["i1"]),
    ],
)
def test_the_last_word_of_a_new_file_counts(shard, tmp_path, files, passing):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    subjects = {"00": frozenset({ANN, BOB})}
    for rows in files:
        csv_of(inbox / "wishes.csv", *rows)
        given = {"inbox": str(inbox), "proof_required": False}
        ahead = events.digests(shard.vault, subjects, lambda: subjects, given).shards
        shard.accord("import", str(inbox))
        assert events.digests(shard.vault, subjects, lambda: subjects, {**given, "inbox": None}).shards == ahead
    assert shard.passing() == passing


def test_what_is_said_anew_reruns_the_shard(shard):
    given = {"inbox": None, "proof_required": False}
    seen = []
    for action, day in (("withdraw", "2026-06-01"), ("grant", "2026-07-01"), ("withdraw", "2026-06-01")):
        shard.accord(action, *WHO, "--scope", "publish_attr:pronoun", "--on", day)
        seen.append(events.digests(shard.vault, ["00"], lambda: {"00": frozenset({BOB})}, given).shards["00"])
    assert len(set(seen)) == 3
