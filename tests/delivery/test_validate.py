"""`accord delivery validate`: it says what the next rooms will do, and where each problem stands."""

import json
import re

import pytest
from intake_cases import jpeg, sha256
from PIL import Image

from accord import cli
from accord.consent import apply, record
from accord.consent.deciding.eligible import Terms
from accord.delivery import command
from accord.delivery.judging.judge import Settings
from accord.delivery.making.nearest import nearest
from accord.engine import table
from accord.intake import shard
from accord.intake.delivered import delivery
from accord.intake.delivered.sheets import SHEETS
from accord.intake.tables import Annotators, Forms, People

TERMS = Terms("2026-11-01", 18)
FLAGS = ("--as-of", TERMS.as_of, "--max-pixels", "1000000")


def validate(root, capsys, *flags):
    code = cli.main(["delivery", "validate", str(root), *FLAGS, *flags])
    return code, capsys.readouterr().out


def problems(root, capsys):
    """(where, what, first value, nearest, images) of each problem."""
    told = json.loads(validate(root, capsys, "--json")[1])["problems"]
    return [(p["where"], p["what"], p["places"][0]["value"], p["places"][0]["nearest"], p["images"]) for p in told]


def edit(name, key, **changes):
    return lambda maker: maker.row(name, **key).update(changes)


def stranger(maker):
    maker.annotation("IMG_1", [maker.person("ann"), maker.person("zoe")])


def unsigned(maker):
    maker.tables["forms.csv"] = [row for row in maker.tables["forms.csv"] if row["form"] != "c-bob"]


def taken(day):
    """A picture that a camera took on a day."""
    exif = Image.Exif()
    exif[0x0132] = f"{day} 10:00:00"
    return jpeg(exif=exif, color=200)


def resign(maker, data):
    """Put something else in place of bob's form."""
    maker.files["forms/c-bob.txt"] = data
    maker.row("forms.csv", form="c-bob").update(sha256=sha256(data))


ANN, BOB = {"subject": "ann"}, {"subject": "bob"}
DEFECTS = {
    "nothing": lambda maker: None,
    "no consent form": unsigned,
    "a minor": edit("subjects.csv", BOB, birth_date="2010-01-01"),
    "an unreadable birth date": edit("subjects.csv", BOB, birth_date="01.05.1990"),
    "a birth date of year 1": edit("subjects.csv", BOB, birth_date="0001-01-01"),
    "a day of capture to come": edit("images.csv", {"image": "IMG_3"}, user_date_captured="2027-01-01"),
    "a minor on the camera's day": lambda maker: maker.files.update({"images/IMG_3.jpg": taken("2007:10:20")}),
    "no birth date": edit("subjects.csv", BOB, birth_date=""),
    "an expired form": edit("forms.csv", {"form": "c-bob"}, expires_on="2026-10-31"),
    "a form that holds on its last day": edit("forms.csv", {"form": "c-bob"}, expires_on="2026-11-01"),
    "a form signed in year 1": edit("forms.csv", {"form": "c-bob"}, signed_on="0001-01-01"),
    "a form signed later": edit("forms.csv", {"form": "c-bob"}, signed_on="2026-11-02"),
    "a form without publication": edit("forms.csv", {"form": "c-bob"}, scopes="collect"),
    "a form for one image": edit("forms.csv", {"form": "c-bob"}, image="IMG_3"),
    "a form that was changed": edit("forms.csv", {"form": "c-bob"}, sha256="0" * 64),
    "an empty form": lambda maker: resign(maker, b""),
    "a blank form": lambda maker: resign(maker, b"\xef\xbb\xbf \r\n\0"),
    "a form that is the photograph": lambda maker: resign(maker, maker.files["images/IMG_3.jpg"]),
    "a form that is the notice": lambda maker: resign(maker, maker.files["notices/notice-1.txt"]),
    "a form that is the notice but for its end": lambda maker: resign(
        maker, maker.files["notices/notice-1.txt"] + b"\n\n"
    ),
    "a form without its file": lambda maker: maker.files.pop("forms/c-bob.txt"),
    "no copyright form": edit("forms.csv", {"form": "r-bob"}, kind="other"),
    "an expired copyright form": edit("forms.csv", {"form": "r-bob"}, expires_on="2026-03-01"),
    "copyright of another image": edit("forms.csv", {"form": "r-bob"}, subject="studio", image="IMG_2"),
    "no day of capture": edit("images.csv", {"image": "IMG_3"}, user_date_captured=""),
    "a stranger who is drawn": stranger,
    "a person who is not listed": lambda maker: maker.tables["people.csv"].append(
        {"image": "IMG_1", "subject": "zoe", "is_primary": "false"}
    ),
    "two primary people": edit("people.csv", {"image": "IMG_2", "subject": "bob"}, is_primary="TRUE"),
    "a missing picture": lambda maker: maker.files.pop("images/IMG_3.jpg"),
    "a broken picture": lambda maker: maker.files.update({"images/IMG_3.jpg": b"no"}),
    "a missing annotation": lambda maker: maker.files.pop("annotations/IMG_3.json"),
    "a wrong label": edit("people.csv", {"image": "IMG_3"}, pronoun="He/him"),
}


def passing(root, vault, count=4):
    """The references of the images that intake and consent let pass, and how many rows intake refused."""
    taken = [
        shard.run([root], delivery.SCHEMA, vault.parent / f"{at:02x}.tar", shard=f"{at:02x}", shards=count,
                  max_pixels=1_000_000)
        for at in range(count)
    ]  # fmt: skip
    paths = {"forms": Forms, "people": People, "annotators": Annotators}
    for at, one in enumerate(taken):
        for name, model in paths.items():
            table.write(getattr(one, name), model, vault.parent / f"{at}.{name}.parquet", {})
    files = {name: [vault.parent / f"{at}.{name}.parquet" for at in range(count)] for name in paths}
    record.run(files["forms"], files["people"], files["annotators"], [], vault=vault, inbox=[], proof_required=False)
    out = [
        apply.run(one.images, one.people, one.forms, one.annotators, one.refused, vault=vault, as_of=TERMS.as_of,
                  held_on=TERMS.as_of, min_age=TERMS.min_age)
        for one in taken
    ]  # fmt: skip
    return sorted(source for one in out for source in one.images["source"])


def many(maker):
    """A delivery with every defect, each of people and images of its own, renamed by the defect's number."""
    from intake_cases import filled

    whole = filled(maker.root.parent / "whole")
    for tables in whole.tables.values():
        tables.clear()
    for number, change in enumerate(DEFECTS.values()):
        one = filled(maker.root.parent / f"part{number}")
        change(one)
        _merge(whole, one, number)
    for name in ("a1", "a2", "q1"):
        whole.annotator(name, role="qa" if name == "q1" else "annotator")
    return whole


def _merge(whole, one, number):
    def renamed(text):
        return re.sub(r"\b(ann|bob|zoe|studio|IMG_\d|[cr]-(?:ann|bob|studio|zoe))\b", rf"\1.{number}", text)

    for path, data in one.files.items():
        if not path.startswith("notices/"):
            text = path.endswith(".json")
            signed = data.startswith(b"signed by hand")
            # A comment after the start of a JPEG: else one photograph would be of several people.
            picture = data[:2] + b"\xff\xfe\0\x04%02d" % number + data[2:] if data[:2] == b"\xff\xd8" else data
            whole.files[renamed(path)] = renamed(data.decode()).encode() if text or signed else picture
    for row in (row for row in one.tables["forms.csv"] if row["file"] in one.files):
        data = one.files[row["file"]]
        if row["sha256"] == sha256(data) and data.startswith(b"signed by hand"):
            row["sha256"] = sha256(whole.files[renamed(row["file"])])
    for name, rows in one.tables.items():
        if name != "annotators.csv":
            whole.tables[name] += [{column: renamed(cell) for column, cell in row.items()} for row in rows]


def test_what_passes_here_is_what_intake_and_consent_let_pass(maker, tmp_path):
    root = many(maker).write()
    judged = command.check(root, TERMS, Settings(1_000_000))
    expected = passing(root, tmp_path / "vault")
    assert sorted(judged.passing) == expected
    assert len(judged.images) == 3 * len(DEFECTS)
    assert len(DEFECTS) < len(expected) < 2 * len(DEFECTS) + 1
    told = {image for fault in judged.faults for image in fault.images}
    assert set(judged.stopped) <= told  # of each image that can't be published, why


@pytest.mark.parametrize(
    ("defect", "out", "where", "value"),
    [
        ("no consent form", ["IMG_2", "IMG_3"], "people.csv, column subject", "bob"),
        ("a minor", ["IMG_2", "IMG_3"], "subjects.csv, column birth_date", "2010-01-01"),
        ("an unreadable birth date", ["IMG_2", "IMG_3"], "subjects.csv, column birth_date", "01.05.1990"),
        ("an expired form", ["IMG_2", "IMG_3"], "forms.csv, column expires_on", "2026-10-31"),
        ("a form signed in year 1", ["IMG_2", "IMG_3"], "forms.csv, column signed_on", "0001-01-01"),
        ("a form that was changed", ["IMG_2", "IMG_3"], "forms.csv, column form", "c-bob"),
        ("a form without publication", ["IMG_2", "IMG_3"], "forms.csv, column scopes", "collect"),
        ("an expired copyright form", ["IMG_3"], "forms.csv, column expires_on", "2026-03-01"),
        ("a day of capture to come", ["IMG_3"], "images.csv, column user_date_captured", "2027-01-01"),
        ("a minor on the camera's day", ["IMG_3"], "images.csv, column user_date_captured", "camera: 2007-10-20"),
        ("no day of capture", ["IMG_3"], "images.csv, column user_date_captured", ""),
        ("a stranger who is drawn", ["IMG_1"], "annotations/IMG_1.json, column subject", "zoe"),
    ],
)
def test_who_stops_which_image_is_led_back_to_a_cell(maker, capsys, defect, out, where, value):
    DEFECTS[defect](maker)
    code, told = validate(maker.write(), capsys)
    rest = 3 - len(out)
    assert code == 2
    assert f": {rest} of 3 images can be published; {len(out)} can't: {', '.join(out)}\n" in told
    assert any(p[0] == where and p[2] == value and p[4] == out for p in problems(maker.root, capsys))


@pytest.mark.parametrize(
    ("defect", "what"),
    [
        ("an empty form", "the signed form is empty"),
        ("a blank form", "the signed form is empty"),
        ("a form that is the photograph", "the signed form is one of the delivery's photographs or videos"),
        ("a form that is the notice", "the signed form is the notice itself, which is not signed"),
        ("a form that is the notice but for its end", "the signed form is the notice itself, which is not signed"),
    ],
)
def test_a_file_that_nobody_signed_is_no_form(maker, capsys, defect, what):
    DEFECTS[defect](maker)
    found = problems(maker.write(), capsys)
    assert ("forms.csv, column file", what, "forms/c-bob.txt", "", []) in found
    stopped = [p for p in found if p[4]]
    assert [(p[0], p[2], p[4]) for p in stopped] == [("forms.csv, column form", "c-bob", ["IMG_2", "IMG_3"])]


def test_whoever_has_no_form_is_told_as_such_alone(maker, capsys):
    unsigned(maker)
    maker.tables["forms.csv"] = [row for row in maker.tables["forms.csv"] if row["form"] != "r-bob"]
    found = problems(maker.write(), capsys)
    assert {where for where, *_ in found} == {"people.csv, column subject", "images.csv, column subject"}


def test_all_can_be_published(maker, capsys):
    assert validate(maker.write(), capsys) == (0, f"{maker.root}: all 3 images can be published\n")


def test_labels_are_proposed_with_line_and_value(maker, capsys):
    maker.row("people.csv", image="IMG_3").update(pronoun="he/him", hairstyle="buzz cut")
    maker.row("images.csv", image="IMG_1").update(scene="Home or hotel")
    maker.row("forms.csv", form="c-ann").update(scopes="collect|publish_image|publish_atr:*")
    maker.row("people.csv", image="IMG_1").update(subject="an")
    found = {(where, value): meant for where, _, value, meant, _ in problems(maker.write(), capsys)}
    assert found["people.csv, column pronoun", "he/him"] == "1. He/him/his"
    assert found["people.csv, column hairstyle", "buzz cut"] == "1. Buzz cut"
    assert found["images.csv, column scene", "Home or hotel"] == "12. Indoor: Home or hotel"
    assert found["forms.csv, column scopes", "publish_atr:*"] == "publish_attr:*"
    assert found["people.csv, column subject", "an"] == "ann"
    told = validate(maker.root, capsys)[1]
    assert 'column pronoun: a value of pronoun is not in its vocabulary\n    line 5: "he/him"; did you mean' in told


@pytest.mark.parametrize(
    ("value", "label"),
    [("1", "1. Yes"), ("YES", "1. Yes"), ("Y\u0435s", "1. Yes"), ("yess", "1. Yes"), ("xyz", ""), ("", "")],
)
def test_the_nearest_label(value, label):
    assert nearest(value, ["0. No", "1. Yes"]) == label


def test_a_misspelled_column_is_told_with_the_one_that_is_meant(maker, capsys):
    for row in maker.tables["subjects.csv"]:
        row["birthdate"] = row.pop("birth_date")
    found = problems(maker.write(), capsys)
    assert ("subjects.csv", "column 3 is not known", "birthdate", "birth_date", []) in found


def test_a_changed_table_hides_no_other_problem(maker, capsys):
    maker.row("people.csv", image="IMG_3").update(age="old")
    root = maker.write()
    with (root / "subjects.csv").open("a") as file:
        file.write("\n")
    (root / "notices/notice-1.txt").write_text("other")
    code, told = validate(root, capsys)
    assert code == 2
    assert "0 of 3 images can be published as delivered; 3 could be once it is accepted" in told
    assert "subjects.csv: does not match its sha256 in delivery.yaml" in told
    assert "notices/notice-1.txt: does not match its sha256" in told
    assert "people.csv, column age: age is not a number of years" in told


def test_a_broken_description_hides_no_broken_table(maker, capsys):
    root = maker.write()
    (root / "delivery.yaml").write_text("vendor: acme\n")
    (root / "forms.csv").write_text("form,kin\n")
    told = validate(root, capsys)[1]
    assert "delivery.yaml $" in told
    assert "forms.csv: has no column 'kind'" in told


def test_equal_problems_are_told_once_with_how_many_and_the_first_lines(maker, capsys):
    for number in range(20):
        maker.image(f"X{number:02}", "ann", data=maker.files["images/IMG_1.jpg"])
    for row in maker.tables["people.csv"]:
        row["pronoun"] = "she"
    told = validate(maker.write(), capsys)[1]
    assert told.count("a value of pronoun is not in its vocabulary") == 1
    assert 'vocabulary (24 times)\n    lines 2, 3, 4, 5, 6 and 19 more: "she"; did you mean' in told
    found = json.loads(validate(maker.root, capsys, "--json")[1])["problems"]
    assert [(p["count"], len(p["places"])) for p in found] == [(24, 24)]


def test_repeated_rows_are_told_and_the_rest_is_judged(maker, capsys):
    for rows in maker.tables.values():
        rows.append(dict(rows[0]))
    told = validate(maker.write(), capsys)[1]
    assert "duplicates line 2" in told
    assert "3 could be once it is accepted" in told


def test_lookalikes_are_worth_a_look_and_stop_nothing(maker, capsys):
    maker.subject("Ann")
    maker.image("IMG_4", "Ann")
    code, told = validate(maker.write(), capsys)
    assert code == 0
    assert "all 4 images can be published" in told
    assert "Warnings" in told
    assert '"Ann"; did you mean "ann"?' in told


def test_what_a_terminal_would_act_on_is_escaped(maker, capsys):
    maker.row("people.csv", image="IMG_3").update(pronoun="\x1b[2J\u202e" + "x" * 200)
    told = validate(maker.write(), capsys)[1]
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "\\u001b[2J\\u202e" in told
    assert "x" * 100 not in told


def test_what_is_no_delivery(tmp_path, capsys):
    assert validate(tmp_path / "gone", capsys)[0] == 2
    code, told = validate(tmp_path, capsys)
    assert (code, "delivery.yaml: the file does not exist" in told) == (2, True)


def test_the_day_and_the_age_are_those_of_the_configuration(maker, capsys, tmp_path, monkeypatch):
    root, config = maker.write(), tmp_path / "my.yaml"
    config.write_text('consent: {as_of: "2025-12-31", min_age: 18}\n')
    assert cli.main(["delivery", "validate", str(root), "--config", str(config)]) == 2  # signed in 2026
    config.write_text('consent: {as_of: "2026-11-01", min_age: 36}\n')
    assert cli.main(["delivery", "validate", str(root), "--config", str(config)]) == 2
    config.write_text('consent: {as_of: "2026-11-01", min_age: 35}\n')
    assert cli.main(["delivery", "validate", str(root), "--config", str(config)]) == 0
    capsys.readouterr()


def test_a_consent_that_has_ended_by_today_counts_no_more_whatever_day_is_configured(maker, capsys, tmp_path):
    maker.row("forms.csv", form="c-bob").update(expires_on="2026-11-10")
    root, config = maker.write(), tmp_path / "my.yaml"
    config.write_text('consent: {as_of: "2026-11-01", min_age: 18}\n')
    assert cli.main(["delivery", "validate", str(root), "--config", str(config)]) == 2
    assert "the consent of somebody in the image has expired" in capsys.readouterr().out
    assert cli.main(["delivery", "validate", str(root), "--as-of", "2026-11-10"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("painter", "rendered", "stopped"),
    [("embedded", False, ["IMG_1"]), ("embedded", True, []), ("sd2_inpainting", False, [])],
)
def test_regions_that_the_configured_model_may_not_paint_are_told(maker, capsys, tmp_path, painter, rendered, stopped):
    maker.about["rendered"] = rendered
    root, config = maker.write(), tmp_path / "my.yaml"
    config.write_text(f"privacy: {{model: {painter}}}\n")
    code, told = validate(root, capsys, "--config", str(config), "--json")
    assert (code, json.loads(told)["not_publishable"]) == (2 if stopped else 0, stopped)
    assert [p["where"] for p in json.loads(told)["problems"]] == ["delivery.yaml, column rendered"] * len(stopped)


def test_results_hold_no_value_of_what_was_refused(maker, tmp_path):
    maker.row("people.csv", image="IMG_3").update(pronoun="my secret")
    taken = shard.run([maker.write()], delivery.SCHEMA, tmp_path / "a.tar", shard="00", shards=1, max_pixels=1_000_000)
    assert len(taken.refused) == 1
    assert "secret" not in taken.refused.to_csv()


@pytest.mark.parametrize("name", ["people.csv", "subjects.csv", "forms.csv"])
def test_what_follows_from_a_table_that_cannot_be_read_is_not_told(maker, capsys, name):
    root = maker.write()
    (root / "images/IMG_2.jpg").unlink()
    table = root / name
    header, *rows = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(header + b'"a"b,\n' + b"".join(rows))
    code, told = validate(root, capsys)
    assert code == 2
    assert f"nothing can be published before {name} can be read; what could is unknown; 1 can't: IMG_2" in told
    first, second = told.index(f"{name}: is not valid CSV in UTF-8"), told.index(f"{name}: does not match its sha256")
    assert first < second
    assert told.count("hint:") == 3 and "images.csv, column file: the file does not exist" in told


def test_without_images_nothing_else_is_said(maker, capsys):
    root = maker.write()
    (root / "images.csv").write_bytes((root / "images.csv").read_bytes() + "Zoë".encode("cp1252"))
    code, told = validate(root, capsys)
    assert code == 2 and told.count("hint:") == 2
    assert "nothing can be published before images.csv can be read; what could is unknown\n" in told
    assert "images.csv: is not valid CSV in UTF-8 (byte 0xeb)\n    line 5\n" in told


def test_columns_without_a_name_are_one_problem(maker, capsys):
    root = maker.write()
    table = root / "subjects.csv"
    lines = table.read_bytes().splitlines()
    table.write_bytes(b"".join(line + b",,\n" for line in lines))
    width = lines[0].count(b",") + 1
    _, told = validate(root, capsys)
    assert f"subjects.csv: columns {width + 1}, {width + 2} of the first line have no name" in told
    assert "column twice" not in told and "is not known" not in told


def test_a_day_in_another_format_is_told_with_the_one_that_is_wanted(maker, capsys):
    root = maker.write()
    described = (root / "delivery.yaml").read_text()
    (root / "delivery.yaml").write_text(re.sub(r"created:.*", "created: '1.3.2026'", described))
    _, told = validate(root, capsys)
    assert 'as "2026-03-01"; see docs/delivery.md' in told
    with pytest.raises(SystemExit):
        command.main(["validate", str(root), "--as-of", "1.3.2026"])
    assert "--as-of: '1.3.2026' is not a day written YYYY-MM-DD, as 2026-11-01" in capsys.readouterr().err


def test_a_delivery_without_an_image_is_not_valid(maker, capsys):
    for name in ("images.csv", "people.csv", "annotated.csv"):
        maker.tables[name] = [dict.fromkeys(SHEETS[name].required, "")]
    root = maker.write()
    code, told = validate(root, capsys)
    assert code == 2
    assert f"{root}: no image or video is delivered: there is nothing to publish" in told
    assert "all 0 images" not in told


def test_a_header_in_capitals_is_told_once(maker, capsys):
    for name in ("forms.csv", "people.csv"):
        maker.tables[name] = [{column.upper(): cell for column, cell in row.items()} for row in maker.tables[name]]
    code, told = validate(maker.write(), capsys)
    assert code == 2
    assert told.count("columns are written in lower case") == 2
    assert "has no column" not in told and "is not known" not in told
    assert len(told.splitlines()) < 20
