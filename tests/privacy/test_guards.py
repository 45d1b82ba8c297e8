"""Each guard against an unpainted bystander is switched off in turn, and another one stops the image or paints it.

A tiny shard, from a delivery's files to the proof: intake, detection (checks), painting and proof (privacy).
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from intake_cases import Maker
from painting_cases import run_paint
from PIL import Image

from accord.checks.looking import annotations, personal_data
from accord.checks.settling import items, regions, settle
from accord.checks.tables.findings import Decisions, Texts
from accord.engine.table import empty
from accord.findings import FAIL, PASS
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.imaging.masks import rasterise
from accord.intake import shard as intake
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.reading import images as intake_images
from accord.privacy.painting import copies, inpaint, painters
from accord.privacy.proof import verify

PROMPTS = Path(__file__).parents[2] / "config" / "demo-prompts.yaml"
BYSTANDER = [[100, 30], [185, 30], [185, 265], [100, 265]]
WHOLE = [[0, 0], [287, 0], [287, 287], [0, 287]]
CORNER = [[4, 4], [40, 4], [40, 40], [4, 40]]
REGION = {"region": "r1", "kind": "bystander", "polygon": BYSTANDER, "annotator": "a2"}
LIMITS = {"max_box_overhang": 1.0, "max_face_outside": 1.0, "max_keypoint_distance": 1e9}
"""Switched off: what else is wrong with boxes and keypoints."""


def drawn(segment=CORNER, **changes):
    person = {"subject": "ann", "segments": [{"class_name": "20. Upper body clothes", "num": 1, "polygon": segment}]}
    return json.dumps({"image": "IMG_1", "people": [person], "regions": [{**REGION, **changes}]})


ATTACKS = {
    "none": drawn(),
    "a segment over the bystander": drawn(segment=WHOLE),
    "wound twice": drawn(polygon=BYSTANDER * 2),
    "regions given twice": drawn()[:-1] + ', "regions": []}',
    "a key misspelt": drawn().replace('"regions"', '"Regions"'),
    "shares": drawn(polygon=[[x / 288, y / 288] for x, y in BYSTANDER]),
    "there and back": drawn(polygon=[*BYSTANDER, BYSTANDER[0], *BYSTANDER[::-1]]),
}


def painting(monkeypatch):
    """It paints nothing, and says that it did."""

    def nothing(scenes, settings):
        done = inpaint.Outcome("diffusion", 1, 1, 0, inpaint.Request("", "", 14.0, 1, 20), inpaint.NO_FLAWS)
        return (inpaint._edit(region, done, 10**6, settings) for scene in scenes for region in scene.wanted.regions)

    monkeypatch.setattr(copies, "paint_out", nothing)


def masks(monkeypatch):
    """The painter's masks are empty where a segment lies, as they were once."""
    monkeypatch.setattr(inpaint, "_painted_over", lambda regions, shape: np.zeros(shape, bool))


def proof(monkeypatch):
    monkeypatch.setattr(verify, "_declared", lambda *_: iter(()))
    monkeypatch.setattr(verify, "_people", lambda *_: iter(()))
    monkeypatch.setattr(verify, "_remains", lambda *_: iter(()))


def detection(monkeypatch):
    monkeypatch.setattr(personal_data, "strangers", lambda *_: [])
    monkeypatch.setattr(annotations.overlaps, "overlaps", lambda *_: [])


def reading(monkeypatch):
    """Intake takes files as they are."""
    monkeypatch.setattr(intake_images.annotations.keys, "once", dict)
    monkeypatch.setattr(intake_images.annotations.keys, "unknown", lambda document: [])
    monkeypatch.setattr(intake_images.geometry, "faults", lambda *_: [])


@pytest.fixture
def flow(tmp_path, bystander, tiny_embedded, monkeypatch):
    """What stops the image of an attack, and whether the bystander is to be seen in what is made of it."""
    monkeypatch.setattr(painters, "load", lambda *_: tiny_embedded)
    photograph = tmp_path / "photograph.png"
    Image.fromarray(bystander.pixels).save(photograph)

    def run(attack):
        maker = Maker(tmp_path / "delivery")
        maker.about["rendered"] = True
        maker.subject("ann")
        maker.image("IMG_1", "ann", data=photograph.read_bytes())
        maker.files["images/IMG_1.png"] = maker.files.pop("images/IMG_1.jpg")
        maker.row("images.csv", image="IMG_1")["file"] = "images/IMG_1.png"
        maker.files["annotations/IMG_1.json"] = ATTACKS[attack].encode()
        for annotator in ("a1", "a2", "q1"):
            maker.annotator(annotator)
        originals = tmp_path / "originals.tar"
        taken = intake.run([maker.write()], SCHEMA, originals, shard="00", shards=1, max_pixels=10**6)
        if not len(taken.images):
            return {"intake"}, False
        questions, wanted = checked(taken, originals)
        return looked(taken, originals, questions, wanted, tmp_path / "painted.tar", bystander)

    return run


def checked(taken, originals):
    """Findings after what nobody decided, and the regions to paint."""
    drawings = taken.people, taken.keypoints, taken.segments, taken.regions
    findings, proposals, _ = annotations.run(taken.images, *drawings, **LIMITS)
    limits = {"min_text_score": 0.5, "min_bystander": 0.04, "max_pixels": 10**6}
    people = taken.people, taken.segments, taken.regions
    seen = personal_data.run(taken.images, originals, empty(Texts), *people, **limits)
    found = [pd.concat(both, ignore_index=True) for both in zip((findings, proposals), seen, strict=True)]
    asked = items.run(taken.images, *found)
    hold = {"policies": {"personal_data": "hold", "logos": "hold"}}
    settled = settle.run(taken.images, found[0], asked, empty(Decisions), **hold)
    return settled, regions.run(taken.regions, asked, empty(Decisions), **hold)


def looked(taken, originals, questions, wanted, bundles, bystander):
    names = ("images", "attributes", "people", "segments", "regions", "bundle", "prompts")
    given = (taken.images, taken.attributes, taken.people, taken.segments, wanted, originals, PROMPTS)
    limits = {"max_seam": 1e9, "max_detail": 1e9, "max_outline": 1e9}
    painted = run_paint(dict(zip(names, given, strict=True)), bundles, **limits)
    rooms = {"detection"} if (questions.loc[questions["check"].isin(HELD), "verdict"] != PASS).any() else set()
    rooms |= {"proof"} if (painted.findings["verdict"] == FAIL).any() else set()
    pixels = decode(bundle.read(bundles, next(painted.painted.itertuples())))
    inside = bystander.mask & rasterise([np.ravel(BYSTANDER)], bystander.mask.shape)
    return rooms, bool((pixels == bystander.pixels).all(axis=2)[inside].mean() > 0.1)


HELD = ("personal_data", "region_overlap")
CASES = [
    ("none", None, set(), False),
    ("wound twice", None, set(), False),
    ("a segment over the bystander", None, {"detection"}, False),
    ("regions given twice", None, {"intake"}, False),
    ("a key misspelt", None, {"intake"}, False),
    ("shares", None, {"intake"}, False),
    ("there and back", None, {"intake"}, False),
    ("none", painting, {"proof"}, True),
    ("wound twice", painting, {"proof"}, True),
    ("a segment over the bystander", painting, {"detection", "proof"}, True),
    ("a segment over the bystander", masks, {"detection", "proof"}, True),
    ("a segment over the bystander", proof, {"detection"}, False),
    ("a segment over the bystander", detection, set(), False),
    ("regions given twice", detection, {"intake"}, False),
    ("regions given twice", reading, {"detection"}, True),
    ("shares", reading, {"detection", "proof"}, True),
    ("there and back", reading, {"detection", "proof"}, True),
]


@pytest.mark.parametrize(
    ("attack", "without", "stopped_by", "shows"), CASES, ids=lambda value: getattr(value, "__name__", None)
)
def test_without_one_guard_another_stops_the_image(flow, monkeypatch, attack, without, stopped_by, shows):
    if without is not None:
        without(monkeypatch)
    rooms, is_seen = flow(attack)
    assert rooms == stopped_by
    assert is_seen == shows
    assert rooms or not is_seen
