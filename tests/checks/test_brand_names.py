"""Brands by name: where a name is a sign, how it may be misread, and the list that ships."""

import csv
import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from accord.checks.brands import logo_brands, names
from accord.checks.brands.logo_brands import Line, likeness
from accord.checks.brands.names import NAME, NEAR, WORD, Names, brand, errors, plain, shape, words
from accord.checks.personal.proposals import box
from accord.errors import AccordError

ROOT = Path(__file__).parents[2]
LINE = [10.0, 20.0, 110.0, 20.0, 110.0, 60.0, 10.0, 60.0]
BRANDS = Names(
    [
        *map(
            brand, ("Zephra", "Quillon", "HBO", "BMW", "Citroën", "Uniqlo", "Joma", "Tommy Hilfiger", "Louis Vuitton")
        ),
        *(brand(name, WORD) for name in ("Gap", "Shell", "Burger King")),
        *(brand(name, NEAR) for name in ("Jeep", "H&M", "Fanta")),
    ]
)


def like(text, sure=0.99, prose=False):
    return likeness(Line(words(text), sure, prose), BRANDS)


@pytest.mark.parametrize("text", [
    "ZEPHRA", "by Quillon.", "new quillon shoes and what else there is", "CITROEN", "HBO", "HBO max", "hbo", "Jeep",
    "H&M", "Louis Vuitton", "LOUISVUITTON", "U N I Q L O", "tommy hilfiger", "Joma SPORT", "BMW M3",
])  # fmt: skip
def test_names_are_found_where_they_are_spelled(text):
    assert like(text) == 1


@pytest.mark.parametrize("text", ["SHELL", "Shell", "Gap", "BURGER KING", "Burger King Drive"])
def test_ordinary_words_are_brands_alone_and_in_capitals_and_count_less(text):
    assert like(text) == logo_brands.ORDINARY


@pytest.mark.parametrize("text", [
    "shell", "a Gap", "the gap between them", "SHELL BEACH", "burger king", "we had a burger king size", "hbo series",
    "", "zebra", "king burger", "BMX", "HM3 Q", "exit 24", "our jeep", "Quilt on", "million",
    "He bought a BMW and drove on",
])  # fmt: skip
def test_other_words_are_none(text):
    assert like(text) == 0


@pytest.mark.parametrize(("text", "name"), [
    ("Zephro", "Zephra"), ("Quil1on", "Quillon"), ("QUILION", "Quillon"), ("ZEPRA", "Zephra"), ("Zepphra", "Zephra"),
    ("H8O", "HBO"), ("HB0", "HBO"), ("J0ma", "Joma"), ("Jorna", "Joma"), ("Tomny Hilfger", "Tommy Hilfiger"),
    ("Louis Vuiton", "Louis Vuitton"),
])  # fmt: skip
def test_a_misread_name_is_found_with_less_certainty(text, name):
    assert 0.75 <= like(text) < like(name) == 1


@pytest.mark.parametrize("text", [
    "Zebhro", "HBD", "JOMB", "Jema", "Fonta", "J33p", "6AP", "5HELL", "BURGER RING", "Tonny Hilfgar", "8080",
    "new zephro shoes", "H80 X",
])  # fmt: skip
def test_another_word_is_no_misread_name(text):
    assert like(text) == 0


def test_short_names_and_ordinary_words_must_be_read_surely():
    assert like("HBO", sure=0.89) == like("SHELL", sure=0.89) == 0
    assert like("Quillon", sure=0.5) == 1


def test_in_running_text_only_long_names_count():
    assert like("Quillon", prose=True) == 1
    assert like("HBO", prose=True) == like("SHELL", prose=True) == like("Zephro", prose=True) == 0


def row(text, top, height=20.0, left=0.0):
    return (text, list(box(left, top, left + 200.0, top + height)), 0.99)


def test_sentences_make_running_text_of_the_lines_around_them():
    page = [row("it was the first that we saw", 0), row("Gap", 25), row("HBO", 100), row("Shell", 25, left=500)]
    assert logo_brands.running(page) == [True, True, False, False]
    assert logo_brands.running([row("it was the first that we saw", 0), row("Gap", 25, height=60)]) == [True, False]
    assert logo_brands.running([row("THE BEST COFFEE IN THE WORLD", 0), row("Gap", 25)]) == [False, False]
    assert logo_brands.running([]) == []


def test_the_score_is_that_of_reading_times_likeness_and_the_region_holds_the_line():
    lines = [("Zephra", LINE, 0.9), ("Zephra", LINE, 0.5), ("exit", LINE, 1.0), ("ZEPHR0", LINE, 0.9)]
    first, second = logo_brands.find(lines, BRANDS, 0.6)
    assert (first.score, second.score) == (0.9, 0.75)
    assert first.polygon == box(0.0, 10.0, 120.0, 70.0)
    assert "Zephra" not in first.reason


letters = st.text("abcdeo01", min_size=1, max_size=16)


@given(st.lists(letters, max_size=6, unique=True), letters)
def test_what_is_misread_is_what_a_comparison_with_every_name_tells(listed, part):
    found = {one.plain for one, _ in Names(map(brand, listed)).misread(part)}
    text = 2 * sum(c.isalpha() for c in part) > len(part)
    near = {name for name in listed if 0 < Levenshtein.distance(name, part) <= errors(len(name))}
    assert found == ({name for name in listed if shape(name) == shape(part)} | near if text else set())


@given(letters, st.integers(0, 15), st.sampled_from("xyz"))
def test_a_letter_changed_costs_its_share_of_the_name(name, at, letter):
    wrong = name[: at % len(name)] + letter + name[at % len(name) + 1 :]
    found = {one.plain: alike for one, alike in Names([brand(name)]).misread(wrong)}
    enough_letters = 2 * sum(c.isalpha() for c in wrong) > len(wrong)
    assert found == ({name: 1 - 1 / len(name)} if len(name) >= 5 and enough_letters else {})


def test_a_list_of_brands_needs_its_column_and_known_kinds(tmp_path):
    path = tmp_path / "brands.csv"
    path.write_text("brand,word\nBurger King,yes\nH&M,\n,\n")
    read = names.read(path)
    assert [read.spelled(name) for name in ("burgerking", "hm", "")] == [("burgerking", 2, WORD), ("hm", 2, NAME), None]
    path.write_text("brand\nBurger King\n")
    assert names.read(path).spelled("burgerking").kind == NAME
    path.write_text("name\nx\n")
    with pytest.raises(AccordError, match="has no column 'brand'"):
        names.read(path)
    path.write_text("brand,word\nGap,maybe\nShell,no\n")
    with pytest.raises(AccordError) as error:
        names.read(path)
    assert [problem.where for problem in error.value.problems] == [f"{path}: row 2", f"{path}: row 3"]


@pytest.fixture(scope="module")
def shipped():
    return names.read(ROOT / "config/brands.csv")


def test_the_list_that_ships_has_thousands_of_brands_and_says_where_from(shipped):
    with (ROOT / "config/brands.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    licence = (ROOT / "config/LICENSE-brands.md").read_text()
    assert len(shipped) == len(rows) > 10_000
    assert {row["source"] for row in rows} == {"accord", "name-suggestion-index", "simple-icons"}
    assert all(f"`{row['source']}`" in licence for row in rows)
    assert all(len(plain(row["brand"])) > 3 for row in rows if row["source"] != "accord")


@pytest.mark.parametrize("text", ["HBO", "Jeep", "Audi", "Viessmann", "VIESSMAN", "Joma", "BMW", "NIKE", "IBM", "LG"])
def test_names_that_were_read_in_photographs_are_proposed(shipped, text):
    (seen,) = logo_brands.find([(text, LINE, 0.99)], shipped, 0.6)
    assert seen.score >= 0.85


@pytest.mark.parametrize("text", [
    "EXIT", "SALE", "OPEN", "Police", "TAXI", "ATM", "WC", "Pharmacy", "next", "visa",
    "PLEASE KEEP OFF THE GRASS", "No parking", "Reception", "apple pie", "100", "24/7",
])  # fmt: skip
def test_ordinary_signs_are_not(shipped, text):
    assert logo_brands.find([(text, LINE, 0.99)], shipped, 0.6) == []


def test_the_list_is_made_of_what_is_fit_and_marks_words():
    spec = importlib.util.spec_from_file_location("brands", ROOT / "benchmarks/brands.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    ordinary = {"open", "burger", "king"}
    known = made.Words(ordinary, {*ordinary, "fante"}, {*ordinary, "fante", "anna", "quillan"})
    ours, theirs = (
        ["Fanta", "Open", "LG"],
        ["OPEN", "Anna", "Burger King", "Open 24", "Fanta", "Quillon", "ABC", "Магнит", "A B C D E F"],
    )
    assert made.listed({"accord": ours, "other": theirs}, known) == [
        ("Burger King", WORD, "other"), ("Fanta", NEAR, "accord"), ("LG", NAME, "accord"), ("Open", WORD, "accord"),
        ("Open 24", WORD, "other"), ("Quillon", NEAR, "other"),
    ]  # fmt: skip
