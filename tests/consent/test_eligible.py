"""Who may pass: hand-made cases."""

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.consent.deciding import eligible, grants
from accord.consent.deciding.eligible import EXPIRED, MINOR, MISSING, NO_COPYRIGHT, SCOPE, Depicted, Terms
from accord.consent.deciding.grants import Event

TERMS = Terms("2026-11-01", 18)
TAKEN = "2026-02-03"
ADULT = "1990-05-01"


def grant(*scopes, on="2026-01-02", until="", image=""):
    return [Event(image, scope, "granted", on, until) for scope in scopes or ("collect", "publish_image")]


def withdrawal(scope="*", on="2026-06-01", image=""):
    return Event(image, scope, "withdrawn", on)


RIGHTS = [grant("copyright")]


def failed(people, *, unknown=0, rights=RIGHTS, taken=TAKEN):
    found = eligible.judge("i1", taken, people, unknown, rights, TERMS)
    assert [check for _, check, *_ in found] == list(eligible.CHECKS)
    return [check for _, check, _, _, verdict, _ in found if verdict == "fail"]


@pytest.mark.parametrize(
    ("events", "stopped"),
    [
        (grant(), []),
        ([], [MISSING]),
        (grant(on="2026-11-01"), []),
        (grant(on="2026-11-02"), [MISSING]),
        (grant(until="2026-11-01"), []),
        (grant(until="2026-10-31"), [EXPIRED]),
        ([*grant(until="2026-10-31"), *grant(on="2026-05-01")], []),
        (grant("collect"), [SCOPE]),
        (grant("publish_image"), [SCOPE]),
        (grant("biometric"), [SCOPE]),
        ([*grant(until="2026-10-31"), *grant("biometric")], [SCOPE]),
        (grant(image="i1"), []),
        (grant(image="i2"), [MISSING]),
        ([*grant(), withdrawal()], [SCOPE]),
        ([*grant(), withdrawal("publish_image")], [SCOPE]),
        ([*grant(), withdrawal("biometric")], []),
        ([*grant(), withdrawal("publish_attr:*")], []),
        ([*grant(), withdrawal(image="i1")], [SCOPE]),
        ([*grant(), withdrawal(image="i2")], []),
        ([*grant(image="i1"), withdrawal()], [SCOPE]),
        ([*grant(), withdrawal(on="2026-12-24")], [SCOPE]),  # known already: counts, whatever its day
        ([*grant(), withdrawal(on="2026-01-02")], [SCOPE]),  # of the same day: the withdrawal counts
        ([*grant(), withdrawal(), *grant(on="2026-07-01")], []),  # granted anew
    ],
)
def test_what_one_person_granted(events, stopped):
    assert failed([Depicted(events, ADULT)]) == stopped


def test_everyone_must_consent():
    ann, bob = Depicted(grant(), ADULT), Depicted([*grant(), withdrawal()], ADULT)
    assert failed([ann, ann]) == []
    assert failed([ann, bob]) == [SCOPE]
    assert failed([ann, Depicted([], ADULT), Depicted(grant(until="2026-05-05"), ADULT)]) == [MISSING, EXPIRED]


def test_somebody_who_is_not_known_stops_the_image():
    assert failed([Depicted(grant(), ADULT)], unknown=1) == [MISSING]


def test_nobody_is_nobody_who_consents():
    assert failed([], unknown=1) == [MISSING, MINOR]


@pytest.mark.parametrize(
    ("events", "held_on", "stopped"),
    [
        (grant(until="2026-11-10"), "2026-11-10", []),
        (grant(until="2026-11-10"), "2026-11-11", [EXPIRED]),
        (grant(until="2026-11-10"), "2026-10-01", []),  # an earlier day than that of the release says nothing
        ([*grant(), Event("", "*", "withdrawn", "2026-11-10", "2026-11-10")], "2026-11-11", [EXPIRED]),
        (
            [*grant(until="2026-11-10"), *grant(on="2026-11-11")],
            "2026-12-01",
            [EXPIRED],
        ),  # signed after the release's day
        ([*grant(until="2026-11-10"), *grant(on="2026-10-01")], "2026-12-01", []),
    ],
)
def test_consent_must_still_hold_on_a_later_day(events, held_on, stopped):
    people, rights = [Depicted(events, ADULT)], [grant("copyright")]
    found = eligible.judge("i1", TAKEN, people, 0, rights, TERMS._replace(held_on=held_on))
    assert [check for _, check, _, _, verdict, _ in found if verdict == "fail"] == stopped
    owned = eligible.judge("i1", TAKEN, [Depicted(grant(), ADULT)], 0, [grant("copyright", until="2026-11-10")],
                           TERMS._replace(held_on="2026-11-11"))  # fmt: skip
    assert [check for _, check, _, _, verdict, _ in owned if verdict == "fail"] == [NO_COPYRIGHT]


@pytest.mark.parametrize(
    ("ends", "today", "expected"),
    [
        ([], "2027-01-01", "2026-11-01"),
        (["2026-06-30"], "2027-01-01", "2026-11-01"),  # over before the day of the release: counts not, as ever
        (["2026-11-10"], "2026-11-10", "2026-11-01"),
        (["2026-11-10"], "2026-11-11", "2026-11-11"),
        (["2026-11-10", "2026-12-31"], "2026-12-30", "2026-11-11"),  # the same all the time until the next one ends
        (["2026-11-10", "2026-12-31"], "2027-01-01", "2027-01-01"),
        (["2026-11-10"], "2026-10-01", "2026-11-01"),
    ],
)
def test_the_day_on_which_consent_must_hold_changes_when_one_ends(ends, today, expected):
    assert grants.held_on(ends, "2026-11-01", today) == expected


@given(
    ends=st.lists(st.dates(date(2026, 10, 20), date(2026, 12, 10)).map(str), max_size=4),
    today=st.dates(date(2026, 11, 1), date(2026, 12, 12)).map(str),
)
def test_by_the_day_on_which_consent_must_hold_the_same_have_ended_as_today(ends, today):
    held = grants.held_on(ends, TERMS.as_of, today)
    for end in ends:
        one = grant("collect", until=end)
        said = grants.granted(one, "i1", "collect", TERMS.as_of, held)
        assert said == grants.granted(one, "i1", "collect", TERMS.as_of, today) == (end >= max(TERMS.as_of, today))


@pytest.mark.parametrize(
    ("born", "taken", "stopped"),
    [
        ("2008-02-03", "2026-02-03", []),  # 18 on the day
        ("2008-02-04", "2026-02-03", [MINOR]),  # 17 on the day, 18 now
        ("2008-02-29", "2026-02-28", [MINOR]),
        ("2008-02-29", "2026-03-01", []),
        ("", "2026-02-03", [MINOR]),
        (ADULT, "", [MINOR]),
    ],
)
def test_age_counts_on_the_day_of_capture(born, taken, stopped):
    assert failed([Depicted(grant(on="2026-10-31"), born)], taken=taken) == stopped


def test_the_youngest_counts():
    found = eligible.judge("i1", TAKEN, [Depicted(grant(), ADULT), Depicted(grant(), "2009-01-01")], 0, RIGHTS, TERMS)
    assert [(score, threshold) for _, check, score, threshold, *_ in found if check == MINOR] == [(17.0, 18.0)]


@pytest.mark.parametrize(
    ("rights", "stopped"),
    [
        ([grant("copyright")], []),
        ([], [NO_COPYRIGHT]),
        ([grant("copyright", until="2026-10-31")], [NO_COPYRIGHT]),
        ([grant("copyright", on="2026-12-01")], [NO_COPYRIGHT]),
        ([[*grant("copyright"), withdrawal("copyright")]], [NO_COPYRIGHT]),
        ([[withdrawal("copyright")], grant("copyright")], []),  # somebody else's withdrawal
    ],
)
def test_copyright(rights, stopped):
    assert failed([Depicted(grant(), ADULT)], rights=rights) == stopped


def test_findings_say_how_many_and_why():
    found = eligible.judge("i1", TAKEN, [Depicted([], ""), Depicted([], "")], 1, [], TERMS)
    assert found[0] == ("i1", MISSING, 3.0, 0.0, "fail", "somebody in the image has no signed consent form")
    assert math.isnan(found[3][2])
    assert found[4][4:] == ("fail", "no valid copyright form covers the image")


@pytest.mark.parametrize(
    ("declared", "camera", "day"),
    [
        ("2026-02-03", "2025-01-01T10:00:00", "2025-01-01"),
        ("2025-01-01", "2026-02-03T10:00:00", "2025-01-01"),
        ("2025-01-01", "", "2025-01-01"),
        ("", "2025-01-01T10:00:00", "2025-01-01"),
        ("", "", ""),
        ("2026-11-01", "", "2026-11-01"),
        ("2026-11-02", "", ""),  # a day to come
        ("2027-01-01", "2025-01-01T10:00:00", ""),
        ("2026-02-03", "2031-01-01T10:00:00", "2026-02-03"),  # a camera's clock that is ahead
        ("", "2031-01-01T10:00:00", ""),
    ],
)
def test_age_is_told_by_the_earlier_day_of_subject_and_camera(declared, camera, day):
    assert eligible.captured(declared, camera, TERMS.as_of) == day


def test_a_star_stands_for_public_attributes_alone():
    allowed = [scope for scope in grants.SCOPES if grants.granted(grant("publish_attr:*"), "i1", scope, "2026-11-01")]
    assert "publish_attr:pronoun" in allowed
    assert "publish_attr:age" in allowed
    assert not [scope for scope in allowed if not scope.startswith("publish_attr:")]
    assert "publish_attr:height" not in allowed
    assert len(allowed) == 23


def test_one_attribute_can_be_withdrawn():
    events = [*grant("publish_attr:*"), withdrawal("publish_attr:pronoun")]
    assert not grants.granted(events, "i1", "publish_attr:pronoun", "2026-11-01")
    assert grants.granted(events, "i1", "publish_attr:ancestry", "2026-11-01")


DAYS = st.dates().map(str)
PATTERNS = ["*", "collect", "publish_attr:*", "biometric"]
EVENTS = st.lists(
    st.builds(Event, st.sampled_from(["", "i1", "i2"]), st.sampled_from(PATTERNS),
              st.sampled_from(["granted", "withdrawn"]), DAYS, st.just("") | DAYS),
    max_size=6,
)  # fmt: skip


@given(EVENTS, DAYS, st.sampled_from(grants.SCOPES))
def test_a_withdrawal_never_grants_and_order_does_not_count(events, day, scope):
    before = grants.granted(events, "i1", scope, day)
    assert grants.granted(list(reversed(events)), "i1", scope, day) == before
    assert not grants.granted([*events, withdrawal(on="9999-12-31")], "i1", scope, day)
    assert before or not grants.granted([*events, withdrawal("collect")], "i1", scope, day)


@pytest.mark.parametrize(
    ("born", "signed", "stopped", "youngest"),
    [
        ("2007-10-20", ["2008-01-01"], [MINOR], 0),
        ("2008-01-03", ["2026-01-02"], [MINOR], 17),
        ("2008-01-02", ["2026-01-02"], [], 18),
        ("2007-10-20", ["2008-01-01", "2026-01-02"], [], 18),
        ("2007-10-20", ["2008-01-01", "2025-01-02"], [MINOR], 17),
        ("", ["2026-01-02"], [MINOR], math.nan),
    ],
)
def test_a_form_that_was_signed_under_age_is_none(born, signed, stopped, youngest):
    person = Depicted([e for day in signed for e in grant(on=day)], born)
    assert failed([person], taken="2026-03-01") == stopped
    found = eligible.judge("i1", "2026-03-01", [person], 0, RIGHTS, TERMS)[eligible.CHECKS.index(MINOR)]
    assert found[2] == youngest or math.isnan(found[2]) == math.isnan(youngest) is True


def test_nothing_granted_under_age_is_permitted():
    events = [
        *grant("biometric", on="2008-01-01"),
        *grant(on="2026-01-02"),
        withdrawal("publish_attr:*", on="2008-02-01"),
    ]
    assert eligible.of_age(Depicted(events, "2007-10-20"), 18) == events[1:]
