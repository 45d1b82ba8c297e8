"""The steps of a Rapid Test that ask services behind a server: whose pictures, how often, for how much."""

import os
import signal
from itertools import combinations
from types import SimpleNamespace

import fake_faces
import numpy as np
import pandas as pd
import pytest
from fake_faces import fault, picture, serving

from accord.engine import table
from accord.errors import AccordError
from accord.evaluate import service_boxes, service_comparisons, service_faces
from accord.evaluate.asking import answer_vault, paid_account
from accord.evaluate.tables.services import FacePairs, Queries
from accord.models.adapters import rekognition
from accord.release.tables import Derivatives, Terms

SECRETS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "hidden-a", "FACEPP_API_KEY": "hidden-b",
           "FACEPP_API_SECRET": "hidden-c", "AWS_SESSION_TOKEN": ""}  # fmt: skip
GREYS = {"a1": 60, "a2": 70, "a3": 0, "a4": 80, "b1": 200, "b2": 210}
"""Image -> grey of the person in it: a query each of a and b. Nobody is in a3, and a4 shows two people."""
LOCAL = """
class Local:
    def __init__(self, weights, score=0.5):
        self.score = score

    def compare(self, left, right):
        return [self.score if one.mean() > 20 else None for one in left]
"""
EXTERNAL = {"max_calls": None, "max_cost": None, "parallel": 2}


def one_of(image: str) -> np.ndarray:
    grey = GREYS[image]
    return picture(0, 0, grey, 0, 0, *((grey, 0, 0) if image == "a4" else (0, 0, 0)))


@pytest.fixture
def release(tmp_path, shard_in, monkeypatch):
    """Two shards, a query each."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    shards = []
    for query in "ab":
        folder = tmp_path / query
        folder.mkdir()
        shard = shard_in(folder)
        images = [image for image in GREYS if image.startswith(query)]
        for image in images:
            shard.picture(image, one_of(image))
        given = shard.inputs()
        table.write(given["derivatives"], Derivatives, folder / "derivatives.parquet")
        queries = table.rows([(query, image, query) for image in images], Queries)
        shards.append(SimpleNamespace(folder=folder, queries=queries, **given))
    return SimpleNamespace(shards=shards, vault=tmp_path / "vault", weights=tmp_path)


def entry(name: str, address: str, compares: str = "faces", **options) -> dict:
    """What steps are told of a service that the fake server plays."""
    amazon = {"adapter": "accord.evaluate.adapters.rekognition:Client", "options": {"region": "eu-west-1"}}
    plus = {"adapter": "accord.evaluate.adapters.facepp:Client", "options": {}}
    made = amazon if name == "amazon" else plus
    told = {"name": name, "task": "face_service", "weights": {}, "batch": 1, "compares": compares, **made}
    where = f"{address}/" if name == "amazon" else f"{address}/facepp/v3"
    return told | {"options": {**made["options"], "address": where, "cost_per_call": 0.5, **options}}


def speaking(action, fields, number):
    return fake_faces.facepp(action, fields) if "api_key" in fields else fake_faces.rekognition(action, fields)


def found(release, service, allowed=True, **external):
    """Boxes and unseen of all shards."""
    how = {"weights": release.weights, "vault": release.vault, "external": EXTERNAL | external}
    made = []
    for one in release.shards:
        terms = table.rows([(image, False, allowed) for image in one.queries["image"]], Terms)
        made.append(service_boxes.run(one.queries, one.derivatives, terms, one.files, service=service, **how))
    return pd.concat([one.boxes for one in made]), pd.concat([one.unseen for one in made])


def faces_of(release, *services, blind=()):
    boxes, unseen = (pd.concat(some) for some in zip(*(found(release, one) for one in services), strict=True))
    how = {"services": [one["name"] for one in services], "blind": list(blind), "keep": "overlap", "iou": 0.4}
    return pd.concat([service_faces.run(one.queries, boxes, unseen, **how) for one in release.shards])


def all_pairs(faces) -> pd.DataFrame:
    known = faces.loc[faces["face"] != "", ["query", "face"]].drop_duplicates().to_numpy().tolist()
    pairs = combinations(sorted(known), 2)
    return table.rows([(a, b, "within" if q == r else "across") for (q, a), (r, b) in pairs], FacePairs)


def compared(release, service, faces, **external):
    tables = {"derivatives": [one.folder / "derivatives.parquet" for one in release.shards],
              "files": [one.files for one in release.shards]}  # fmt: skip
    how = {"weights": release.weights, "seed": 1, "vault": release.vault, "external": EXTERNAL | external}
    return service_comparisons.run(all_pairs(faces), faces, **tables, service=service, **how)


def test_two_services_are_asked_for_faces_then_about_pairs_and_never_twice(release, capfd):
    with serving(speaking) as (address, asked):
        amazon, plus = entry("amazon", address), entry("plus", address)
        faces = faces_of(release, amazon, plus)
        notes = dict(faces[["image", "note"]].to_numpy())
        said = [compared(release, one, faces) for one in (amazon, plus)]
        count = len(asked)
        again = [compared(release, one, faces_of(release, amazon, plus)) for one in (amazon, plus)]
        assert len(asked) == count == 2 * (6 + 6)
    assert notes["a3"] == "no face found by amazon, plus" and notes["a4"] == "several faces found by amazon, plus"
    for one, other in zip(said, again, strict=True):
        pd.testing.assert_frame_equal(one, other)
        scores = {(row.left, row.right): row.score for row in one.itertuples()}
        assert len(scores) == 6 and scores["a1", "a2"] == pytest.approx(0.85) and scores["a1", "b2"] == 0
    log = capfd.readouterr().err
    assert "4 questions: 0 are answered already, 4 are asked now, for 2.00" in log
    assert "comparing the faces of these queries takes up to 6 calls more, for 3.00, and up to as many again" in log
    kept = [log.encode(), (release.vault / answer_vault.NAME).read_bytes(), *(one.to_csv().encode() for one in said)]
    assert not any(secret.encode() in one for secret in SECRETS.values() if secret for one in kept)


def test_a_changed_price_or_key_changes_no_row_and_asks_nothing_again(release, monkeypatch):
    monkeypatch.setenv("OTHER", "hidden-d")
    with serving(speaking) as (address, asked):
        faces = faces_of(release, entry("amazon", address))
        first = compared(release, entry("amazon", address), faces)
        count = len(asked)
        dearer = entry("amazon", address, cost_per_call=9.0, secret="OTHER")
        pd.testing.assert_frame_equal(first, compared(release, dearer, faces_of(release, dearer)))
        assert len(asked) == count
        later = compared(release, entry("amazon", address, version="2027"), faces)
    assert set(later["version"]) != set(first["version"]) and len(asked) == 2 * count - 6


def test_pictures_that_may_not_leave_are_not_sent_and_that_is_told(release, monkeypatch):
    monkeypatch.setattr(rekognition, "is_local", lambda address: False)
    with serving(speaking) as (address, asked):
        for compares in ("faces", "pictures"):
            boxes, unseen = found(release, entry("amazon", address, compares), allowed=False)
            assert boxes.empty and set(unseen["image"]) == set(GREYS) and not asked
            assert set(unseen["reason"]) == {"this image may not be given to somebody else's server"}
        boxes, unseen = found(release, entry("amazon", address))
        assert unseen.empty and len(asked) == len(GREYS)


def test_a_picture_that_is_not_taken_and_a_call_that_fails_are_told(release):
    def failing(action, fields, number):
        return fault("ImageTooLargeException") if number == 0 else speaking(action, fields, number)

    with serving(failing) as (address, _asked):
        _, unseen = found(release, entry("amazon", address), parallel=1)
    assert unseen.to_numpy().tolist() == [
        ["amazon", "a1", "the service doesn't take the picture (ImageTooLargeException)"]
    ]


def test_limits_stop_before_anything_is_sent(release):
    with serving(speaking) as (address, asked):
        amazon = entry("amazon", address)
        with pytest.raises(AccordError, match=r"needs 4 calls, and 3 of evaluate\.external\.max_calls are left"):
            found(release, amazon, max_calls=3)
        assert not asked
        faces = faces_of(release, amazon)
        with pytest.raises(AccordError, match=r"may cost 3\.00, and 2\.00 of evaluate\.external\.max_cost are left"):
            compared(release, amazon, faces, max_cost=5.0)
        assert len(asked) == 6
        assert len(compared(release, amazon, faces, max_cost=6.0)) == 6 and len(asked) == 12


def test_a_service_without_detection_is_shown_whole_pictures_in_turn(release):
    """The others' faces are a1, a2, b1, b2; to this one a1 shows nobody."""

    def half_blind(action, fields, number):
        if action == "compare" and "api_key" in fields:
            for name in ("image_base64_1", "image_base64_2"):
                if (2, 60) in fake_faces.seen(fields[name])[0]:
                    return 200, {}, {"faces1": [], "faces2": [{}]}
        return speaking(action, fields, number)

    with serving(half_blind) as (address, asked):
        amazon, plus = entry("amazon", address), entry("plus", address, "pictures")
        faces = faces_of(release, amazon, plus, blind=["plus"])
        assert len(asked) == len(GREYS) and set(faces["service"]) == {"amazon", "plus"}
        said = compared(release, plus, faces)
        count = len(asked)
        pd.testing.assert_frame_equal(said, compared(release, plus, faces, max_calls=4))
        assert len(asked) == count == len(GREYS) + 2
    status = {(row.left, row.right): row.status for row in said.itertuples()}
    assert status["a1", "a2"] == "no face in one of the pictures" and status["b1", "b2"] == ""
    assert set(status.values()) == {"", "no face in one of the pictures", service_comparisons.UNSETTLED}
    assert said["score"].notna().sum() == 1


def test_a_service_without_detection_scores_across_queries_what_was_found_valid(release):
    with serving(speaking) as (address, asked):
        plus = entry("plus", address, "pictures")
        faces = faces_of(release, entry("amazon", address), plus, blind=["plus"])
        said = compared(release, plus, faces)
    assert (said["status"] == "").all() and len(said) == 6
    assert [one["action"] for one in asked].count("compare") == 6


def test_a_service_that_runs_here_is_asked_about_pairs_without_a_vault(release, tmp_path):
    (tmp_path / "local.py").write_text(LOCAL)
    with serving(speaking) as (address, _asked):
        faces = faces_of(release, entry("amazon", address))
    local = {
        "name": "local",
        "task": "face_service",
        "adapter": f"{tmp_path}/local.py:Local",
        "weights": {},
        "batch": 1,
    }
    faces = faces.assign(service="local")
    said = compared(release, {**local, "options": {}, "compares": "faces"}, faces)
    assert set(said["score"].dropna()) == {0.5} and set(said["status"]) <= {"", "no face in one of the pictures"}
    with pytest.raises(AccordError, match="returned a score that is not finite"):
        compared(release, {**local, "options": {"score": float("nan")}, "compares": "faces"}, faces)


def test_a_kill_in_the_middle_pays_nothing_twice(release):
    """The server kills who asks at the third comparison; only the call that was in flight is made again."""
    children, first = [], []

    def killing(action, fields, number):
        if action == "CompareFaces":
            first.append(number)
            if len(first) == 3:
                os.kill(children[0], signal.SIGKILL)
        return speaking(action, fields, number)

    with serving(killing) as (address, asked):
        amazon = entry("amazon", address)
        faces = faces_of(release, amazon)
        child = os.fork()
        if not child:
            try:
                compared(release, amazon, faces, parallel=1)
            finally:
                os._exit(0)
        children.append(child)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) and len(paid_account.read(release.vault).answers) == 6 + 2
        said = compared(release, amazon, faces, parallel=1)
    bodies = [one["body"] for one in asked if one["action"] == "CompareFaces"]
    # Two that were kept, one in flight, both asked again to see that the service is the same, four that were missing.
    assert said["score"].notna().all() and len(bodies) == 2 + 1 + 2 + 4 and len(set(bodies)) == 6


def test_calls_that_fail_are_rows_and_made_again_by_the_next_run(release, monkeypatch):
    monkeypatch.setattr(rekognition, "ATTEMPTS", 1)
    alive = [10]

    def dying(action, fields, number):
        return speaking(action, fields, number) if number < alive[0] else (503, {}, b"AKIDEXAMPLE")

    with serving(dying) as (address, asked):
        amazon = entry("amazon", address)
        faces = faces_of(release, amazon)
        said = compared(release, amazon, faces, parallel=1)
        assert said["status"].tolist() == [""] * 4 + ["status 503"] * 2 and said["score"].notna().sum() == 4
        alive[0] = 99
        assert (compared(release, amazon, faces)["status"] == "").all()
    assert len(asked) == 12 + 4 + 2


def test_who_withdraws_takes_boxes_and_the_pairs_on_either_side(release):
    with serving(speaking) as (address, _asked):
        amazon = entry("amazon", address)
        compared(release, amazon, faces_of(release, amazon))
    assert answer_vault.forget(release.vault, ["b1"]) == 1 + 3
    assert len(paid_account.read(release.vault).answers) == 12 - 4
