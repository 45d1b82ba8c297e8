"""A person is taken out of a delivery: what goes, what stays byte for byte, interruptions, and what is in the way."""

import contextlib
import csv
import io
import json
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accord.delivery import command
from accord.errors import AccordError
from accord.imaging import bundle
from accord.intake import shard
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.intake.redacting import redact, staging, verbatim
from accord.shards import names, opaque_id, shard_of

DEMO = Path(__file__).parents[1] / "data/demo/delivery"
NOBODY = 65534


def person(reference):
    return opaque_id("acme", reference)


def image(reference):
    return opaque_id("acme", "2026-03", reference)


def state(root):
    """Path -> bytes and time of change, of all files; folders' times too."""
    found = {}
    for path in [root, *sorted(root.rglob("*"))]:
        facts = path.lstat()
        found[str(path.relative_to(root))] = (path.read_bytes() if path.is_file() else b"", facts.st_mtime_ns)
    return found


def content(root):
    return {path: data for path, (data, _) in state(root).items()}


def cells(root, table):
    return list(csv.DictReader(io.StringIO((root / table).read_text(), newline="")))


def column(root, table, name):
    return [row[name] for row in cells(root, table)]


def test_all_that_is_theirs_goes_and_the_rest_stays_valid(maker):
    root = maker.write()
    told = redact.redact(root, person("bob"))
    assert told.files == {"image": 2, "annotation": 2, "form": 2}
    assert told.rows == {"images.csv": 2, "people.csv": 3, "annotated.csv": 3, "subjects.csv": 1, "forms.csv": 2}
    assert column(root, "images.csv", "image") == ["IMG_1"]
    assert column(root, "people.csv", "subject") == ["ann"]
    assert column(root, "forms.csv", "form") == ["c-ann", "r-ann"]
    assert column(root, "subjects.csv", "subject") == ["ann"]
    assert column(root, "annotators.csv", "annotator") == ["a1", "a2", "q1"]
    files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    assert files == sorted([
        "annotations/IMG_1.json", "delivery.yaml", "forms/c-ann.txt", "forms/r-ann.txt", "images/IMG_1.jpg",
        "notices/notice-1.txt", *(set(SHEETS) - OPTIONAL),
    ])  # fmt: skip
    assert publishable(root) == 1
    assert b"bob" not in b"".join(content(root).values())


def test_videos_go_with_all_who_are_in_them(maker):
    maker.video("VID_1", "ann")
    maker.video("VID_2", "ann", people=[{"subject": "bob", "face": [[0, 1, 1, 2, 2]]}])
    maker.video("VID_3", "bob", "ann")
    maker.form("only", subject="ann", image="VID_3")
    root = maker.write()
    told = redact.redact(root, person("bob"))
    assert (told.files["video"], told.files["boxes"], told.rows["videos.csv"]) == (2, 2, 2)
    assert column(root, "videos.csv", "image") == ["VID_1"] and "VID_3" not in column(root, "people.csv", "image")
    assert "only" not in column(root, "forms.csv", "form")
    assert [path.name for path in (root / "videos").iterdir()] == ["VID_1.mp4"]
    assert b"bob" not in b"".join(content(root).values())
    assert redact.redact(root, person("ann"), frozenset({image("VID_1")})).files["video"] == 1
    assert not (root / "videos").exists() and column(root, "videos.csv", "image") == []


def test_a_table_of_videos_that_is_not_listed_is_in_the_way(maker):
    root = maker.write()
    (root / "videos.csv").write_text("image,subject\nVID_1,bob\n")
    with pytest.raises(AccordError, match=r"videos.csv: is there, but delivery.yaml does not list it"):
        redact.redact(root, person("bob"))


def test_the_plan_is_what_then_happens_and_touches_nothing(maker):
    root = maker.write()
    before = state(root)
    planned = redact.plan(root, person("ann"))
    assert state(root) == before
    assert {"images/IMG_1.jpg", "images/IMG_2.jpg", "forms/c-ann.txt", "people.csv"} <= set(planned.where)
    assert redact.redact(root, person("ann")) == planned
    assert redact.redact(root, person("ann")) == redact.Redacted({}, {}, ())


def test_whoever_is_left_with_nothing_goes_too(maker):
    maker.tables["images.csv"] = [row for row in maker.tables["images.csv"] if row["image"] != "IMG_3"]
    maker.tables["people.csv"] = [row for row in maker.tables["people.csv"] if row["image"] != "IMG_3"]
    maker.tables["annotated.csv"] = [row for row in maker.tables["annotated.csv"] if row["image"] != "IMG_3"]
    maker.tables["forms.csv"] = [row for row in maker.tables["forms.csv"] if row["subject"] != "bob"]
    maker.form("b-2", subject="bob", party="subject_secondary", image="IMG_2")
    maker.tables["subjects.csv"].append({"subject": "eve", "birth_date": "1990-01-01", "country_of_residence": ""})
    root = maker.write()
    told = redact.redact(root, person("ann"))
    assert told.rows["subjects.csv"] == 2
    assert column(root, "subjects.csv", "subject") == ["eve"]
    assert column(root, "forms.csv", "form") == []


def test_images_alone_can_go(maker):
    root = maker.write()
    told = redact.redact(root, person("nobody"), frozenset({image("IMG_3")}))
    assert told.files == {"image": 1, "annotation": 1}
    assert column(root, "images.csv", "image") == ["IMG_1", "IMG_2"]
    assert column(root, "subjects.csv", "subject") == ["ann", "bob"]


def test_somebody_who_is_only_drawn_is_shown_too(maker):
    maker.annotation("IMG_3", [maker.person("bob"), maker.person("ann")])
    root = maker.write()
    redact.redact(root, person("ann"))
    assert column(root, "images.csv", "image") == []


@pytest.mark.parametrize("last", ["[]", "null"])
def test_somebody_who_is_drawn_in_a_file_that_intake_refuses_is_shown_too(maker, last):
    root = maker.write()
    path = root / "annotations/IMG_3.json"
    people = json.dumps({"people": [maker.person("bob"), maker.person("ann")]})
    path.write_text(people[:-1] + f', "people": {last}}}')
    redact.redact(root, person("ann"))
    assert column(root, "images.csv", "image") == []


def test_shared_forms_and_rights_in_others_images_stay(maker):
    signed = maker.row("forms.csv", form="c-ann")
    signed["joint"] = "true"
    maker.form("family", subject="bob", file="forms/c-ann.txt", sha256=signed["sha256"], joint="true")
    maker.form("r-3", subject="ann", kind="copyright", party="rightsholder", scopes="copyright", image="IMG_3")
    root = maker.write()
    redact.redact(root, person("ann"))
    assert (root / "forms/c-ann.txt").is_file()
    assert (root / "forms/r-3.txt").is_file()
    assert column(root, "forms.csv", "form") == ["c-bob", "r-bob", "family", "r-3"]
    assert publishable(root) == 1


def test_an_image_under_two_names_goes_under_both(maker):
    maker.image("IMG_4", "bob", file="images/IMG_1.jpg")
    root = maker.write()
    redact.redact(root, person("ann"))
    assert column(root, "images.csv", "image") == ["IMG_3"]
    assert not (root / "images/IMG_1.jpg").exists()


def test_a_row_can_not_name_tables_or_notices_away(maker):
    for number, path in enumerate(["delivery.yaml", "people.csv", "notices/notice-1.txt", "../outside.txt"]):
        maker.form(f"x{number}", subject="ann", file=path)
    root = maker.write()
    (root.parent / "outside.txt").write_text("not ours")
    redact.redact(root, person("ann"))
    assert (root.parent / "outside.txt").read_text() == "not ours"
    assert publishable(root) == 1


def test_nothing_is_touched_where_they_are_not(maker):
    root = maker.write()
    before = state(root)
    assert redact.redact(root, person("eve"), frozenset({image("IMG_9")})) == redact.Redacted({}, {}, ())
    assert state(root) == before


def test_rows_that_stay_keep_their_bytes(maker):
    root = maker.write()
    header = b"\xef\xbb\xbfsubject,birth_date,country_of_residence\r\n"
    ann, bob = b'ann,1990-05-01,"Nigeriia,\r\n  of ""the"" South"\r\n', b'"bob", 1990-05-01,Kenya\n'
    (root / "subjects.csv").write_bytes(header + bob + b"\r\n" + ann)
    sign(root)
    redact.redact(root, person("bob"))
    assert (root / "subjects.csv").read_bytes() == header + b"\r\n" + ann
    redact.redact(root, person("ann"))
    assert (root / "subjects.csv").read_bytes() == header + b"\r\n"


def test_the_description_keeps_its_words(maker):
    root = maker.write()
    path = root / "delivery.yaml"
    path.write_text("# from the studio\n" + path.read_text())
    before = path.read_text().splitlines()
    redact.redact(root, person("bob"))
    changed = [new for old, new in zip(before, path.read_text().splitlines(), strict=True) if old != new]
    assert sorted(line.split(":")[0].strip() for line in changed) == sorted(set(SHEETS) - OPTIONAL - {"annotators.csv"})


def sign(root):
    path = root / "delivery.yaml"
    tables = {name: (root / name).read_bytes() for name in SHEETS if name not in OPTIONAL}
    path.write_bytes(verbatim.described(path.read_bytes(), tables))


CELL = st.text(st.sampled_from('ab,"\n\r é'), max_size=6)


@given(rows=st.lists(st.tuples(CELL, CELL), max_size=6), end=st.sampled_from(["\n", "\r\n", "\r"]), bom=st.booleans())
def test_records_are_the_bytes_and_the_rows_of_a_table(rows, end, bom):
    text = io.StringIO(newline="")
    # The writer leaves line ends other than its own unquoted where it may.
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_MINIMAL if end == "\r\n" else csv.QUOTE_ALL)
    writer.writerows([("subject", "birth_date"), *((f"s{n}{one}", other) for n, (one, other) in enumerate(rows))])
    data = b"\xef\xbb\xbf" * bom + text.getvalue().encode()
    found = verbatim.records("subjects.csv", data)
    assert b"".join(record.raw for record in found) == data
    told = [(record.row["subject"], record.row["birth_date"]) for record in found[1:]]
    assert told == [(f"s{n}{one}".strip(), other.strip()) for n, (one, other) in enumerate(rows)]


class Stop(BaseException):
    """The power goes."""


@pytest.mark.parametrize("steps", range(40))
def test_interrupted_anywhere_it_is_noticed_and_gone_on_with(maker, monkeypatch, steps):
    root = maker.write()
    whole = shutil.copytree(root, root.parent / "whole")
    told = redact.redact(whole, person("ann"))
    left = steps

    def counted(call):
        def counting(*arguments, **named):
            nonlocal left
            left -= 1
            if left < 0:
                raise Stop
            return call(*arguments, **named)

        return counting

    for of, name in ((os, "unlink"), (os, "rmdir"), (Path, "replace"), (Path, "rename"), (Path, "mkdir")):
        monkeypatch.setattr(of, name, counted(getattr(of, name)))
    before = content(root)
    with contextlib.suppress(Stop):
        redact.redact(root, person("ann"))
    monkeypatch.undo()
    visible = {path: data for path, data in content(root).items() if not path.startswith(staging.FOLDER)}
    finished = visible == content(whole)
    assert visible == before or finished or command.check(root).faults
    assert redact.plan(root, person("ann")) == told or finished
    assert redact.redact(root, person("ann")) == told or finished
    assert content(root) == content(whole)


def test_another_redaction_finishes_the_interrupted_one_first(maker, monkeypatch):
    root = maker.write()
    whole = shutil.copytree(root, root.parent / "whole")
    redact.redact(whole, person("bob"), frozenset({image("IMG_1")}))
    with monkeypatch.context() as patch:
        patch.setattr(staging, "_remove", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            redact.redact(root, person("bob"))
    planned = redact.plan(root, person("nobody"), frozenset({image("IMG_1")}))
    assert planned.files == {"image": 3, "annotation": 3, "form": 2}
    assert redact.redact(root, person("nobody"), frozenset({image("IMG_1")})) == planned
    assert content(root) == content(whole)


def refusal(root, reference="ann"):
    before = state(root)
    with pytest.raises(AccordError) as caught:
        redact.redact(root, person(reference))
    assert state(root) == before
    return [(problem.where, problem.what) for problem in caught.value.problems]


def test_links_are_not_followed(maker):
    root = maker.write()
    outside = root.parent / "outside"
    (root / "images").rename(outside)
    (root / "images").symlink_to(outside)
    (root / "forms/c-ann.txt").rename(root.parent / "form.txt")
    (root / "forms/c-ann.txt").symlink_to(root.parent / "form.txt")
    through = "the path goes through a link or a file, or can't be entered"
    there = [
        ("forms/c-ann.txt", "is a link, or no regular file"), ("images/IMG_1.jpg", through),
        ("images/IMG_2.jpg", through),
    ]  # fmt: skip
    assert [(one.where, one.what) for one in redact.obstacles(root, person("ann"))] == there == refusal(root)
    assert redact.obstacles(root, person("nobody")) == []
    assert len(list(outside.iterdir())) == 3


def test_a_changed_table_is_not_signed_anew(maker):
    root = maker.write()
    (root / "people.csv").write_bytes((root / "people.csv").read_bytes() + b"x")
    assert refusal(root) == [("people.csv", "does not match its sha256 in delivery.yaml")]


@pytest.mark.parametrize("work", [b"no JSON", b"[]", b'{"gone": ["../x"], "told": {}}', b'{"gone": [1], "told": {}}'])
def test_foreign_work_is_not_done(maker, work):
    root = maker.write()
    (root / ".redaction").mkdir()
    (root / ".redaction/work.json").write_bytes(work)
    assert refusal(root) == [("delivery/.redaction", "can't be read")]


def test_read_only_files_and_folders_are_all_told(maker, tmp_path):
    root = maker.write()
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(path, NOBODY, NOBODY) if os.geteuid() == 0 else None
    (root / "people.csv").chmod(0o444)
    (root / "images/IMG_1.jpg").chmod(0o444)
    (root / "annotations").chmod(0o555)
    found = as_nobody(tmp_path, lambda: refusal(Path("delivery"), "ann"))
    (root / "annotations").chmod(0o755)
    assert found == [
        ("annotations/IMG_1.json", "lies in a read-only folder"),
        ("annotations/IMG_2.json", "lies in a read-only folder"),
        ("images/IMG_1.jpg", "the file is read-only"), ("people.csv", "the file is read-only"),
    ]  # fmt: skip


def as_nobody(folder, call):
    """What a call returns in a folder, as somebody for whom permissions hold: they don't for root."""
    here, is_root = Path.cwd(), os.geteuid() == 0
    os.chdir(folder)
    try:
        if is_root:
            os.seteuid(NOBODY)
        return call()
    finally:
        if is_root:
            os.seteuid(0)
        os.chdir(here)


def intake(root, at, count, tar):
    return shard.run([root], SCHEMA, tar, shard=at, shards=count, max_pixels=10_000_000)


def assert_same_but_for(before, after, tars, subject, images):
    """The intake of a redacted delivery is that of the original without the images and the person."""
    shown = before.people
    elsewhere = set(shown[shown["image"].isin(images)]["subject"]) - set(after.people["subject"])
    for name in ("images", "people", "attributes", "keypoints", "segments", "regions", "forms", "refused"):
        old, new = getattr(before, name), getattr(after, name)
        old = old[~old["image"].isin(images)]
        old = old[old["subject"] != subject] if "subject" in old else old
        if name == "forms":  # those of people whom the shard shows no more may go, or stay where they live
            old, new = (table[~table["subject"].isin(elsewhere)] for table in (old, new))
        old, new = (table.drop(columns="offset", errors="ignore").reset_index(drop=True) for table in (old, new))
        pd.testing.assert_frame_equal(old, new)
    lay = {row.image: row for row in before.images.itertuples()}
    for row in after.images.itertuples():
        assert bundle.read(tars[1], row) == bundle.read(tars[0], lay[row.image])
    assert set(after.annotators["annotator"]) <= set(before.annotators["annotator"])


CASTS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True), min_size=1, max_size=5)


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(casts=CASTS, gone=st.sampled_from("abcd"), own=st.lists(st.integers(0, 4), max_size=2))
def test_intake_is_as_if_they_had_never_been_delivered(maker, tmp_path_factory, casts, gone, own):
    made = type(maker)(tmp_path_factory.mktemp("made"))
    for reference in "abcd":
        made.subject(reference)
    for number, cast in enumerate(casts):
        made.image(f"I{number}", *cast)
        made.form(f"own-{number}", subject=cast[-1], image=f"I{number}")
    for reference in ("a1", "a2", "q1"):
        made.annotator(reference)
    root = made.write()
    tars = root.parent / f"{root.name}-0.tar", root.parent / f"{root.name}-1.tar"
    before = intake(root, "00", 1, tars[0])
    asked = frozenset(image(f"I{number}") for number in own)
    redact.redact(root, person(gone), asked)
    fallen = asked | {image(f"I{number}") for number, cast in enumerate(casts) if gone in cast}
    assert_same_but_for(before, intake(root, "00", 1, tars[1]), tars, person(gone), fallen)
    assert {fault.effect for fault in command.check(root).faults} <= {"look"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return shutil.copytree(DEMO, tmp_path_factory.mktemp("demo") / "delivery")


def demo_people():
    """The primary and the secondary person of the demo's first image of two, and one who is alone in theirs."""
    rows = cells(DEMO, "people.csv")
    second = next(row for row in rows if row["is_primary"] == "false")
    first = next(row for row in rows if row["image"] == second["image"] and row["is_primary"] == "true")
    together = {row["image"] for row in rows if row["is_primary"] == "false"}
    alone = next(row for row in rows if row["subject"] not in {r["subject"] for r in rows if r["image"] in together})
    return [first["subject"], second["subject"], alone["subject"]]


def test_the_demo_without_three_people(demo, tmp_path):
    vendor = yaml.safe_load((demo / "delivery.yaml").read_text())["vendor"]
    problems = {(fault.what, fault.place.value) for fault in command.check(demo).faults}
    for reference in demo_people():
        redact_one(demo, tmp_path, vendor, reference)
    assert {(fault.what, fault.place.value) for fault in command.check(demo).faults} <= problems
    told = {row["subject"] for table in ("people.csv", "forms.csv") for row in cells(demo, table)}
    drawn = [json.loads(path.read_text())["people"] for path in demo.glob("annotations/*.json")]
    assert not {*demo_people()} & {*told, *(one["subject"] for people in drawn for one in people)}


def redact_one(demo, folder, vendor, reference):
    """Redact a person of the demo; the shard of one of their images is the same but for what was theirs."""
    subject, count = opaque_id(vendor, reference), 64
    shown = {row["image"] for row in cells(demo, "people.csv") if row["subject"] == reference}
    homes = {row["subject"] for row in cells(demo, "images.csv") if row["image"] in shown}
    at = shard_of(opaque_id(vendor, next(iter(homes))), count)
    before = intake(demo, at, count, folder / f"{reference}-0.tar")
    redact.redact(demo, subject)
    after = intake(demo, at, count, folder / f"{reference}-1.tar")
    fallen = {
        opaque_id(vendor, yaml.safe_load((demo / "delivery.yaml").read_text())["delivery"], name) for name in shown
    }
    assert at in names(count)
    assert_same_but_for(before, after, (folder / f"{reference}-0.tar", folder / f"{reference}-1.tar"), subject, fallen)


def publishable(root):
    """How many images of a delivery can be published; nothing is wrong with it."""
    judged = command.check(root)
    assert judged.faults == []
    return len(judged.passing)
