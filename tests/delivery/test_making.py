"""Making a delivery: the template, its seal, and a table of one's own; each ends in a delivery that validates."""

import csv
import io
import json

import pytest
import yaml
from intake_cases import jpeg

from accord import cli
from accord.consent.requests import wishes
from accord.delivery.making import convert, seal, template
from accord.errors import AccordError, Collector
from accord.intake.delivered import delivery, parsing
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.intake.reading import annotations, geometry

NOTICE = "What we do with your pictures."
ROWS = {
    "images.csv": {"image": "I1", "file": "images/I1.jpg", "annotations": "annotations/I1.json", "subject": "S1",
                   "user_date_captured": "2026-02-03", "scene": "12. Indoor: Home or hotel"},
    "people.csv": {"image": "I1", "subject": "S1", "is_primary": "TRUE", "age": "35"},
    "annotated.csv": {"image": "I1", "subject": "S1", "attribute": "apparent_skin_color", "annotator": "A1"},
    "subjects.csv": {"subject": "S1", "birth_date": "1990-05-01"},
    "annotators.csv": {"annotator": "A1", "role": "annotator", "consents": "1"},
}  # fmt: skip
FORMS = [
    {"form": "F1", "kind": "consent", "party": "subject_primary", "subject": "S1", "scopes": "collect|publish_image",
     "signed_on": "2026-01-02", "notice": "notice-1", "file": "forms/S1.txt"},
    {"form": "F2", "kind": "copyright", "party": "rightsholder", "subject": "S1", "scopes": "copyright",
     "signed_on": "2026-01-02", "file": "forms/S1.txt"},
]  # fmt: skip


def accord(*words):
    return cli.main(["delivery", *map(str, words)])


def validate(root):
    return accord("validate", root, "--as-of", "2026-11-01")


def add(root, name, *rows):
    """Fill in a table as the template's header has it."""
    with (root / name).open("a", newline="") as file:
        header = (root / name).read_text().splitlines()[0].split(",")
        csv.DictWriter(file, header, restval="").writerows(rows)


def put(root):
    """The files that the rows name."""
    (root / "images/I1.jpg").write_bytes(jpeg())
    (root / "forms/S1.txt").write_text("signed by S1")
    (root / "notices/notice-1.txt").write_text(NOTICE)
    document = {"image": "I1", "people": [{"subject": "S1", "face_bbox": [10, 5, 12, 14]}], "regions": []}
    (root / "annotations/I1.json").write_text(json.dumps(document))


@pytest.fixture
def filled(tmp_path):
    root = tmp_path / "delivery"
    assert accord("init", root, "--vendor", "acme", "--delivery", "2026-03") == 0
    for name, row in ROWS.items():
        add(root, name, row)
    add(root, "forms.csv", *FORMS)
    put(root)
    return root


def test_a_template_that_is_filled_in_and_sealed_validates(filled, capsys):
    before = (filled / "delivery.yaml").read_text()
    assert validate(filled) == 2  # no sha256 yet
    assert accord("seal", filled) == 0
    assert validate(filled) == 0
    assert "all 1 images can be published" in capsys.readouterr().out
    after = (filled / "delivery.yaml").read_text()
    comments = [line.partition("#")[2] for line in before.splitlines() if "#" in line]
    assert len(comments) > 5
    assert [line.partition("#")[2] for line in after.splitlines() if "#" in line] == comments


def test_a_seal_can_be_made_again_and_changes_nothing(filled):
    accord("seal", filled)
    before = {path: path.read_bytes() for path in filled.rglob("*") if path.is_file()}
    accord("seal", filled)
    assert {path: path.read_bytes() for path in filled.rglob("*") if path.is_file()} == before
    (filled / "images/I1.jpg").write_bytes(jpeg(color=3))
    add(filled, "subjects.csv", {"subject": "S2"})
    assert validate(filled) == 2
    accord("seal", filled)
    assert validate(filled) == 0


def test_what_is_not_sealed_yet_is_told_as_such(filled, capsys):
    assert validate(filled) == 2
    told = capsys.readouterr().out
    assert "is not sealed: 7 sha256 are empty" in told
    assert "run `accord delivery seal FOLDER`" in told
    assert "breaks" not in told


def test_the_seal_tells_what_is_no_part_of_the_delivery(filled, capsys):
    accord("seal", filled)
    assert "don't send them: README.md, annotations/EXAMPLE.json\n" in capsys.readouterr().out
    (filled / "README.md").unlink()
    (filled / "annotations/EXAMPLE.json").unlink()
    accord("seal", filled)
    assert "no part" not in capsys.readouterr().out.lower()


def test_the_template_says_which_cells_may_be_empty(tmp_path):
    template.write(tmp_path / "new", "acme", "d1")
    told = (tmp_path / "new/README.md").read_text().split("## forms.csv")[1]
    for column in ("image", "expires_on", "notice", "sha256"):
        assert f"| {column} | may be empty |" in told
    assert "| subject | yes |" in told
    assert "copyright, which needs none" in told


def test_a_table_with_another_separator_is_told_as_such(own):
    (own / "mapping.yaml").write_text(MAPPING.replace('delimiter: ";"\n', ""))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [(p.what, p.hint) for p in raised.value.problems] == [
        ("looks separated by semicolons, not commas", 'set `delimiter: ";"` in the mapping')
    ]


def test_a_table_that_a_mapping_leaves_empty_has_its_header(own):
    (own / "mapping.yaml").write_text(MAPPING.replace("  annotators.csv:", "  annotated.csv: []\n  annotators.csv:"))
    assert from_csv(own) == 0
    assert (own / "new/annotated.csv").read_text() == "image,subject,attribute,annotator\n"


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_tables_and_wishes_with_another_separator_are_told_as_such(filled, sign, name):
    data = (filled / "subjects.csv").read_bytes().replace(b",", sign.encode())
    problems = Collector()
    assert parsing.parse("subjects.csv", data, problems) == []
    told = wishes.parse(f"action{sign}vendor{sign}subject\nwithdraw{sign}v{sign}s\n".encode(), "inbox")[1]
    assert [p.what for p in (*problems, *told)] == [
        f"looks separated by {name}",
        f"looks separated by {name}, not commas",
    ]


def test_the_template_describes_every_column(tmp_path):
    template.write(tmp_path / "new", "acme", "d1")
    told = (tmp_path / "new/README.md").read_text()
    for name, sheet in SHEETS.items():
        header = (tmp_path / "new" / name).read_text().strip() if name not in OPTIONAL else None
        assert header in (None, ",".join((*sheet.required, *sheet.optional)))
        part = told.split(f"## {name}\n")[1].split("\n## ")[0]
        assert [column for column in (*sheet.required, *sheet.optional) if f"| {column} |" not in part] == []
    assert "1. He/him/his" in told
    assert yaml.safe_load((tmp_path / "new/delivery.yaml").read_text())["vendor"] == "acme"


@pytest.mark.parametrize(
    ("vendor", "name", "where"),
    [("a/b", "d", "--vendor"), ("acme", "", "--delivery"), ("acme", "x" * 65, "--delivery")],
)
def test_names_that_do_not_fit(tmp_path, vendor, name, where):
    with pytest.raises(AccordError, match=where):
        accord("init", tmp_path / "new", "--vendor", vendor, "--delivery", name)
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(AccordError, match="is not an empty folder"):
        accord("init", tmp_path, "--vendor", "acme", "--delivery", "d")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_all_that_keeps_from_sealing_is_told_and_nothing_written(filled):
    (filled / "images/I1.jpg").unlink()
    (filled / "forms/S1.txt").unlink()
    (filled / "forms/S1.txt").symlink_to("/etc/passwd")
    (filled / "annotators.csv").unlink()
    (filled / "notices/notice-1.txt").write_text(template.NOTICE)
    (filled / "people.csv").write_bytes(b"\xff")
    before = {path: path.read_bytes() for path in filled.rglob("*.csv")}
    with pytest.raises(AccordError) as raised:
        seal.seal(filled)
    assert sorted((p.where, p.what) for p in raised.value.problems) == [
        ("annotators.csv", "the file does not exist"),
        (
            "forms.csv, column file",
            "the path goes through a link or a file (2 times)\n    line 2: forms/S1.txt\n    line 3: forms/S1.txt",
        ),
        ("images.csv, column file", "the file does not exist\n    line 2: images/I1.jpg"),
        ("notices/notice-1.txt", "still has the text of the template"),
        ("people.csv:1", "is not valid CSV in UTF-8 (byte 0xff)"),
    ]
    assert {path: path.read_bytes() for path in filled.rglob("*.csv")} == before


def test_a_table_with_semicolons_is_told_as_one(filled):
    (filled / "images.csv").write_text((filled / "images.csv").read_text().replace(",", ";"))
    with pytest.raises(AccordError, match=r"1 problem found\n.*images\.csv: looks separated by semicolons"):
        seal.seal(filled)


@pytest.mark.parametrize("text", ["[", "- 1", "notices: &a [{id: n}]\nmore: *a", "vendor: acme", "notices: 3", "\x00"])
def test_a_description_that_cannot_be_sealed(filled, text):
    (filled / "delivery.yaml").write_text(text)
    with pytest.raises(AccordError, match=r"delivery\.yaml"):
        accord("seal", filled)


def test_a_description_in_another_style_is_sealed_too(filled):
    said = yaml.safe_load((filled / "delivery.yaml").read_text())
    said["notices"] = [{"id": "notice-1", "version": "1", "language": "en"}]
    del said["tables"]
    (filled / "delivery.yaml").write_text(json.dumps(said))
    accord("seal", filled)
    assert validate(filled) == 0


OWN = (
    "photo;who;with;day;place;born;agreed;x;y;w;h;plate\n"
    "p1;ann;;03.02.2026;home;01.05.1990;collect, publish_image;10;5;12;14;\n"
    "p2;ann;bob;04.02.2026;street;01.05.1990;collect, publish_image;10;5;12;14;1\n"
)
MAPPING = """
format: accord-mapping/1
vendor: acme
delivery: own
created: "2026-03-01"
delimiter: ";"
rendered: true
notices: [{id: notice-1, version: "1", language: en}]
tables:
  images.csv:
    - image: {column: photo}
      file: {text: "images/{photo}.jpg"}
      annotations: {text: "annotations/{photo}.json"}
      subject: {column: who}
      user_date_captured: {column: day, days: "%d.%m.%Y"}
      scene: {column: place, values: {home: "12. Indoor: Home or hotel", street: "3. Outdoor: Man-made elements"}}
  people.csv:
    - {image: {column: photo}, subject: {column: who}, is_primary: {text: "true"}}
    - {image: {column: photo}, subject: {column: with}, is_primary: {text: "false"}}
  subjects.csv:
    - {subject: {column: who}, birth_date: {column: born, days: "%d.%m.%Y"}}
    - {subject: {column: with}, birth_date: {text: "1991-01-01"}}
  annotators.csv:
    - {annotator: {text: A1}, role: {text: annotator}, consents: {text: "true"}}
  forms.csv:
    - &form
      form: {text: "c-{who}"}
      kind: {text: consent}
      party: {text: subject_primary}
      subject: {column: who}
      image: {text: ""}
      scopes: {column: agreed, separator: ","}
      signed_on: {text: "2026-01-02"}
      expires_on: {text: ""}
      notice: {text: notice-1}
      file: {text: "forms/{who}.txt"}
    - form: {text: "c-{with}"}
      kind: {text: consent}
      party: {text: subject_secondary}
      subject: {column: with}
      image: {text: ""}
      scopes: {text: "collect|publish_image"}
      signed_on: {text: "2026-01-02"}
      expires_on: {text: ""}
      notice: {text: notice-1}
      file: {text: "forms/{with}.txt"}
    - form: {text: "r-{who}"}
      kind: {text: copyright}
      party: {text: rightsholder}
      subject: {column: who}
      image: {text: ""}
      scopes: {text: copyright}
      signed_on: {text: "2026-01-02"}
      expires_on: {text: ""}
      notice: {text: ""}
      file: {text: "forms/{who}.txt"}
people:
  - image: {column: photo}
    subject: {column: who}
    face_x: {column: x}
    face_y: {column: y}
    face_width: {column: w}
    face_height: {column: h}
    annotator: {text: A1}
  - {image: {column: photo}, subject: {column: with}, face_x: {text: "40"}, face_y: {text: "5"},
     face_width: {text: "12"}, face_height: {text: "14"}}
regions:
  - image: {column: photo}
    region: {text: "plate-{plate}"}
    kind: {text: license_plate}
    x: {text: "1"}
    y: {text: "2"}
    width: {text: "3"}
    height: {text: "4"}
""".replace("    - &form\n      form", "    - form")


BOXED = """
format: accord-mapping/1
vendor: acme
delivery: own
created: "2026-03-01"
notices: [{id: notice-1, version: "1", language: en}]
tables:
  images.csv:
    - {image: {column: photo}, file: {text: "images/{photo}.jpg"}, annotations: {text: "annotations/{photo}.json"},
       subject: {column: who}, user_date_captured: {column: day}}
  people.csv: [{image: {column: photo}, subject: {column: who}, is_primary: {text: "true"}}]
  subjects.csv: [{subject: {column: who}, birth_date: {text: "1990-01-01"}}]
  annotators.csv: [{annotator: {text: A1}, role: {text: annotator}, consents: {text: "true"}}]
  annotated.csv: [{image: {text: ""}, subject: {text: ""}, attribute: {text: ""}, annotator: {text: ""}}]
  forms.csv:
    - {form: {text: "c-{who}"}, kind: {text: consent}, party: {text: subject_primary}, subject: {column: who},
       scopes: {text: collect}, signed_on: {column: day}, file: {text: "forms/{who}.txt"}, image: {text: ""},
       expires_on: {text: ""}, notice: {text: ""}}
people:
  - {image: {column: photo}, subject: {column: who}, face_x: {column: x}, face_y: {column: y}, face_width: {column: w},
     face_height: {column: h}}
regions:
  - {image: {column: photo}, region: {text: r1}, kind: {text: card}, x: {column: x}, y: {column: y}, width: {column: w},
     height: {column: h}}
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own.csv").write_text(OWN)
    (tmp_path / "mapping.yaml").write_text(MAPPING)
    return tmp_path


def from_csv(folder):
    return accord("from-csv", folder / "new", "--table", folder / "own.csv", "--mapping", folder / "mapping.yaml")


@pytest.mark.parametrize(
    ("flags", "cells"),
    [
        ((), "10,5,20,30"),
        (("--boxes", "xyxy"), "10,5,30,35"),
        (("--units", "percent"), "15.625,10.4166667,31.25,62.5"),
        (("--units", "shares", "--boxes", "xyxy"), "0.15625,0.104166667,0.46875,0.729166667"),
    ],
)
def test_boxes_in_shares_percent_or_by_corners_are_those_in_px(tmp_path, flags, cells):
    """The picture has 64 x 48 px."""
    (tmp_path / "own.csv").write_text(f"photo,who,day,x,y,w,h\np1,ann,2026-02-03,{cells}\n")
    (tmp_path / "mapping.yaml").write_text(BOXED)
    own = ("--table", tmp_path / "own.csv", "--mapping", tmp_path / "mapping.yaml")
    assert accord("from-csv", tmp_path / "new", *own, *flags) == 0
    document = annotations.parse((tmp_path / "new/annotations/p1.json").read_bytes(), "p1")
    placed = geometry.in_pixels(document, 64, 48)
    assert placed.people[0].face == pytest.approx((10, 5, 20, 30))
    assert placed.regions[0].polygon == pytest.approx([10, 5, 30, 5, 30, 35, 10, 35])
    assert geometry.faults(placed, 64, 48) == []


@pytest.mark.parametrize(
    ("asked", "there"), [("ag\u00e9", "age\u0301"), ("age\u0301", "ag\u00e9"), ("who", "\uff57ho")]
)
def test_columns_and_values_are_found_in_any_spelling(own, asked, there):
    (own / "own.csv").write_text(OWN.replace("who", there, 1).replace("home", "hom\u00e9"))
    mapping = MAPPING.replace("{who}", f"{{{asked}}}").replace("column: who", f"column: {asked}")
    (own / "mapping.yaml").write_text(mapping.replace("home", "home\u0301"))
    assert from_csv(own) == 0
    assert (own / "new/people.csv").read_text().splitlines()[1:] == ["p1,ann,true", "p2,ann,true", "p2,bob,false"]
    assert "12. Indoor: Home or hotel" in (own / "new/images.csv").read_text()


def test_a_column_in_two_spellings_is_refused(own):
    (own / "own.csv").write_text(OWN.replace("who", "ag\u00e9", 1).replace("born", "age\u0301", 1))
    with pytest.raises(AccordError, match="has a column twice"):
        from_csv(own)


def test_a_table_of_ones_own_becomes_a_delivery_that_validates(own, capsys):
    assert from_csv(own) == 0
    root = own / "new"
    for name in ("p1", "p2"):
        (root / f"images/{name}.jpg").write_bytes(jpeg(color=len(name)))
    for name in ("ann", "bob"):
        (root / f"forms/{name}.txt").write_text(f"signed by {name}")
    with pytest.raises(AccordError, match="still has the text of the template"):
        accord("seal", root)
    (root / "notices/notice-1.txt").write_text(NOTICE)
    assert accord("seal", root) == 0
    assert validate(root) == 0
    assert "all 2 images can be published" in capsys.readouterr().out
    read = delivery.load(root)
    assert read.rendered
    assert [(row["image"], row["subject"], row["is_primary"]) for row in read.tables["people.csv"]] == [
        ("p1", "ann", "true"), ("p2", "ann", "true"), ("p2", "bob", "false")
    ]  # fmt: skip
    assert [row["form"] for row in read.tables["forms.csv"]] == ["c-ann", "r-ann", "c-bob"]
    assert read.tables["forms.csv"][0]["scopes"] == "collect|publish_image"
    drawn = json.loads((root / "annotations/p2.json").read_text())
    assert [person["subject"] for person in drawn["people"]] == ["ann", "bob"]
    assert drawn["regions"][0]["polygon"] == [[1, 2], [4, 2], [4, 6], [1, 6]]
    assert json.loads((root / "annotations/p1.json").read_text())["regions"] == []


def edit(*pairs):
    def change(text):
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        return text

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (edit(("format: accord-mapping/1", "format: other")), ["$.format"]),
        (edit(("vendor: acme", "vendor: [a]\nextra: 1")), ["$.vendor", "mapping.yaml $:"]),
        (edit(("subjects.csv:", "subject.csv:")), ["$.tables"]),
        (edit(("{column: photo}, subject: {column: who}, is", "{colum: photo}, subject: {column: who}, is")),
         ["$.tables"]),
        (edit(("scene: {column", "scen: {column")), ["no column 'scen'", "mean 'scene'?"]),
        (edit(("column: born", "column: bron"), ("{photo}.jpg", "{foto}.jpg")),
         ["your table has no column 'bron'", "did you mean 'born'?", "no column 'foto'", "did you mean 'photo'?"]),
        (edit(("      kind: {text: consent}\n", "")), ["does not map 'kind'"]),
        (edit(("home: \"12", "house: \"12"), ("%d.%m.%Y\"}\n      scene", "%Y\"}\n      scene")),
         ["'home' is not a mapped value", "own.csv:2: '03.02.2026' is not a date in the format %Y (as 1990) "
          "(mapping.yaml images.csv 1 user_date_captured); nor are '04.02.2026' (line 3)\n"]),
        (edit(("annotations/{photo}", "../{photo}")), ["is not a plain path inside the delivery"]),
        (lambda text: "[", ["mapping.yaml: is not valid YAML"]),
        (lambda text: text + "a: &a [x]\nb: *a\n", ["mapping.yaml: has an anchor (&) or an alias (*)"]),
        (lambda text: "!!python/object/apply:os.system ['touch owned']", ["mapping.yaml: has a tag (!): leave it out"]),
    ],
)  # fmt: skip
def test_all_that_is_wrong_with_a_mapping_is_told_and_nothing_written(own, change, told):
    (own / "mapping.yaml").write_text(change(MAPPING))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [text for text in told if text not in str(raised.value)] == []
    assert not (own / "new").exists()


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (OWN + "p1;ann;;05.02.2026;home;01.05.1990;collect;10;5;12;14;\n",
         ["own.csv:4: contradicts an earlier row with the same image: user_date_captured"]),
        (OWN + "p3;ann\n", ["own.csv:4: has 2 cells instead of 12"]),
        (OWN.replace(";14;1\n", ";x;1\n"), ["a box of image 'p2' is not four numbers"]),
        ("", ["own.csv: is empty"]),
        ("photo;photo\n", ["has a column twice"]),
        ('"', ["own.csv:1: is not valid CSV in UTF-8 (a quote that isn't closed)"]),
    ],
)  # fmt: skip
def test_all_that_is_wrong_with_the_table_is_told(own, table, told):
    (own / "own.csv").write_text(table)
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [text for text in told if text not in str(raised.value)] == []
    assert not (own / "new").exists()


def test_what_lies_there_is_not_written_over(own):
    (own / "new/annotations").mkdir(parents=True)
    (own / "new/annotations/p1.json").write_text("mine")
    (own / "new/people.csv").write_text("mine")
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert len(raised.value.problems) == 2
    assert (own / "new/people.csv").read_text() == "mine"


def test_placeholders_reach_nothing_but_cells(own):
    (own / "mapping.yaml").write_text(MAPPING.replace("images/{photo}.jpg", "images/{photo.__class__}.jpg"))
    with pytest.raises(AccordError, match=r"your table has no column 'photo.__class__'"):
        from_csv(own)


def test_a_cell_that_only_an_empty_column_makes_is_empty(own):
    convert.convert(own / "own.csv", own / "mapping.yaml", own / "new")
    rows = list(csv.DictReader(io.StringIO((own / "new/subjects.csv").read_text())))
    assert [row["subject"] for row in rows] == ["ann", "bob"]


def test_many_missing_files_are_one_problem_with_their_names(filled):
    rows = [{**ROWS["images.csv"], "image": f"N{n}", "file": f"images/N{n}.jpg"} for n in range(55)]
    add(filled, "images.csv", *rows)
    with pytest.raises(AccordError) as raised:
        accord("seal", filled)
    [problem] = raised.value.problems
    assert problem.where == "images.csv, column file" and problem.what.startswith(
        "the file does not exist (55 times)\n"
    )
    assert [f"line {n + 3}: images/N{n}.jpg" in problem.what for n in (0, 19, 20)] == [True, True, False]
    assert problem.what.endswith("... and 35 more") and "put the files there" in problem.hint


def test_a_table_in_an_older_encoding_has_one_problem_with_its_line(own):
    (own / "own.csv").write_bytes(OWN.replace("bob", "Zoë").encode("cp1252"))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    [problem] = raised.value.problems
    assert (problem.where, problem.what) == ("own.csv:3", "is not valid CSV in UTF-8 (byte 0xeb)")
    assert "Windows-1252" in problem.hint


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "sep=;\r\n" + text,
        lambda text: '"sep=;"\n' + text,
        lambda text: "\ufeff" + text,
        lambda text: "\n;;\n" + text,
        lambda text: (
            "\ufeffSEP=,\r\n" + text.replace("collect, publish_image", '"collect, publish_image"').replace(";", ",")
        ),
        lambda text: text + ";;;;;;;;;;;\n\n ; ;\n;\n",
        lambda text: "".join(f"{line};;\n" for line in text.splitlines()),
    ],
)
def test_what_spreadsheets_add_to_a_table_changes_nothing(own, change):
    convert.convert(own / "own.csv", own / "mapping.yaml", own / "plain")
    (own / "own.csv").write_text(change(OWN), newline="")
    assert from_csv(own) == 0
    names = sorted(path.relative_to(own / "plain") for path in (own / "plain").rglob("*") if path.is_file())
    assert [name for name in names if (own / "new" / name).read_bytes() != (own / "plain" / name).read_bytes()] == []


@pytest.mark.parametrize(("sign", "name"), [(",", "commas"), ("\t", "tabs"), ("|", "vertical bars")])
def test_another_separator_than_the_mapping_says_is_one_problem(own, sign, name):
    rows = "".join(f"p{n}{sign}ann{sign}x\n" for n in range(300))
    (own / "own.csv").write_text(f"photo{sign}who{sign}with\n{rows}")
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [(problem.what, problem.hint) for problem in raised.value.problems] == [
        (f"looks separated by {name}, not semicolons", f"set `delimiter: {json.dumps(sign)}` in the mapping")
    ]


@pytest.mark.parametrize("quoted", ["header", "rows"])
def test_a_table_with_quotes_and_another_separator_is_told_as_such(own, quoted):
    lines = [",".join(f'"{cell}"' for cell in line.split(";")) for line in OWN.splitlines()]
    lines[0] = lines[0] if quoted == "header" else lines[0].replace('"', "")
    (own / "own.csv").write_text("\n".join(lines))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [problem.what for problem in raised.value.problems] == ["looks separated by commas, not semicolons"]
    problems = Collector()
    assert parsing.parse("subjects.csv", b'"subject";"birth_date"\n"ann";""\n', problems) == []
    assert [problem.what for problem in problems] == ["looks separated by semicolons"]


def test_one_fault_of_many_rows_is_one_problem(own):
    rows = "".join(
        f"q{n};ann;;2026-02-{n % 28 + 1:02};home;01.05.1990;collect, publish_image;10;5;12;14;\n" for n in range(300)
    )
    (own / "own.csv").write_text(OWN + rows + "q;ann\n" * 40)
    (own / "mapping.yaml").write_text(MAPPING.replace("column: place", "column: palce"))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert str(raised.value).startswith("2 problems found\n")
    assert "own.csv:304: has 2 cells instead of 12 (40 times: lines 304, 305, 306, 307, 308 and 35 more)" in str(
        raised.value
    )
    (own / "own.csv").write_text(OWN + rows)
    (own / "mapping.yaml").write_text(MAPPING)
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    [problem] = raised.value.problems
    assert problem.where == "own.csv:4"
    assert problem.what.startswith("'2026-02-01' is not a date in the format %d.%m.%Y (as 31.12.1990) (mapping.yaml ")
    assert problem.what.endswith("nor are '2026-02-02' (line 5), '2026-02-03' (line 6), '2026-02-04' (line 7), "
                                 "'2026-02-05' (line 8), '2026-02-06' (line 9) and 22 more")  # fmt: skip


def test_a_column_that_several_cells_ask_for_is_missed_once(own):
    (own / "own.csv").write_text(OWN.replace("photo;", "foto;"))
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    [problem] = raised.value.problems
    assert (
        problem.what.startswith("your table has no column 'photo' (nor for ") and "did you mean 'foto'?" in problem.hint
    )


def test_cells_that_may_be_empty_need_no_mapping(own):
    convert.convert(own / "own.csv", own / "mapping.yaml", own / "plain")
    short = MAPPING
    for line in ('      image: {text: ""}\n', '      expires_on: {text: ""}\n', '      notice: {text: ""}\n'):
        assert line in short
        short = short.replace(line, "")
    (own / "mapping.yaml").write_text(short)
    assert from_csv(own) == 0
    assert (own / "new/forms.csv").read_bytes() == (own / "plain/forms.csv").read_bytes()


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ("photo;;who\n", "column 2 has no name"),
        ("photo;who;photo\n", "has a column twice: 'photo'"),
        ("\n", "is empty"),
    ],
)
def test_a_header_that_names_no_columns_says_which(own, header, what):
    (own / "own.csv").write_text(header)
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    assert [problem.what for problem in raised.value.problems] == [what]


def test_the_seal_takes_a_spreadsheet_s_first_line_away(filled, capsys):
    for name in ("images.csv", "people.csv", "annotated.csv"):
        table = filled / name
        table.write_bytes(b"sep=,\r\n" + table.read_bytes())
    assert validate(filled) == 2
    assert "people.csv: begins with Excel's line `sep=`" in capsys.readouterr().out
    assert accord("seal", filled) == 0 and validate(filled) == 0
    assert not [path.name for path in filled.glob("*.csv") if b"sep=" in path.read_bytes()]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (OWN.encode("utf-16"), "it is UTF-16"),
        (OWN.encode("utf-16-le"), "it has zero bytes: UTF-16, or no text"),
        (b"PK\x03\x04\x14\0\x06\0\xff", "it is an Excel or ZIP file"),
        (b"PAR1\x15\x04", "it is a Parquet file"),
        (b"\x1f\x8b\x08\0", "it is a gzip file"),
    ],
)
def test_a_table_of_another_format_is_named(own, data, what):
    (own / "own.csv").write_bytes(data)
    with pytest.raises(AccordError) as raised:
        from_csv(own)
    [problem] = raised.value.problems
    assert (problem.where, problem.what) == ("own.csv", f"is not valid CSV in UTF-8 ({what})")
    assert problem.hint == 'save it as "CSV UTF-8"'
