"""Personal data in text: check digits, forms, and ordinary words that are none."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.checks.personal import identifiers
from accord.checks.personal.identifiers import iban, kinds, luhn, plate

DIGITS = st.text("0123456789", min_size=12, max_size=18)
# Examples of ISO 13616's registry, and the test numbers that card networks publish.
IBANS = (
    "GB29 NWBK 6016 1331 9268 19",
    "DE89370400440532013000",
    "FR14 2004 1010 0505 0001 3M02 606",
    "NO9386011117947",
)
CARDS = ("4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "6011111111111117")


def with_check_digit(digits):
    return next(digits + end for end in "0123456789" if luhn(digits + end))


def an_iban(country, account):
    """ISO 13616: the check digits make the number, turned by four, leave 1 when divided by 97."""
    turned = "".join(str(int(sign, 36)) for sign in f"{account}{country}00")
    return f"{country}{98 - int(turned) % 97:02d}{account}"


@given(DIGITS)
def test_one_luhn_digit_fits_and_any_other_does_not(digits):
    assert sum(luhn(digits + end) for end in "0123456789") == 1


@given(DIGITS, st.integers(0, 17), st.integers(1, 9))
def test_luhn_sees_every_single_wrong_digit(digits, at, by):
    whole = with_check_digit(digits)
    at %= len(whole)
    assert not luhn(whole[:at] + str((int(whole[at]) + by) % 10) + whole[at + 1 :])


@given(st.text())
def test_only_ascii_digits_are_numbers(text):
    assume(not re.fullmatch("[0-9]+", text))
    assert not luhn(text)


@given(st.sampled_from(["DE", "FR", "GB", "BR"]), st.text("ABCXYZ0123456789", min_size=11, max_size=30))
def test_an_iban_is_known_by_its_check_digits(country, account):
    good = an_iban(country, account)
    assert iban(good)
    wrong = good[:2] + f"{(int(good[2:4]) + 1) % 100:02d}" + good[4:]
    assert not iban(wrong)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("Tel. 030", "5550143"), {"phone"}),
        (("Phone", "555", "0143 22"), {"phone"}),
        (("Telephone", "5550143"), {"phone"}),
        (("Mobiltelefon", "5550143"), {"phone"}),
        (("GB29 NWBK 6016", "1331 9268 19"), {"iban"}),
        (("4111 1111", "1111 1111"), {"payment_card"}),
        (("030", "5550143"), set()),
        (("HOTEL", "5550143"), set()),
        (("08 15 08 45", "09 15 09 45"), set()),
        (("Tel.", "10 12 2026"), set()),
        ((), set()),
    ],
)
def test_numbers_that_are_broken_over_lines(lines, found):
    assert identifiers.over_lines(lines) == found


@pytest.mark.parametrize("text", IBANS)
def test_registered_examples_of_ibans(text):
    assert "iban" in kinds(text)
    assert "iban" in kinds(f"Pay to {text} please")
    assert "iban" not in kinds(text[:-1] + ("1" if text[-1] != "1" else "2"))


@pytest.mark.parametrize("text", CARDS)
def test_payment_cards(text):
    assert "payment_card" in kinds(text)
    assert "payment_card" not in kinds(text[:-1] + str((int(text[-1]) + 1) % 10))


@given(
    st.from_regex(r"[A-Z]{2}-[0-9]{3}-[A-Z]{2}", fullmatch=True) | st.from_regex(r"[A-Z]{3} [0-9]{4}", fullmatch=True)
)
def test_plates_by_their_form(text):
    assert plate(text)
    assert not plate(f"{text} and more words")


@pytest.mark.parametrize(
    "text",
    ["BR-293-CA", "AB12 CDE", "7ABC123", "1234 BCD", "MH 12 AB 1234", "ABC1D23", "B 1234 XYZ", "京A12345", "BR-Z93-CA"],
)
def test_plates_of_many_countries(text):
    assert kinds(text) == {"plate"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("jo.doe@example.org", "email"), ("Mail: a.b+c @ sub.example.co.uk", "email"), ("@jo_doe", "handle"),
        ("+49 (0)30 1234567", "phone"), ("Tel. 555 12 34", "phone"), ("(030) 123-4567", "phone"),
        ("0171 2345678", "phone"), ("|<UTOEXEMPLAR<<SPECIMEN<<<", "machine_readable_zone"),
        ("P<UTOERIKSSON<<ANNA<MARIA<<<<<", "machine_readable_zone"), ("ID CARD SPECIMEN", "identity_document"),
        ("Führerschein", "identity_document"), ("PASSEPORT", "identity_document"), ("Born 10.10.1991", "birth"),
        ("Date of birth", "birth"), ("né(e) · date de naissance", "birth"), ("66 Test Street", "address"),
        ("12 Mill Lane", "address"), ("Hauptstr. 5", "address"), ("Musterstraße 12a", "address"),
        ("5 rue de la Paix", "address"), ("Calle Mayor 7", "address"), ("Jl. Sudirman 21", "address"),
    ],
)  # fmt: skip
def test_what_is_personal(text, kind):
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Kaleido", "OPEN 24 HOURS", "SALE 50%", "Est. 1987", "10.10.1991", "2024-05-01", "NEW YORK", "Route 66",
        "1:250000", "www.example.org", "Contact", "Exit 12", "No. X972549", "12 eggs", "stones", "3 for 2", "1999",
        "Gate B", "JUST DO IT", "BOSTON", "1234567", "€ 12,99", "<<<", "Strada", "airborne",
    ],
)  # fmt: skip
def test_what_is_not(text):
    assert kinds(text) == set()


@given(st.text(max_size=60))
def test_any_text_is_looked_through(text):
    assert kinds(text) <= {*identifiers.TESTS, *identifiers.WORDS, identifiers.ADDRESS}


def test_long_text_takes_no_time():
    """No pattern goes over a text again and again."""
    for text in ("0 " * 3000, "a." * 3000, "<" * 6000, "a a " * 1500 + "st", "DE00" * 1500, "1 a" * 2000):
        kinds(text)
