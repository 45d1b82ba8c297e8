"""What a delivery may cost to read: time, memory and the problems told stay small, whatever is in it."""

import hashlib
import os
import time
import tracemalloc

import pytest
import yaml

from accord.audit.evidence import delivered
from accord.audit.targets.places import Places
from accord.engine import yaml_text
from accord.errors import AccordError, Collector
from accord.intake.delivered import delivery, digests, parsing
from accord.intake.reading import attributes
from accord.intake.redacting import verbatim
from accord.vocabularies import ATTRIBUTES

LAUGHS = "[x]\nb0: &b0 [x, x]\n" + "".join(f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 40))
MERGED = "[x]\nb0: &b0 {x: y}\n" + "".join(f"b{n}: &b{n} {{<<: [*b{n - 1}, *b{n - 1}]}}\n" for n in range(1, 40))
ANCHOR, KEY, TAG = "has an anchor (&)", "has a key twice", "has a tag (!)"
DESCRIPTIONS = {
    "aliases below a known key": ("notices: " + LAUGHS, ANCHOR),
    "merge keys of aliases": ("notices: " + MERGED, ANCHOR),
    "an alias of itself": ("notices: &a [*a]", ANCHOR),
    "an anchor that nobody uses": ("notices: &a []", ANCHOR),
    "an alias of nothing": ("notices: *a", ANCHOR),
    "a merge key": ("notices:\n  <<: {id: x}", "has a merge key (<<)"),
    "a merge key by its tag": ("notices:\n  !!merge x: {id: x}", TAG),
    "a tag": ("vendor: !!binary aGVsbG8=", TAG),
    "thousands of directives": ("".join(f"%TAG !a{n}! b\n" for n in range(60_000)) + "---\na: b", "has a directive"),
    "directives after a mark": ("\ufeff%TAG !a! b\n---\na: b", "has a directive"),
    "directives between other line ends": ("a: b\u2028%TAG !a! b\x85---", "has a directive"),
    "a key twice": ("vendor: a\nvendor: b", KEY),
    "a key that is a list": ("? [a]\n: b", KEY),
    "lists in lists": ("[" * 500_000, "has more than"),
    "blocks in blocks": ("- " * 500_000, "has more than"),
    "keys in keys": ("? " * 500_000, "has more than"),
    "a hundred thousand lists": ("[" + "[]," * 100_000 + "]", "has more than"),
    "a number of base 60": ("vendor: 1" + ":1" * 400_000, "breaks required"),
    "a list of nothing but errors": ("notices: [" + "{}," * 15_000 + "]", "breaks required"),
}
MOST_SECONDS = 3
COLUMNS = ("subject", "birth_date", "country_of_residence")


def cpu(call, *arguments):
    """What a call returns or raises, and the seconds of one core that it takes."""
    start = time.process_time()
    try:
        found = call(*arguments)
    except AccordError as error:
        found = error
    return found, time.process_time() - start


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_description_costs_little_and_is_refused(maker, name):
    text, what = DESCRIPTIONS[name]
    maker.write().joinpath("delivery.yaml").write_text(text)
    for call in (lambda: delivery.load(maker.root), lambda: digests.read([str(maker.root)], 4)):
        found, seconds = cpu(call)
        assert any(problem.what.startswith(what) for problem in found.problems), found
        assert seconds < MOST_SECONDS and len(found.problems) <= delivery.MOST_ERRORS


def test_an_audit_reads_no_more_of_a_delivery_than_intake(maker):
    maker.write()
    config = {"intake": {"deliveries": [str(maker.root)]}}
    assert len(delivered.sources(Places(config=config))) == 3
    (maker.root / "delivery.yaml").write_text("notices: " + LAUGHS)
    found, seconds = cpu(delivered.sources, Places(config=config))
    assert (found, seconds < MOST_SECONDS) == ({}, True)


def test_an_audit_reads_nothing_outside_of_a_delivery(maker, tmp_path):
    maker.write()
    (maker.root / "images.csv").rename(tmp_path / "images.csv")
    (maker.root / "images.csv").symlink_to(tmp_path / "images.csv")
    assert delivered.sources(Places(config={"intake": {"deliveries": [str(maker.root)]}})) == {}


def test_every_scalar_is_the_text_that_is_written():
    said = yaml_text.strings("a: 1.10\nb: 2026-03-01\nc: [yes, null, 0x10, '1:1']\nd:\n")
    assert said == {"a": "1.10", "b": "2026-03-01", "c": ["yes", "null", "0x10", "1:1"], "d": ""}
    assert yaml_text.strings("") is None


def test_a_description_with_new_digests_stays_plain():
    text = b"vendor: acme  # ours\ntables: {images.csv: aa}\n"
    new = verbatim.described(text, {"images.csv": b"x"})
    assert new == text.replace(b"aa", hashlib.sha256(b"x").hexdigest().encode())
    assert yaml.safe_load(new)["vendor"] == "acme"


HEAD = b"image,subject,attribute,annotator\n"
TABLES = {
    "blank rows": (HEAD + b"\n" * (1 << 20), "has more than 2000 rows"),
    "rows of blank cells": (HEAD + b",,,\n" * (1 << 18), "has more than 2000 rows"),
    "rows of one cell": (HEAD + b"x\n" * (1 << 19), "has 1 cells instead of 4"),
    "the same row again": (HEAD + b"a,b,c,d\n" * 1_900, "duplicates line 2"),
    "rows of many cells": (HEAD + (b"x" + b"," * 5_000 + b"\n") * 200, "has 5001 cells instead of 4"),
    "a row of nothing but cells": (
        HEAD + b"," * (2 << 20),
        "is not valid CSV in UTF-8 (a row of more than 1,048,576 letters",
    ),
    "a row of quoted line ends": (
        HEAD + b'"\n",' * (1 << 19),
        "is not valid CSV in UTF-8 (a row of more than 1,048,576 letters",
    ),
    "an open quote": (HEAD + b'a,"' + b"b\n" * (1 << 19), "is not valid CSV in UTF-8 (field larger than field limit"),
    "a header of nothing but columns": (b"," * 500_000, "columns 1, 2, 3, 4, 5 and 95 more of the first line"),
    "columns that nobody knows": (b",".join(b"c%d" % n for n in range(50_000)), "column 1 is not known"),
    "half a letter at the end": (HEAD + b"a,b,c,d\n" * 100_000 + b"\xc3", "duplicates line 2"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_costs_little_memory_and_tells_few_problems(name, monkeypatch):
    monkeypatch.setattr(parsing, "MOST_ROWS", 2_000)
    data, what = TABLES[name]
    problems = Collector()
    tracemalloc.start()
    rows, seconds = cpu(parsing.parse, "annotated.csv", data, problems)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert any(problem.what.startswith(what) for problem in problems), problems[:5]
    assert len(problems) <= parsing.MOST_PROBLEMS + 8 and len(rows) <= 2_000
    assert peak < len(data) + (12 << 20) and seconds < MOST_SECONDS


def test_as_many_rows_as_may_be_are_read(monkeypatch):
    monkeypatch.setattr(parsing, "MOST_ROWS", 3)
    rows = [b"a%d,,c,d\n" % number for number in range(4)]
    for count, told in ((3, 0), (4, 1)):
        problems = Collector()
        found = parsing.parse("annotated.csv", HEAD + b"".join(rows[:count]), problems)
        assert (len(found), len(problems)) == (3, told)


def test_line_ends_and_a_mark_of_utf8_are_read_as_before():
    for end in (b"\n", b"\r\n", b"\r"):
        data = b"\xef\xbb\xbf" + end.join([b"subject,birth_date", b'"a\nb",', b"", b"c,1990-01-01"])
        problems = Collector()
        rows = parsing.parse("subjects.csv", data, problems)
        assert ([row["subject"] for row in rows], problems) == (["a\nb", "c"], [])


def test_a_cell_of_thousands_of_countries_is_not_looked_through():
    cell = "|".join(f"Nowhere{number}" for number in range(1_000))
    kept, reasons = attributes.judge(ATTRIBUTES["nationality"], cell)
    assert (kept, reasons) == ([], [("vocabulary", "nationality has more than 100 values", cell)])


@pytest.mark.parametrize("column", ["subject", "country_of_residence"])
def test_cells_of_combining_marks_cost_what_their_letters_cost(column):
    """To sort 9,980 marks took 0.3 s for each cell; a table may have thousands of these."""
    marks = "\u0344" * 4_990 + "\u0316" * 4_990
    cells = ([f"x{n}{marks}" if name == column else f"{n}" for name in COLUMNS] for n in range(90))
    data = "\n".join([",".join(COLUMNS), *map(",".join, cells)]).encode()
    problems = Collector()
    rows, seconds = cpu(parsing.parse, "subjects.csv", data, problems)
    assert (rows, len(problems)) == ([], 90)
    assert problems[0].what == "a cell has more than 30 combining marks in a row"
    assert seconds < MOST_SECONDS


def test_rows_that_go_to_every_shard_are_looked_at_once(maker, monkeypatch):
    for number in range(300):
        maker.annotator(f"more-{number}")
        maker.form(f"more-{number}", subject="ann")
    root, looked = maker.write(), []
    real = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: looked.append(path) or real(path))
    _, seconds = cpu(digests.read, [str(root)], 256)
    assert len(looked) == len(set(looked)) and seconds < MOST_SECONDS
