"""Whoever withdrew stays out, whatever is delivered later, until a command lets them in again."""

import pytest
from consent_cases import BOB, form, image, person
from hypothesis import given
from hypothesis import strategies as st

from accord.consent.deciding import grants
from accord.consent.deciding.grants import NEEDED, Event
from accord.consent.requests import suppression
from accord.consent.requests.suppression import ERASED, LIFTED, REFUSED, Standing

WITHDREW = Standing("*", REFUSED, "2026-06-01")
OLD, NEW = "2026-01-02", "2026-08-01"


def signed(on, *scopes):
    return [Event("", scope, "granted", on) for scope in scopes or ("collect", "publish_image", "publish_attr:*")]


def passes(forms, standings, said=()):
    events = [*suppression.admitted(forms, standings), *said]
    return all(grants.granted(events, "i1", scope, "2026-11-01") for scope in NEEDED)


@pytest.mark.parametrize(
    ("forms", "standings", "said", "expected"),
    [
        (signed(OLD), [], [], True),
        (signed(NEW), [WITHDREW], [], False),  # a new form comes after the withdrawal
        (signed(OLD) + signed(NEW), [WITHDREW], [], False),
        (signed(NEW), [WITHDREW, Standing("*", LIFTED, "2026-07-01")], [], True),
        (signed(NEW), [WITHDREW, Standing("*", LIFTED, "2026-06-01")], [], False),  # of the same day: refused
        (signed(NEW), [WITHDREW, Standing("*", LIFTED, "2026-05-01")], [], False),  # let in before they withdrew
        (signed(OLD), [Standing("*", ERASED, "2026-06-01"), Standing("*", LIFTED, "2026-07-01")], [], False),
        (signed(NEW), [Standing("*", ERASED, "2026-06-01"), Standing("*", LIFTED, "2026-07-01")], [], True),
        (signed(NEW), [Standing("*", ERASED, "2026-06-01")], [], False),
        (signed(NEW), [WITHDREW, Standing("collect", LIFTED, "2026-07-01")], [], False),  # not publish_image
        (signed(NEW), [Standing("publish_image", REFUSED, "2026-06-01")], [], False),
        (signed(NEW), [WITHDREW, Standing("*", LIFTED, "2026-07-01"), Standing("*", REFUSED, "2026-07-15")], [], False),
        (signed(OLD), [WITHDREW, Standing("*", LIFTED, NEW)], [Event("", "*", "granted", NEW)], True),  # by command
    ],
)  # fmt: skip
def test_who_is_let_in(forms, standings, said, expected):
    left = [Event("", s.scope, "withdrawn", s.event_on) for s in standings if s.state == REFUSED]
    assert passes(forms, standings, [*left, *said]) == expected


DAYS = st.sampled_from(["2026-01-02", "2026-06-01", "2026-06-02", "2026-12-31"])
STANDINGS = st.lists(st.builds(Standing, st.sampled_from(["*", "collect", "publish_image"]),
                               st.sampled_from([REFUSED, ERASED]), DAYS), min_size=1)  # fmt: skip


@given(st.lists(DAYS), STANDINGS)
def test_no_form_lets_anybody_in(days, standings):
    left = [Event("", s.scope, "withdrawn", s.event_on) for s in standings if s.state == REFUSED]
    assert not passes([event for day in days for event in signed(day)], standings, left)


def redeliver(shard):
    """A new delivery: a new picture of bob, with new forms."""
    shard.images.append(image("i4", BOB))
    shard.people.append(person("i4", BOB))
    shard.forms += form("f9", BOB, signed_on=NEW)
    shard.record()


def test_a_redelivered_person_is_refused_until_a_command_lets_them_in(shard):
    shard.withdraw("bob")
    redeliver(shard)
    out = shard.apply()
    assert out.images["image"].tolist() == ["i1"]
    found = out.findings[out.findings["verdict"] == "fail"][["image", "check"]].values.tolist()
    assert ["i4", "consent.scope"] in found
    assert shard.accord("grant", "--vendor", "acme", "--subject", "bob", "--on", "2026-07-01") == 0
    assert shard.passing() == ["i1", "i2", "i3", "i4"]


def test_somebody_who_withdrew_nothing_but_an_attribute_is_delivered_as_ever(shard):
    shard.withdraw("bob", "--scope", "publish_attr:pronoun")
    redeliver(shard)
    assert shard.passing() == ["i1", "i2", "i3", "i4"]


def test_a_withdrawal_before_the_first_delivery_counts(tmp_path):
    from consent_cases import Shard

    shard = Shard(tmp_path)
    shard.withdraw("bob")
    shard.record()
    assert shard.passing() == ["i1"]
