"""Publication: FHIBE's tree as its users read it, versions that never change."""

import ast
import hashlib
import hmac
import io
import json
import shutil
import uuid
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord.consent.deciding import events
from accord.consent.requests import imports
from accord.consent.requests.imports import File
from accord.errors import AccordError
from accord.files import keep_private
from accord.queues import AWAITS_REVIEW
from accord.release import publish
from accord.release.format import fhibe
from accord.release.papers import datasheet, terms
from accord.release.seal import held, identity, leaves, log, versions
from accord.release.seal.verification import verify
from accord.release.tree import pieces, tree
from accord.sealing import canonical, merkle

LISTS = [*sorted(fhibe.LISTS)]


@pytest.fixture(scope="module")
def published(tmp_path_factory, shards, tiny):
    """(house, what was reported) of one release that all tests of its content share."""
    house = tiny.House(tmp_path_factory.mktemp("house"), shards)
    return house, house.publish()


def read(house, name: str) -> pd.DataFrame:
    """A table as FHIBE's users read it: pandas, then literals."""
    rows = pd.read_csv(house.releases / "1.0.0" / name)
    for column in [*LISTS, "keypoints", "segments", *(c for c in ("face_bbox", "person_bbox", "CelebA") if c in rows)]:
        rows[column] = rows[column].map(ast.literal_eval)
    return rows


def test_parts_that_changed_after_they_were_packed_are_not_published(tmp_path, shards, tiny, monkeypatch):
    """A row less in what a shard lists would be a whole release to whoever verifies it."""
    house, packed, changed = tiny.House(tmp_path, shards), tiny.House._packed, []

    def without_a_row(self, number, *given, **more):
        place = packed(self, number, *given, **more)
        parts = place.with_suffix(".tar")
        files = {name: [*pieces.lines(parts, name)] for name in (pieces.MANIFEST, pieces.LEAVES, *pieces.TABLES)}
        assert files[pieces.WHOLE].pop()
        pieces.write(parts, files)
        changed.append(parts)
        return place

    monkeypatch.setattr(tiny.House, "_packed", without_a_row)
    with pytest.raises(AccordError) as told:
        house.publish()
    assert [(one.where, one.what) for one in told.value.problems] == [
        (str(parts), "was changed after its shard was packed") for parts in changed
    ]
    assert len(changed) == 2 and not versions.history(house.vault)


def test_the_tables_have_fhibes_columns(published):
    house, _ = published
    whole, faces = read(house, fhibe.WHOLE_TABLE), read(house, fhibe.FACE_TABLE)
    documented = Path(__file__).with_name("fhibe_columns.txt").read_text().split()
    assert list(faces) == documented
    only_faces, only_whole = ["other_face", "CelebA", "multiple_subjects"], ["face_bbox", "person_bbox"]
    assert [c for c in whole if c not in only_whole] == [
        *(c for c in documented if c not in only_faces),
        "face_bbox_annotator_id",
    ]
    assert len(whole) == len(faces) == 4


def test_all_paths_exist_and_ids_are_uuid4(published):
    house, _ = published
    root = house.releases / "1.0.0"
    whole, faces = read(house, fhibe.WHOLE_TABLE), read(house, fhibe.FACE_TABLE)
    masks = [path for paths in faces["CelebA"] for path in paths]
    for path in [*whole["filepath"], *whole["json_path"], *faces["filepath"], *faces["json_path"], *masks]:
        assert (root / path).is_file(), path
    assert {uuid.UUID(i).version for i in [*whole["image_id"], *whole["subject_id"]]} == {4}
    assert all(any("combined" in path for path in paths) for paths in faces["CelebA"])


def test_boxes_are_in_the_picture_and_the_persons_is_around_the_segments(published):
    whole = read(published[0], fhibe.WHOLE_TABLE)
    for row in whole.itertuples():
        points = np.array([[p["x"], p["y"]] for s in row.segments for p in s["polygon"]])
        low, high = points.min(axis=0), points.max(axis=0)
        np.testing.assert_allclose(row.person_bbox, [*low, *(high - low)], atol=1e-9)
        x, y, width, height = row.face_bbox
        assert 0 <= x < x + width <= row.image_width and 0 <= y < y + height <= row.image_height
        assert all(name.split(". ")[0].isdigit() and seen in (0, 1) for name, (_, _, seen) in row.keypoints.items())


def test_annotations_beside_a_picture_are_those_of_the_table(published):
    house, _ = published
    whole = read(house, fhibe.WHOLE_TABLE)
    for row in whole.itertuples():
        told = json.loads((house.releases / "1.0.0" / row.json_path).read_text())
        subject = next(s for s in told["subject_annotation"] if s["subject_id"] == row.subject_id)
        assert told["image_annotation"]["image_id"] == row.image_id
        assert subject["keypoints"] == row.keypoints and subject["pronoun"] == row.pronoun
        assert subject["segments"] == row.segments and subject["face_bbox"] == row.face_bbox


def test_the_eyes_of_an_aligned_face_lie_level_in_its_upper_half(published):
    faces = read(published[0], fhibe.FACE_TABLE)
    for row in faces.itertuples():
        (x_right, y_right, _), (x_left, y_left, _) = row.keypoints["2. Right eye"], row.keypoints["5. Left eye"]
        assert 0 < x_right < 16 < x_left < 32
        assert abs(y_right - y_left) < 2 and 8 < y_right < 18
    assert faces["multiple_subjects"].sum() == 2
    assert faces["other_face"].tolist() == ["[]"] * 4
    assert (faces["image_width"] == 32).all()


def test_pictures_carry_no_metadata(published):
    house, _reported = published
    pictures = {name: data for name, data in house.bytes_of("1.0.0").items() if name.endswith(".png")}
    for data in pictures.values():
        assert Image.open(io.BytesIO(data)).info == {}
    assert sum(name.startswith(fhibe.FULL) for name in pictures) == 2  # img-2 is as small as its downsampled picture


def test_the_manifest_lists_every_other_file_sorted(published):
    house, reported = published
    files = house.bytes_of("1.0.0")
    manifest, *_ = [files.pop(name) for name in ("manifest.jsonl", "leaves.jsonl", "release.dsse.json", "release.pub")]
    entries = [json.loads(line) for line in manifest.decode().splitlines()]
    assert [entry["path"] for entry in entries] == sorted(files)
    for entry in entries:
        data = files[entry["path"]]
        assert (entry["size"], entry["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert reported["manifest_sha256"] == hashlib.sha256(manifest).hexdigest()
    assert (reported["images"], reported["subjects"], reported["faces_aligned"]) == (3, 3, 4)


def test_files_are_read_only_and_the_vault_is_private(published):
    house, _ = published
    modes = {path.stat().st_mode & 0o777 for path in (house.releases / "1.0.0").rglob("*") if path.is_file()}
    assert modes == {0o444}
    assert {path.stat().st_mode & 0o777 for path in house.vault.rglob("*") if path.is_file()} == {0o600}
    assert {p.stat().st_mode & 0o777 for p in [house.vault, *house.vault.rglob("*")] if p.is_dir()} == {0o700}


def test_nothing_published_names_an_internal_id_or_the_secret(published, tiny):
    house, reported = published
    secret = (house.vault / "releases/1.0.0/secret").read_bytes()
    inner = [*tiny.IMAGES, "sub-1", "sub-2", "sub-3", tiny.ANNOTATOR, tiny.WITHDRAWN, secret.hex()]
    inner += [hashlib.sha256(secret).hexdigest()]
    told = [name.encode() + data for name, data in house.bytes_of("1.0.0").items()] + [json.dumps(reported).encode()]
    assert [word for word in inner if any(word.encode() in text for text in told)] == []
    assert not any(secret in text for text in told)


def test_annotators_who_withdrew_or_did_nothing_are_not_described(published):
    house, _ = published
    rows = pd.read_csv(house.releases / "1.0.0/data/annotator_metadata/annotators.csv")
    whole = read(house, fhibe.WHOLE_TABLE)
    assert rows["pronoun"].tolist() == ["1. He/him/his"]
    assert set(whole["keypoints_annotator_id"]) == set(rows["annotator_id"])
    assert not set(whole["segments_annotator_id"]) & set(rows["annotator_id"])


def test_who_checked_is_listed_under_ids_of_the_release(published, tiny):
    house, _ = published
    whole, faces = read(house, fhibe.WHOLE_TABLE), read(house, fhibe.FACE_TABLE)
    ids = identity.ids(versions.private(house.vault, "1.0.0"))
    both = sorted(map(ids.annotator, (tiny.CHECKER, tiny.WITHDRAWN)))
    assert [ast.literal_eval(cell) for cell in whole["lighting_QAannotator_id"]] == [both] * 4
    # sub-3 publishes no skin colour, so nobody is said to have checked it.
    told = whole.set_index("subject_id")["apparent_skin_color_QAannotator_id"]
    assert told.isna().to_dict() == {ids.subject(f"sub-{n}"): n == 3 for n in (1, 2, 3)}
    assert set(faces["apparent_skin_color_QAannotator_id"].dropna()) == {f"['{ids.annotator(tiny.CHECKER)}']"}
    told = json.loads((house.releases / "1.0.0" / whole["json_path"][0]).read_text())["image_annotation"]
    assert told["scene_QAannotator_id"] == both and told["scene_annotator_id"] == ids.annotator(tiny.ANNOTATOR)


def test_the_camera_distance_is_told_of_the_image_and_of_each_subject(published):
    house, _ = published
    for row in read(house, fhibe.WHOLE_TABLE).itertuples():
        told = json.loads((house.releases / "1.0.0" / row.json_path).read_text())
        assert told["image_annotation"]["camera_distance"] == row.camera_distance == "0. CD I"
        assert {s["camera_distance"] for s in told["subject_annotation"]} == {"0. CD I"}


def test_the_datasheet_tells_the_runs_figures(published):
    text = published[0].bytes_of("1.0.0")["datasheet.md"].decode()
    assert "3 images of 3 people" in " ".join(text.split())
    assert "| card | 1 |" in text and "$" not in text
    assert "| from the colours of its ICC profile to sRGB | 2 |" in text
    assert "| transparent parts laid over white | 1 |" in text
    assert "Can two versions be linked to each other?** Yes." in text
    headings = (
        "Motivation",
        "Composition",
        "Collection process",
        "Preprocessing",
        "Uses",
        "Distribution",
        "Maintenance",
    )
    assert all(f"## {heading}" in text for heading in headings)


def test_the_same_content_is_the_same_version(house):
    first = house.publish()
    before = {path: path.stat().st_mtime_ns for path in house.releases.rglob("*")}
    assert house.publish(shards=2) == first
    assert {path: path.stat().st_mtime_ns for path in house.releases.rglob("*")} == before


def test_a_history_that_was_put_back_makes_no_second_version_of_a_number(house):
    house.publish()
    history = house.vault / versions.HISTORY
    before = history.read_bytes()
    house.publish(failing=("img-2",))
    keep_private(history, before)
    with pytest.raises(AccordError, match=r"releases\.jsonl: lacks 2\.0\.0, which the receipt log has: it was put"):
        house.publish(failing=("img-1",))
    assert [path.name for path in sorted(house.releases.glob("[0-9]*"))] == ["1.0.0", "2.0.0"]


@pytest.mark.parametrize("gone", [False, True])
def test_a_ledger_that_was_put_back_publishes_nothing(house, gone):
    """The withdrawal is in no ledger any more: nobody could tell who must not be shown."""
    ledger_file = house.vault / "ledger.sqlite"
    assert not imports.run(house.vault, [File("x", REQUESTS.replace("9", "8").encode())], proof_required=False).problems
    before = ledger_file.read_bytes()
    withdraw(house)
    if gone:
        ledger_file.unlink()
    else:
        ledger_file.write_bytes(before)
    for journal in house.vault.glob("ledger.sqlite-*"):
        journal.unlink()
    with pytest.raises(AccordError, match=r"ledger\.sqlite: (is missing|lacks 1 of the 2 heads)"):
        house.publish(wishes=wishes(house))
    assert not (house.releases / "1.0.0").exists()


REQUESTS = "action,vendor,subject,on\nwithdraw,acme,Subject-9,2026-03-01\n"


def wishes(house, inbox=()) -> str:
    """The digest of all requests, as a run finds it when it begins."""
    settings = {"inbox": inbox[0] if inbox else None, "proof_required": False}
    return events.digests(house.vault, ["00"], lambda: {"00": frozenset()}, settings).wishes


def withdraw(house) -> None:
    assert not imports.run(house.vault, [File("x", REQUESTS.encode())], proof_required=False).problems


@pytest.mark.parametrize("moment", ["_check_parts", "_write"])
@pytest.mark.parametrize("watched", [False, True])
def test_a_withdrawal_between_consent_and_publishing_stops_the_release(house, tmp_path, monkeypatch, moment, watched):
    inbox = [tmp_path / "inbox"]
    inbox[0].mkdir()
    told, usual = {"inbox": inbox, "wishes": wishes(house, inbox)}, getattr(publish, moment)

    def disturbed(*given):
        if watched:
            (inbox[0] / "new.csv").write_text(REQUESTS)
        else:
            withdraw(house)
        return usual(*given)

    monkeypatch.setattr(publish, moment, disturbed)
    with pytest.raises(AccordError, match="consent: a withdrawal, or another request, came in while this run"):
        house.publish(**told)
    assert not (house.releases / "1.0.0").exists() and not versions.latest(house.vault)
    monkeypatch.undo()
    with pytest.raises(AccordError, match="hint: run again"):
        house.publish(**told)
    assert house.publish(inbox=inbox, wishes=wishes(house, inbox))["version"] == "1.0.0"


@pytest.mark.parametrize("damage", ["deleted", "changed", "file missing", "file added", "signature changed"])
def test_a_damaged_release_is_restored_byte_for_byte(house, damage):
    first = house.publish()
    whole, root = house.bytes_of("1.0.0"), house.releases / "1.0.0"
    picture = next(root.rglob("main_*.png"))
    if damage == "deleted":
        shutil.rmtree(root)
    elif damage == "changed":
        picture.chmod(0o644)
        picture.write_bytes(b"other")
    elif damage == "file missing":
        picture.unlink()
    elif damage == "signature changed":
        (root / "release.dsse.json").chmod(0o644)
        (root / "release.dsse.json").write_text("{}")
    else:
        (root / "more.txt").write_text("more")
    assert house.publish() == first
    assert house.bytes_of("1.0.0") == whole
    assert [path.name for path in house.releases.iterdir()] == ["1.0.0"]


def test_versions_say_what_changed(house, tiny):
    one = {name: tiny.IMAGES[name] for name in ("img-1", "img-2")}
    assert house.publish(one)["version"] == "1.0.0"
    added = house.publish(tiny.IMAGES)
    assert (added["version"], added["previous"], added["added"], added["removed"]) == ("1.1.0", "1.0.0", 1, 0)
    older = {**tiny.IMAGES, "img-2": ("small", [tiny.Person("sub-1", age=32)])}
    said = house.publish(older)
    assert (said["version"], said["changed"], said["added"], said["removed"]) == ("1.1.1", 1, 0, 0)
    removed = house.publish(one | {"img-3": tiny.IMAGES["img-3"]}, failing=("img-3",))
    assert (removed["version"], removed["removed"]) == ("2.0.0", 1)
    assert "images removed: 1" in house.bytes_of("2.0.0")["CHANGES.md"].decode()
    assert sorted(path.name for path in house.releases.iterdir()) == ["1.0.0", "1.1.0", "1.1.1", "2.0.0"]


def test_ids_are_new_in_each_version(house, tiny):
    house.publish({name: tiny.IMAGES[name] for name in ("img-1", "img-2")})
    house.publish()
    ids = [set(pd.read_csv(house.releases / v / fhibe.WHOLE_TABLE)["subject_id"]) for v in ("1.0.0", "1.1.0")]
    assert not ids[0] & ids[1]


def test_images_that_fail_are_not_published(house):
    reported = house.publish(failing=("img-1",))
    assert (reported["images"], reported["subjects"]) == (2, 2)
    assert len(pd.read_csv(house.releases / "1.0.0" / fhibe.WHOLE_TABLE)) == 2


def test_nothing_to_publish_is_an_error_with_the_commonest_reasons(house, tiny):
    names = tuple(tiny.IMAGES)
    with pytest.raises(AccordError) as raised:
        house.publish(failing=names[:2], withdrawn=names[2:])
    [problem] = raised.value.problems
    assert problem.what.startswith(
        "no image passed: there is nothing to publish. Of 3 images, stopped were 2 by duplicate_exact ("
    )
    assert ", 1 by consent.form_missing (" in problem.what
    assert not house.releases.exists()


def test_a_version_waits_for_reviews_unless_it_takes_something_back(house, tiny):
    """Nothing is published while people are asked; whoever withdrew waits for nobody."""
    one = {name: tiny.IMAGES[name] for name in ("img-1", "img-2")}
    for asked in (("img-2",), ("img-1", "img-2")):
        with pytest.raises(AccordError) as raised:
            house.publish(one, waiting=asked)
        assert f"{len(asked)} image" in str(raised.value) and AWAITS_REVIEW in str(raised.value)
    assert house.publish(one)["version"] == "1.0.0"
    assert house.publish(tiny.IMAGES, waiting=("img-3",))["version"] == "1.0.0"  # the same content
    more = tiny.IMAGES | {"img-4": ("small", [tiny.Person("sub-4")])}
    with pytest.raises(AccordError, match=AWAITS_REVIEW):
        house.publish(more, waiting=("img-3",))
    assert [path.name for path in house.releases.iterdir()] == ["1.0.0"]
    removed = house.publish(more, waiting=("img-3",), withdrawn=("img-1",))
    assert (removed["version"], removed["removed"], removed["added"]) == ("2.0.0", 1, 1)
    house.settings = tiny.SETTINGS | {"publish": "always"}
    again = house.publish(more, waiting=("img-3",))
    assert (again["version"], again["added"]) == ("2.1.0", 1)


def test_another_account_of_the_same_content_makes_no_version(house, tiny):
    first = house.publish()
    before = house.bytes_of("1.0.0")
    more = tiny.IMAGES | {"img-4": ("small", [tiny.Person("sub-4")])}
    assert house.publish(more, failing=("img-4",)) == first
    assert house.bytes_of("1.0.0") == before
    shutil.rmtree(house.releases / "1.0.0")
    assert house.publish(more, failing=("img-4",)) == first
    assert house.bytes_of("1.0.0") == before and verify(house.releases / "1.0.0").problems == []


def test_a_whole_version_stays_when_other_software_would_write_it_otherwise(house, monkeypatch):
    first = house.publish()
    before = house.bytes_of("1.0.0")
    monkeypatch.setattr(datasheet, "protocol", lambda facts: "another text")
    (house.vault / "releases/1.0.0/documents.json").unlink()  # an older version has none
    assert house.publish() == first
    assert house.bytes_of("1.0.0") == before
    assert [path.name for path in house.releases.iterdir()] == ["1.0.0"]


def test_what_is_rendered_is_not_called_a_photograph(house, tiny):
    house.rendered = tuple(tiny.IMAGES)
    assert house.publish()["rendered"] == 3
    told = house.bytes_of("1.0.0")
    text = " ".join(told["datasheet.md"].decode().split())
    assert "Rendered pictures of people: 3 images" in text and "nobody was photographed" in text
    assert "hotographed themselves" not in text and "Photographs" not in text
    about = json.loads(told["croissant.json"])
    assert about["description"].startswith("Rendered pictures of people")
    assert (
        "hotographed themselves" not in about["rai:dataCollection"]
        and "photographs" not in about["rai:dataCollectionRawData"]
    )
    assert '"Rendered pictures of people, with their consent' in told["ro-crate-metadata.json"].decode()


def test_purpose_creator_and_terms_are_the_projects_own(house, tiny, tmp_path):
    house.publish()
    file = tmp_path / "terms.yaml"
    file.write_text(
        "- text: Only for our course.\n  rules: [{kind: permission, action: use, purposes: [teach]}]\n"
        "- text: Delete what is withdrawn.\n"
        "  rules: [{kind: obligation, action: delete, after: consent-withdrawn, within: P7D}]\n"
    )
    house.terms = [file]
    assert house.publish()["version"] == "1.0.1"
    house.settings = tiny.SETTINGS | {"purpose": "To teach.", "creator": "Acme Lab"}
    assert house.publish()["version"] == "1.0.2"
    told = house.bytes_of("1.0.2")
    assert told["terms.txt"].decode().splitlines()[2:] == ["1. Only for our course.", "2. Delete what is withdrawn."]
    assert '"rightOperand": {' in told["terms.odrl.json"].decode() and "P7D" in told["terms.odrl.json"].decode()
    sheet = told["datasheet.md"].decode()
    assert "created?** To teach.\n" in sheet and "Who created it?** Acme Lab; the name of the dataset" in sheet
    about = json.loads(told["croissant.json"])
    assert about["creator"]["name"] == "Acme Lab" and about["description"].endswith("of themselves. To teach.")
    assert '"name": "Acme Lab"' in told["ro-crate-metadata.json"].decode()


@pytest.mark.parametrize(
    ("text", "what"),
    [("- text: Do what you want.\n", "no clause has a rule of the kind obligation"), ("[", "is no YAML or JSON"),
     ("- {rules: []}\n", "'text' is a required property")],
)  # fmt: skip
def test_terms_that_are_none_are_refused(tmp_path, text, what):
    (tmp_path / "terms.yaml").write_text(text)
    with pytest.raises(AccordError, match=what):
        terms.read([tmp_path / "terms.yaml"])


SECRET = "releases/1.0.0/secret"
KEPT = ("keys", "c2pa")
"""Folders of a vault with keys, and with claims that no vault would sign in the same words again."""


def keep(house, vault: dict[str, bytes]) -> None:
    """Give a vault what it would otherwise make at random: path -> content."""
    for path, data in vault.items():
        keep_private(house.vault / path, data)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, shards, tiny):
    """(bytes of a release that was made without interruption, receipt log, what its vault made at random)."""
    house = tiny.House(tmp_path_factory.mktemp("undisturbed"), shards)
    keep(house, {SECRET: b"s" * 32})
    house.publish()
    files = [path for folder in KEPT for path in (house.vault / folder).rglob("*") if path.is_file()]
    kept = {path.relative_to(house.vault).as_posix(): path.read_bytes() for path in files}
    assert len(kept) == 4  # two keys, and a claim in each of the two pictures that were painted over
    return house.bytes_of("1.0.0"), (house.vault / log.PLACE).read_bytes(), kept | {SECRET: b"s" * 32}


STEPS = [("_write", False), ("_write", True), ("record", True), ("append", True), ("settle", True)]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "after"), STEPS)
def test_a_killed_run_leaves_nothing_half_and_the_next_gives_the_same(house, undisturbed, monkeypatch, where, after):
    class Killed(BaseException):
        pass

    owner = {"_write": publish, "record": versions, "append": log, "settle": tree}[where]
    real = getattr(owner, where)

    def killed(*args):
        if after:
            real(*args)
        raise Killed

    keep(house, undisturbed[2])
    with monkeypatch.context() as patch:
        patch.setattr(owner, where, killed)
        with pytest.raises(Killed):
            house.publish()
    settled = (
        [path.name for path in house.releases.iterdir() if not path.name.startswith(".")]
        if house.releases.exists()
        else []
    )
    assert settled == (["1.0.0"] if (where, after) == ("settle", True) else [])
    assert house.publish()["version"] == "1.0.0"
    assert house.bytes_of("1.0.0") == undisturbed[0]
    assert (house.vault / log.PLACE).read_bytes() == undisturbed[1]


def test_a_version_that_would_come_out_otherwise_is_not_restored(house, monkeypatch):
    house.publish()
    shutil.rmtree(house.releases / "1.0.0")
    monkeypatch.setattr(publish, "write_documents", lambda *args: None)
    with pytest.raises(AccordError, match=r"release 1\.0\.0: can't be restored byte for byte"):
        house.publish()
    assert not (house.releases / "1.0.0").exists()


def test_the_name_of_the_dataset_is_content(house, tiny):
    first = house.publish()
    house.settings = tiny.SETTINGS | {"dataset": "other"}
    again = house.publish()
    assert (again["version"], again["changed"]) == ("1.0.1", 0)
    assert again["fingerprint"] != first["fingerprint"]


def test_a_release_has_the_same_bytes_however_many_shards_it_comes_from(tmp_path, shards, tiny, undisturbed):
    whole, _, vault = undisturbed
    for count in (1, 3):
        house = tiny.House(tmp_path / str(count), shards)
        keep(house, vault)
        house.publish(shards=count)
        found = house.bytes_of("1.0.0")
        assert {path for path in found.keys() | whole if found.get(path) != whole.get(path)} == set()


def test_the_seal_is_that_of_all_files_at_once(published):
    """Manifest, leaves and root, which are merged from shards, as whoever has all files would make them."""
    house, reported = published
    root, secret = house.releases / "1.0.0", identity.ids(versions.private(house.vault, "1.0.0")).secret
    entries = [held.entry(path, root / path) for path in house.bytes_of("1.0.0") if path not in held.SEALING]
    assert (root / tree.MANIFEST).read_bytes() == tree.manifest(entries)
    found = [leaves.parse(line) for line in (root / leaves.NAME).read_bytes().splitlines()]
    expected = []
    for record in leaves.records(root, entries):
        data = canonical.encode(record)
        salt = hmac.digest(secret, b"leaf\0" + data, "sha256")
        expected.append((hashlib.sha256(b"\0" + salt + data).digest(), record))
    assert [(leaf.hash, leaf.record) for leaf in found] == sorted(expected, key=lambda one: one[0])
    assert reported["root"] == merkle.root([digest for digest, _ in sorted(expected, key=lambda one: one[0])]).hex()


@pytest.mark.parametrize("damage", ["missing", "cut", "more"])
def test_what_the_shards_wrote_must_be_there(house, monkeypatch, damage):
    """Nothing is read again: a file that lacks, is shorter, or is no part of the version stops it."""

    def damaged(files, *given):
        picture = next(files.root.rglob("main_*.png"))
        if damage == "more":
            picture.with_name("other.png").write_bytes(b"other")
        else:
            data = picture.read_bytes()
            picture.unlink()
            if damage == "cut":
                picture.write_bytes(data[:-1])
        return real(files, *given)

    real = publish.write_documents
    monkeypatch.setattr(publish, "write_documents", damaged)
    with pytest.raises(AccordError, match="lacks files of the release, or has others"):
        house.publish()
    assert not (house.releases / "1.0.0").exists()
    assert versions.history(house.vault) == []
