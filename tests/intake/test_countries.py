"""Country names as people type them."""

import pycountry
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.intake.reading import countries
from accord.vocabularies import ANCESTRIES, text

NAMES = sorted(country.name for country in countries.countries().values())


def test_codes_are_those_of_iso_3166():
    assert {(c.iso3, c.code) for c in countries.countries().values()} == {
        (c.alpha_3, int(c.numeric)) for c in pycountry.countries
    }


def test_regions_are_those_that_ancestries_name():
    named = {c.subregion for c in countries.countries().values() if c.iso3 != "ATA"}
    assert named == {text(label) for label in ANCESTRIES} - {"Africa", "Americas", "Asia", "Europe", "Oceania"}


@pytest.mark.parametrize(
    ("given", "iso3"),
    [
        ("Nigeriia", "NGA"), ("Uae", "ARE"), ("U.A.E.", "ARE"), ("Hanoi Vietnam", "VNM"), ("Hanoi, Vitnam", "VNM"),
        ("vietnamese", "VNM"), ("NAIROBI", "KEN"), ("Lagos, Nigeriia", "NGA"), ("Phillipines", "PHL"),
        ("España", "ESP"), ("Côte d’Ivoire", "CIV"), ("Ivory Coast", "CIV"), ("Georgia, USA", "USA"),
        ("Georgia", "GEO"), ("Trinidad & Tobago", "TTO"), ("South Korea", "KOR"), ("Niger", "NER"),
        ("Untied States", "USA"), ("Guinea-Bissau", "GNB"), ("Inda", "IND"),
        ("Germnay", "DEU"), ("Argentinia", "ARG"), ("Columbia", "COL"), ("México", "MEX"), ("Brasil", "BRA"),
    ],
)  # fmt: skip
def test_what_people_type_is_understood(given, iso3):
    assert countries.normalise(given).iso3 == iso3


@pytest.mark.parametrize(
    "given",
    ["", "  ", "?", "Kosovo", "Nigera", "Austrlia", "Irna", "Nigeria Kenya", "Atlantis", "home", "a" * 5000, "\0"],
)
def test_what_names_no_country_for_certain_is_left_alone(given):
    assert countries.normalise(given) is None


@given(st.sampled_from(NAMES), st.sampled_from([str.upper, str.lower, str.title, lambda name: f"  {name} . "]))
def test_official_names_are_found_in_any_case(name, change):
    assert countries.normalise(change(name)).name == name


@given(st.data())
def test_a_letter_lost_never_leads_to_another_country(data):
    name = data.draw(st.sampled_from(NAMES))
    place = data.draw(st.integers(0, len(name) - 1))
    typed = name[:place] + name[place + 1 :]
    known = {countries.key(other) for other in NAMES}
    found = countries.normalise(typed)
    assert found is None or found.name == name or countries.key(typed) in known


@given(st.text(max_size=120))
def test_any_text_is_a_country_or_none(text):
    found = countries.normalise(text)
    assert found is None or found in countries.countries().values()


def test_aliases_name_one_country_each():
    for column in ("names", "nationalities", "cities"):
        pairs = [(countries.key(name), iso3) for name, iso3 in countries._aliases(column)]
        assert len(dict(pairs)) == len(set(pairs)), column
