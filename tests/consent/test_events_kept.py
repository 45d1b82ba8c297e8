"""Whom the ledger's events concern is looked up once for the same events and deliveries."""

import pytest
from consent_cases import ANN, BOB
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.consent.deciding import events
from accord.consent.ledger import ledger
from accord.consent.ledger.records import COMMAND, FORM, GRANTED, SUBJECT, WITHDRAWN, ConsentEvent

SHOWN = {"00": frozenset({ANN}), "01": frozenset({BOB, ANN}), "02": frozenset()}
SETTINGS = {"inbox": None, "proof_required": False}


@pytest.fixture
def asked():
    """How many times somebody asked who is shown."""
    return []


def digests(shard, asked, memory=None, delivered=()):
    return events.digests(shard.vault, SHOWN, lambda: asked.append(1) or SHOWN, SETTINGS, memory, delivered)


def event(subject, state=WITHDRAWN, source=COMMAND, last=""):
    return ConsentEvent(SUBJECT, subject, "", "*", state, "2026-06-01", last, source, "", "", "")


def put(shard, *told):
    with ledger.writing(shard.vault) as opened:
        ledger.append(opened, told)


def test_nobody_asks_who_is_shown_while_no_event_names_a_subject(shard, asked):
    put(shard, event(BOB, GRANTED, FORM))
    assert len(set(digests(shard, asked).shards.values())) == 1
    assert asked == []


def test_events_are_placed_once_and_again_for_others_and_for_other_deliveries(shard, asked, tmp_path):
    memory = tmp_path / "events.json"
    put(shard, event(BOB))
    first = digests(shard, asked, memory, ["a"])
    assert first.shards["01"] != first.shards["00"] == first.shards["02"]
    assert digests(shard, asked, memory, ["a"]) == first
    assert len(asked) == 1
    digests(shard, asked, memory, ["b"])
    assert len(asked) == 2
    put(shard, event(ANN, last="2026-12-31"))
    second = digests(shard, asked, memory, ["b"])
    assert len(asked) == 3
    assert second.ends == {"00": {"2026-12-31"}, "01": {"2026-12-31"}, "02": frozenset()}


def test_whoever_was_erased_is_looked_up(shard, asked, tmp_path):
    memory = tmp_path / "events.json"
    shard.record()
    before = digests(shard, asked, memory)
    ledger.erase(shard.vault, BOB)
    after = digests(shard, asked, memory)
    assert {name for name in SHOWN if after.shards[name] != before.shards[name]} == {"01"}
    assert not {ANN, BOB} & set(memory.read_text().split('"'))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    told=st.lists(
        st.tuples(st.sampled_from([ANN, BOB]), st.sampled_from([GRANTED, WITHDRAWN]), st.sampled_from([COMMAND, FORM])),
        max_size=4,
    )
)
def test_what_was_kept_is_what_a_look_at_all_gives(told, tmp_path_factory):
    from consent_cases import Shard

    shard = Shard(tmp_path_factory.mktemp("shard"))
    for one in told:
        put(shard, event(*one))
        for _ in range(2):
            assert digests(shard, [], shard.vault.parent / "events.json") == digests(shard, [])
