"""Images on the web: a list of hashes, and the subjects that go with one match."""

import pytest

from accord.checks.settling.web import run
from accord.checks.tables.findings import Answers
from accord.engine import table
from accord.errors import AccordError

NONE = table.empty(Answers)


def bits(count):
    return f"{(1 << count) - 1:064x}"


@pytest.fixture
def listed(tmp_path):
    def write(*lines):
        path = tmp_path / "web.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


@pytest.fixture
def four(images, prints):
    """Images a and b of one subject, c of another, d without fingerprints; a has the hash 0."""
    subjects = {"a": "s1", "b": "s1", "c": "s2", "d": "s2"}
    rows = [{"image": name, "subject": subject} for name, subject in subjects.items()]
    return images(*rows), prints({**rows[0], "pdq": bits(0)}, *rows[1:3])


def test_a_person_looks_at_a_match_and_its_subjects_other_images_are_told_of(four, listed):
    found = run(*four, NONE, web_list=listed("url,pdq", f"x,{bits(200)}", f"y,{bits(31)}"), max_distance=31)
    assert dict(zip(found["image"], found["verdict"], strict=True)) == {
        "a": "review",
        "b": "info",
        "c": "pass",
        "d": "pass",
    }
    assert found["score"][0] == 31
    assert found["reason"].tolist()[:2] == [
        "is similar to a listed image",
        "another image of its subject was found on the web",
    ]


def test_a_bit_further_is_no_match(four, listed):
    assert set(run(*four, NONE, web_list=listed("pdq", bits(32)), max_distance=31)["verdict"]) == {"pass"}


def test_flat_pictures_match_nothing(images, prints, listed):
    flat = prints({"image": "a", "pdq": bits(0), "pdq_quality": 0})
    assert run(images({"image": "a"}), flat, NONE, web_list=listed("pdq", bits(0)), max_distance=31)[
        "verdict"
    ].tolist() == ["pass"]


def test_without_a_list_nothing_is_said(four):
    assert len(run(*four, NONE, max_distance=31)) == 0


def test_an_empty_list_matches_nobody(four, listed):
    assert set(run(*four, NONE, web_list=listed("pdq"), max_distance=31)["verdict"]) == {"pass"}


def test_every_wrong_line_is_named(four, listed):
    with pytest.raises(AccordError) as error:
        run(*four, NONE, web_list=listed("pdq", bits(1), "abc", "x" * 64), max_distance=31)
    assert "2 problems found" in str(error.value)
    assert "web.csv, line 3: not a PDQ hash" in str(error.value)
    assert "web.csv, line 4: not a PDQ hash\n    hint: must be 64 hexadecimal digits" in str(error.value)


def test_a_list_without_the_column_is_refused(four, listed):
    with pytest.raises(AccordError, match="has no column 'pdq'"):
        run(*four, NONE, web_list=listed("hash", bits(1)), max_distance=31)


def test_a_service_that_knows_an_address_takes_the_subject_to_a_person(four):
    said = [
        {"image": "a", "feature": "web", "number": 0, "kind": "partial", "name": "https://a.example/1.jpg"},
        {"image": "a", "feature": "web", "number": 1, "kind": "full", "name": "https://a.example/2.jpg"},
        {"image": "c", "feature": "web", "number": 0, "kind": "nothing", "name": "web"},
        {"image": "d", "feature": "web", "number": 0, "kind": "refused", "name": "web"},
    ]
    answers = table.rows([{**row, "score": None, "polygon": []} for row in said], Answers)
    found = run(*four, answers, max_distance=31)
    assert found["verdict"].tolist() == ["review", "info", "pass", "info"]
    assert found["reason"][0] == "the picture or a part of it was found at 2 address(es) on the web"
    assert found["score"].isna().all()
