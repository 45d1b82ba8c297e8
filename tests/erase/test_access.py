"""`accord consent access`: all that is held about a person, and nothing that is about somebody else."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import erase_cases as cases
import numpy as np
import pyarrow.parquet as pq
import pytest

import browsers
from accord import cli, command_line
from accord.abuse import quarantine
from accord.consent.ledger import receipt
from accord.erase.access import page, pictures, results
from accord.errors import AccordError
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import decode, encode_png
from accord.look.views import log
from accord.sealing import signing

ANN, BOB, FIRST, BOTH = cases.who("ann"), cases.who("bob"), cases.image("IMG_00001"), cases.image("IMG_00002")
BODY = ("person_x", "person_y", "person_width", "person_height")


@pytest.fixture
def seen(house):
    """The project with real pictures in its first shard: ann's, and one in which bob stands on the right half."""
    shard = Path("results/intake/00")
    shutil.rmtree(shard)
    shard.mkdir()
    white = encode_png(np.full((20, 40, 3), 255, np.uint8))
    rows = []
    with BundleWriter(shard / "images.tar") as tar:
        for image, who in ((FIRST, ANN), (BOTH, ANN), (cases.image("IMG_00003"), BOB)):
            rows.append({"image": image, "subject": who, **tar.add(f"{image}.png", white)._asdict()})
    cases.write(shard / "images.parquet", rows, [])
    nobody = dict.fromkeys(BODY)
    people = [
        {"image": FIRST, "subject": ANN, **nobody},
        {"image": BOTH, "subject": ANN, **nobody},
        {"image": BOTH, "subject": BOB, **dict(zip(BODY, (20.0, 0.0, 20.0, 20.0), strict=True))},
    ]
    cases.write(shard / "people.parquet", people, [])
    said = [{"image": BOTH, "subject": who, "attribute": "pronoun", "value": f"of {who}"} for who in (ANN, BOB)]
    cases.write(shard / "attributes.parquet", said, [])
    scores = [
        {"model": "yolo", "image": BOTH, "subject": who, "value": value} for who, value in ((ANN, 0.25), (BOB, 0.75))
    ]
    cases.write(Path("results/analyse/scores/pose.parquet"), scores, [])
    boxes = [{"model": "yolo", "image": image, "label": f"box in {image}"} for image in (FIRST, BOTH)]
    cases.write(Path("results/evaluate/00/yolo.parquet"), boxes, [])
    return house


def asked(capsys, *more: str) -> zipfile.ZipFile:
    """What the command writes about ann."""
    words = ["--vendor", cases.VENDOR, "--subject", cases.REFERENCES["ann"], "--out", "answer.zip", *more]
    Path("config.yaml").write_text("intake: {deliveries: [delivery]}\nvault: vault\n")
    assert cli.main(["consent", "access", *words, "--config", "config.yaml"]) == 0
    return zipfile.ZipFile(io.BytesIO(Path("answer.zip").read_bytes()))


@pytest.mark.parametrize("named", ["", "other"])
def test_an_answer_without_the_rows_of_a_delivery_says_so(seen, capsys, named):
    """The settings name no delivery, or another one than those that show her: her rows are there, and aren't read."""
    if named:
        shutil.copytree("delivery", named)
        text = Path(named, "delivery.yaml").read_text()
        Path(named, "delivery.yaml").write_text(text.replace(cases.DELIVERY, "2026-04"))
    Path("config.yaml").write_text(f"intake: {{deliveries: [{named}]}}\nvault: vault\n")
    words = [
        "consent",
        "access",
        "--vendor",
        cases.VENDOR,
        "--subject",
        cases.REFERENCES["ann"],
        "--config",
        "config.yaml",
    ]
    assert cli.main([*words, "--out", "answer.zip"]) == command_line.OPEN
    assert "INCOMPLETE: " in (told := capsys.readouterr().out) and "--config" in told
    archive = zipfile.ZipFile("answer.zip")
    assert json.loads(archive.read("data.json"))["not_delivered"]
    assert b"This part is incomplete" in archive.read("index.html")
    assert cli.main([*words, "--out", "again.zip", "--json"]) == command_line.OPEN
    assert json.loads(capsys.readouterr().out)["incomplete"]


def test_a_whole_answer_counts_as_people_do(seen, capsys):
    archive = asked(capsys)
    assert json.loads(archive.read("data.json"))["not_delivered"] == ""
    told = archive.read("index.html").decode()
    assert "incomplete" not in told and "(s)" not in told
    assert "<b>2 images</b>" in told and "1 other person painted out" in told and "subjects.csv: 1 row<" in told
    out = capsys.readouterr().out
    assert "2 images, 2 pictures, 0 videos, 0 withheld, 1 version, " in out and "INCOMPLETE" not in out


def test_what_annotators_said_of_her_is_told_and_who_said_it_is_not(seen, capsys):
    columns = ["image", "subject", "attribute", "annotator", "qa_annotator"]
    rows = [["IMG_00002", cases.REFERENCES[who], "apparent_skin_color", "Annotator-9", ""] for who in ("ann", "bob")]
    cases.write_csv(Path("delivery/annotated.csv"), [columns, *rows])
    archive = asked(capsys)
    (row,) = (one for one in json.loads(archive.read("data.json"))["delivered"] if one["table"] == "annotated.csv")
    assert row == {"table": "annotated.csv", **dict(zip(columns, rows[0], strict=True)), "annotator": results.SOMEBODY}
    assert "Annotator-9" not in b"".join(map(archive.read, archive.namelist())).decode("latin-1")


def test_it_tells_all_that_is_held(seen, capsys):
    cli.main(["holders", "grant", "--vault", "vault", "--release", "1.0.0", "--name", "Institute", "--contact", "x@y"])
    told = json.loads((archive := asked(capsys)).read("data.json"))
    assert told["images"] == 2
    assert {row["table"] for row in told["delivered"]} == {"images.csv", "people.csv", "subjects.csv"}
    assert [row["birth_date"] for row in told["delivered"] if row["table"] == "subjects.csv"] == ["1990-05-01"]
    assert [told["consent"][0][name] for name in ("state", "scope")] == ["granted", "collect"]
    assert any(one["state"] == "withdrawn" for one in told["consent"])
    (version,) = told["published"]
    assert (version["version"], version["images"], len(version["image_ids"])) == ("1.0.0", 2, 2)
    assert [one["name"] for one in version["recipients"]] == ["Institute"]
    assert len(version["files"]) == 4  # a picture and its annotations, of two images
    assert told["results"]["intake/attributes"][0]["value"] == f"of {ANN}"
    assert [row["value"] for row in told["model_scores"]["analyse/scores/pose"]] == [0.25]
    assert [row["label"] for row in told["model_answers"]["evaluate/yolo"]] == [f"box in {FIRST}"]
    assert told["withheld_rows"] == {"evaluate/yolo": 1, "checks/decode": 1}  # a box on the shared picture may be bob's
    assert len([name for name in archive.namelist() if name.startswith("receipts/")]) == len(told["consent"])


def test_what_is_found_in_a_video_that_shows_others_is_withheld(tmp_path):
    """A face that is found in it may be theirs, or not: nothing says whose."""
    own, shared, bobs = (cases.image(name) for name in ("VID_1", "VID_2", "VID_3"))
    shown = ((own, ANN), (shared, ANN), (shared, BOB), (bobs, BOB))
    cases.write(tmp_path / "intake/00/video_people.parquet", [{"image": v, "subject": who} for v, who in shown], [])
    found = [{"image": video, "check": "face_blazeface", "like": bobs} for video in (own, shared)]
    cases.write(tmp_path / "privacy/00/video_findings.parquet", found, [])
    told = results.find(tmp_path, results.known(tmp_path, ANN, frozenset({own, shared})))
    assert told.rows["privacy/video_findings"] == [found[0] | {"like": results.PICTURE}]
    assert told.withheld == {"privacy/video_findings": 1}
    assert [row["subject"] for row in told.rows["intake/video_people"]] == [ANN, ANN]


def test_receipts_are_valid(seen, capsys):
    archive, key = asked(capsys), signing.signing_key(Path("vault")).public_key()
    names = [name for name in archive.namelist() if name.startswith("receipts/")]
    assert names and all(receipt.check(receipt.load(archive.read(name), name), key) == [] for name in names)


def test_nothing_is_told_of_others_and_nothing_names_her_outside(seen, capsys):
    archive = asked(capsys, "--json")
    out = capsys.readouterr()
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode("latin-1")
    for of_bob in (BOB, cases.REFERENCES["bob"], "0.75", cases.image("IMG_00003")):
        assert of_bob not in everything
    for of_ann in (ANN, cases.REFERENCES["ann"], FIRST):
        assert of_ann not in " ".join(archive.namelist()) + out.out + out.err
    assert Path("answer.zip").stat().st_mode & 0o077 == 0


def test_others_are_painted_out_and_she_is_not(seen, capsys):
    archive = asked(capsys)
    told = {one["image"]: one for one in json.loads(archive.read("data.json"))["pictures"]}
    alone, both = (decode(archive.read(told[image]["file"])) for image in (FIRST, BOTH))
    assert (alone == 255).all()
    assert (both[:, 20:] == 0).all() and (both[:, :19] == 255).all()
    assert (told[FIRST]["others_painted_out"], told[BOTH]["others_painted_out"]) == (0, 1)


def test_a_barred_file_is_never_handed_out(seen, capsys):
    sha256 = pq.read_table("results/intake/00/images.parquet")["sha256"][0].as_py()
    hit = quarantine.Hit(FIRST, ANN, cases.VENDOR, "d", "IMG_00001", sha256, "list", "sha256", sha256, 0)
    quarantine.record(Path("vault"), [hit])
    archive = asked(capsys)
    assert not [name for name in archive.namelist() if name.startswith("pictures/")]
    told = json.loads(archive.read("data.json"))
    assert {one["withheld"] for one in told["pictures"]} == {"was barred by the safety check"}


def test_when_her_pictures_were_looked_at_is_told_and_who_looked_is_not(seen, capsys):
    for image, shown in ((FIRST, True), (BOTH, False), (cases.image("IMG_00003"), True)):
        log.note(Path("vault"), image, "yolo", shown)
    told = json.loads(asked(capsys).read("data.json"))
    assert [(one["image"], one["model"]) for one in told["views"]] == [(FIRST, "yolo")]
    assert set(told["views"][0]) == {"at", "image", "model"}


def test_a_picture_is_withheld_where_somebody_s_place_is_unknown(seen):
    path = Path("results/intake/00/people.parquet")
    rows = pq.read_table(path).to_pylist()
    rows[2] |= dict.fromkeys(BODY)
    cases.write(path, rows, [])
    found = pictures.find(Path("results"), ANN, frozenset({FIRST, BOTH}), frozenset())
    why = {one.image: one.withheld for one in found if not one.data}
    assert why == {BOTH: "shows somebody else whose place isn't marked"}


def test_a_box_of_the_face_alone_does_not_cover_somebody(seen):
    """The body would stay: the picture is withheld."""
    path = Path("results/intake/00/people.parquet")
    rows = [row | dict.fromkeys(BODY) | dict.fromkeys(("face_x", "face_y", "face_width", "face_height"), 2.0)
            for row in pq.read_table(path).to_pylist()]  # fmt: skip
    cases.write(path, rows, [])
    found = pictures.find(Path("results"), ANN, frozenset({BOTH}), frozenset())
    assert [one.withheld for one in found] == ["shows somebody else whose place isn't marked"]


def test_segments_cover_somebody_who_has_no_box(seen):
    path = Path("results/intake/00/people.parquet")
    cases.write(path, [row | dict.fromkeys(BODY) for row in pq.read_table(path).to_pylist()], [])
    square = [20.0, 0.0, 40.0, 0.0, 40.0, 20.0, 20.0, 20.0]
    cases.write(path.with_name("segments.parquet"), [{"image": BOTH, "subject": BOB, "polygon": square}], [])
    (found,) = pictures.find(Path("results"), ANN, frozenset({BOTH}), frozenset())
    assert (decode(found.data)[:, 20:] == 0).all() and not found.withheld


def test_ids_of_others_in_her_own_rows_are_words(seen):
    other = cases.image("IMG_00005")
    rows = [{"image": FIRST, "subject": ANN, "other": BOB, "other_image": other, "lists": [[BOB, "kept"]]}]
    cases.write(Path("results/checks/pairs.parquet"), rows, [])
    found = results.find(Path("results"), results.known(Path("results"), ANN, frozenset({FIRST, BOTH})))
    (row,) = found.rows["checks/pairs"]
    assert (row["other"], row["other_image"]) == ("another person", "another image")
    assert row["lists"] == [["another person", "kept"]]


def test_the_same_reference_of_another_vendor_is_somebody_else(seen):
    with pytest.raises(AccordError, match="nothing is held under this reference"):
        Path("config.yaml").write_text("intake: {deliveries: [delivery]}\nvault: vault\n")
        words = ["--vendor", "other", "--subject", cases.REFERENCES["ann"], "--out", "answer.zip"]
        cli.main(["consent", "access", *words, "--config", "config.yaml"])
    assert not Path("answer.zip").exists()


def test_an_existing_file_is_kept(seen):
    Path("answer.zip").write_text("mine")
    with pytest.raises(AccordError, match="already exists"):
        cli.main(["consent", "access", "--vendor", "a", "--subject", "b", "--out", "answer.zip"])
    assert Path("answer.zip").read_text() == "mine"


def test_what_others_wrote_is_text_on_the_page(seen):
    hostile = {"vendor": "<script>", "reference": "<b>", "images": 0, "erased": [], "published": [], "decisions": [],
               "views": []}  # fmt: skip
    rows = {"<i>": [{"<u>": "<img onerror=x>"}] * 60}
    hostile |= {
        "not_delivered": "",
        "consent": [],
        "delivered": [{"table": "<s>", "a": "<a>"}],
        "pictures": [],
        "videos": [{"file": "", "withheld": "<v>", "others_painted_out": False}],
        "withheld_rows": {"<q>": 1},
    }
    made = page.page(hostile | {"model_answers": rows, "model_scores": {}, "results": rows})
    for tag in ("<script>", "<b></b>", "<i>", "<u>", "<img onerror", "<s>", "<q>", "<v>"):
        assert tag not in made
    assert "10 more rows are in data.json" in made


@pytest.mark.slow
def test_everyone_can_read_the_page_on_any_screen(seen, capsys):
    """A long value, and a table that is wider than a screen, don't make the page so."""
    document = json.loads(asked(capsys).read("data.json"))
    document["results"]["wide"] = [{f"column_{n}": "W" * 300 for n in range(20)}]
    assert browsers.whole(page.page(document)) == {}


def test_damaged_tables_are_all_named(seen, capsys):
    """Whom they name isn't known: an answer without them would be incomplete."""
    damaged = [Path("results/evaluate/00/yolo.parquet"), Path("results/intake/00/people.parquet")]
    for path in damaged:
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(AccordError) as error:
        asked(capsys)
    assert [(problem.where, problem.hint) for problem in error.value.problems] == [
        (str(path), "delete it and run the workflow, which makes it again") for path in damaged
    ]
    assert not Path("answer.zip").exists()
