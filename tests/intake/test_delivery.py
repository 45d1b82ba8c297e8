"""A delivery as a whole: what keeps it from being read, all at once, and the command that says it."""

import hashlib
import json

import jsonschema
import pytest
import yaml

from accord.errors import AccordError
from accord.intake.delivered import delivery, sheets
from accord.intake.delivered.delivery import SCHEMA
from accord.vocabularies import ATTRIBUTES


def problems(root):
    with pytest.raises(AccordError) as caught:
        delivery.load(root)
    return [(problem.where, problem.what) for problem in caught.value.problems]


def test_a_valid_delivery_is_read(maker):
    read = delivery.load(maker.write())
    assert (read.vendor, read.name) == ("acme", "2026-03")
    assert [row["image"] for row in read.tables["images.csv"]] == ["IMG_1", "IMG_2", "IMG_3"]
    assert read.notices["notice-1"].version == "1"


@pytest.mark.parametrize(
    ("said", "rendered"), [({}, False), ("true", True), (True, True), ("1", True), ("FALSE", False)]
)
def test_a_delivery_is_of_photographs_unless_it_says_that_it_is_rendered(maker, said, rendered):
    maker.about |= {"rendered": said} if said else {}
    assert delivery.load(maker.write()).rendered is rendered


def test_whether_it_is_rendered_is_said_in_so_many_words(maker):
    maker.about["rendered"] = "perhaps"
    assert [where for where, _ in problems(maker.write())] == ["delivery/delivery.yaml $.rendered"]


def test_no_folder_and_no_description(tmp_path):
    assert problems(tmp_path / "gone") == [("gone", "is not a folder")]
    assert problems(tmp_path) == [(f"{tmp_path.name}/delivery.yaml", "the file does not exist")]


def test_a_description_that_is_no_yaml(maker):
    maker.write().joinpath("delivery.yaml").write_text("a: [")
    assert problems(maker.root) == [("delivery/delivery.yaml", "is not valid YAML (ParserError)")]


def test_a_description_can_run_no_code(maker):
    maker.write().joinpath("delivery.yaml").write_text("!!python/object/apply:os.system ['touch /tmp/run']")
    assert problems(maker.root) == [("delivery/delivery.yaml", "has a tag (!): leave it out")]


def test_all_that_breaks_the_description_is_said_at_once(maker):
    maker.about |= {"format": "other/1", "vendor": "../acme", "extra": 1}
    del maker.about["created"]
    maker.about["notices"][0]["sha256"] = "x"
    found = dict(problems(maker.write()))
    assert set(found) == {
        "delivery/delivery.yaml $",
        "delivery/delivery.yaml $.format",
        "delivery/delivery.yaml $.vendor",
        "delivery/delivery.yaml $.notices[0].sha256",
    }
    assert found["delivery/delivery.yaml $.format"] == 'breaks const "accord-delivery/1"'


def test_no_video_has_the_reference_of_an_image(maker):
    maker.video("IMG_3", "bob")
    maker.tables["people.csv"].pop()
    found = dict(problems(maker.write()))
    assert found == {"videos.csv:2": "has the reference of images.csv, line 4"}


def test_a_table_of_videos_that_is_not_listed_is_told(maker):
    root = maker.write()
    (root / "videos.csv").write_text("image\n")
    assert problems(root) == [("videos.csv", "is there, but delivery.yaml does not list it")]


def test_all_that_breaks_the_tables_is_said_at_once(maker):
    root = maker.write()
    (root / "people.csv").unlink()
    with (root / "forms.csv").open("a") as file:
        file.write("more\n")
    (root / "notices/notice-1.txt").write_text("another text")
    assert sorted(problems(root)) == [
        ("forms.csv", "does not match its sha256 in delivery.yaml"),
        ("forms.csv:6", "has 1 cells instead of 12"),
        ("notices/notice-1.txt", "does not match its sha256 in delivery.yaml"),
        ("people.csv", "the file does not exist"),
    ]


def test_a_table_behind_a_link_is_not_read(maker):
    root = maker.write()
    (root / "people.csv").rename(root.parent / "people.csv")
    (root / "people.csv").symlink_to(root.parent / "people.csv")
    assert problems(root) == [("people.csv", "the path goes through a link or a file")]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", [("subjects.csv", "is empty")]),
        (b"subject\nann\n", [("subjects.csv", "has no column 'birth_date'")]),
        (b"subject,birth_date,shoe\n", [("subjects.csv", "column 3 is not known")]),
        (b"subject,birth_date,subject\n", [("subjects.csv", "has a column twice")]),
        (b"subject,birth_date\nann\n", [("subjects.csv:2", "has 1 cells instead of 2")]),
        (b"subject,birth_date\nann,\nann,\n,\n", [("subjects.csv:3", "duplicates line 2")]),
        (b"subject,birth_date\n,1990-01-01\n", [("subjects.csv:2", "has no subject")]),
        (b"subject,birth_date\n\xff,\n", [("subjects.csv:2", "is not valid CSV in UTF-8 (byte 0xff)")]),
        (b'subject,birth_date\nann,\n"a"b,\n',
         [("subjects.csv:3", "is not valid CSV in UTF-8 (',' expected after '\"')")]),
        (b'subject,birth_date\nann,\n"bob,\ncid,\n',
         [("subjects.csv:3", "is not valid CSV in UTF-8 (a quote that isn't closed)")]),
        ("subject,birth_date\nann,\n".encode("utf-16"), [("subjects.csv", "is not valid CSV in UTF-8 (it is UTF-16)")]),
        (b"sep=,\r\nsubject,birth_date\nann,\n", [("subjects.csv", "begins with Excel's line `sep=`")]),
        (b"sep=;\nsubject;birth_date\nann;\n", [("subjects.csv", "begins with Excel's line `sep=`")]),
        (b"subject|birth_date\nann|\n", [("subjects.csv", "looks separated by vertical bars")]),
        ("subject,birth_date\n".encode("utf-16-le"),
         [("subjects.csv", "is not valid CSV in UTF-8 (it has zero bytes: UTF-16, or no text)")]),
        (b"\xef\xbb\xbfsubject,birth_date\nann\n , ,\n , \n,,,,\n", [("subjects.csv:2", "has 1 cells instead of 2")]),
        (b"subject,birth_date\n" + b"a" * 10_001 + b",\n",
         [("subjects.csv:2", "has a cell that is too long or not text")]),
        (b"subject,birth_date\n" + b"a" * 200_000 + b",\n",
         [("subjects.csv:2", "is not valid CSV in UTF-8 (field larger than field limit (131072))")]),
    ],
)  # fmt: skip
def test_the_form_of_a_table(maker, data, found):
    root = maker.write()
    (root / "subjects.csv").write_bytes(data)
    about = yaml.safe_load((root / "delivery.yaml").read_text())
    about["tables"]["subjects.csv"] = hashlib.sha256(data).hexdigest()
    (root / "delivery.yaml").write_text(yaml.safe_dump(about))
    assert problems(root) == found


@pytest.mark.parametrize(("table", "column", "change", "how", "there"), [
    ("people.csv", "image", str.lower, "case", "images.csv or videos.csv"),
    ("people.csv", "image", lambda text: f"images/{text}.jpg", "folders and the ending of the file",
     "images.csv or videos.csv"),
    ("people.csv", "subject", str.upper, "case", "subjects.csv"),
    ("forms.csv", "subject", str.upper, "case", "subjects.csv"),
])  # fmt: skip
def test_references_of_a_table_that_are_all_written_differently_are_told_first(
    maker, table, column, change, how, there
):
    for row in maker.tables[table]:
        row[column] = change(row[column])
    what = f"none of its {column}s is in {there}: they seem to be written differently, in {how}"
    with pytest.raises(AccordError) as failure:
        delivery.load(maker.write())
    assert [(one.where, one.what) for one in failure.value.problems] == [(table, what)]


TABLES = json.loads(SCHEMA.with_name("delivery-tables.schema.json").read_text())["$defs"]


def test_schemas_of_tables_name_the_columns_that_are_read():
    assert set(TABLES) == set(sheets.SHEETS)
    for name, sheet in sheets.SHEETS.items():
        assert set(TABLES[name]["required"]) == set(sheet.required), name
        assert set(TABLES[name]["properties"]) == {*sheet.required, *sheet.optional}, name


def test_schemas_of_tables_accept_what_is_valid(maker):
    read = delivery.load(maker.write())
    for name, rows in read.tables.items():
        validator = jsonschema.Draft202012Validator(TABLES[name])
        for row in rows:
            validator.validate(row)


@pytest.mark.parametrize("attribute", [a for a in ATTRIBUTES.values() if a.labels], ids=lambda a: a.name)
def test_schemas_of_tables_hold_the_vocabularies(attribute):
    schema = TABLES["images.csv" if attribute.of == "image" else "people.csv"]["properties"][attribute.name]
    validator = jsonschema.Draft202012Validator(schema)
    assert all(validator.is_valid(label) for label in ("", *attribute.labels))
    assert validator.is_valid("|".join(attribute.labels[:2])) == attribute.multiple
    assert not validator.is_valid("99. Other")
    assert not validator.is_valid(attribute.labels[0] + "|")
