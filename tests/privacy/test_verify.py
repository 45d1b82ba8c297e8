import numpy as np
import pytest

from accord.checks.tables.findings import Regions
from accord.engine.table import rows
from accord.findings import Findings
from accord.imaging.boxes import corners
from accord.imaging.decode import decode, encode_png
from accord.models import detectors
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.proof import legible, verify
from accord.privacy.protecting.people import Person

LIMITS = Flaws(2.5, 2.0, 1.3)
POLYGON = [100, 30, 185, 30, 185, 265, 100, 265]


@pytest.fixture
def verified():
    """Looks at PNG files by image id; `polygons`: what was painted, by image id."""

    def run(
        files, polygons, segments=(), before=None, kind="bystander", over="painted", declared=None, people=(), **changes
    ):
        told = {"kind": kind, "method": "diffusion", "prompt": "", "guidance": 14.0, "seed": 1, "attempts": 1}
        told |= {
            "model_sha256": "0" * 64,
            "painted": 10**6,
            "candidates": 1,
            "chosen": 0,
            "seam": 1.0,
            "detail": 1.0,
            "outline": 0.0,
        }
        told |= changes
        edits = {i: [{"image": i, "region": f"{i}-r", "polygon": p, **told}] for i, p in polygons.items()}
        regions = [
            {"image": i, "region": f"{i}-r", "kind": kind, "polygon": p, "annotator": "a", "segments": over}
            for i, p in (declared or polygons).items()
        ]
        theirs = {image: list(some.itertuples()) for image, some in rows(regions, Regions).groupby("image")}
        found, shown = [], {**files, **(before or {})}
        for image, data in files.items():
            drawn = [polygon for of, polygon in segments if of == image]
            staying = list(people) if people else [Person(drawn, [], [])] * bool(drawn)
            told_before = verify.Before(decode(shown[image]), theirs[image], staying) if image in theirs else None
            found += verify.findings(image, data, told_before, edits.get(image, []), LIMITS)
        return rows(found, Findings)

    return run


def verdicts(result, image):
    theirs = result[result["image"] == image]
    return dict(zip(theirs["check"], theirs["verdict"], strict=True))


def passing(result):
    """The images that go on."""
    return sorted(set(result["image"]) - set(result.loc[result["verdict"] == "fail", "image"]))


CHECKS = ("face_yunet", "face_blazeface", "person_blazepose")
STAYING = ("subject_in_region", "person_copied", "skin_in_region")


def test_a_person_left_in_a_region_stops_the_image(verified, bystander):
    empty = np.full_like(bystander.pixels, 128)
    files = {"left": encode_png(bystander.pixels), "gone": encode_png(empty)}
    result = verified(files, {"left": POLYGON, "gone": POLYGON})
    clean = {"metadata": "pass", "text_ppocr": "pass"}
    clean |= dict.fromkeys(STAYING, "pass")
    proofs = (*CHECKS, "face_sface", "region_left", "region_shows")
    assert verdicts(result, "left") == {**clean, **dict.fromkeys(proofs, "fail"), "skin_in_region": "review"}
    assert verdicts(result, "gone") == {**clean, **dict.fromkeys(proofs, "pass")}
    assert passing(result) == ["gone"]
    reasons = result.set_index(["image", "check"])["reason"]
    assert reasons["left", "face_yunet"] == "a face is still visible in a painted region"
    assert reasons["gone", "person_blazepose"] == "finds no person in 1 painted region(s)"


def test_a_subject_in_front_of_the_region_is_no_finding(verified, bystander):
    body = [108, 25, 180, 25, 180, 262, 108, 262]
    files, shown = {"a": encode_png(bystander.pixels)}, np.roll(bystander.pixels, 40, 0)
    asked = {"segments": [("a", body)], "before": {"a": encode_png(shown)}}
    assert set(verdicts(verified(files, {"a": POLYGON}, over="kept", **asked), "a").values()) == {"pass"}
    told = verdicts(verified(files, {"a": POLYGON}, **asked), "a")
    assert {told[check] for check in CHECKS} == {"fail"}
    waits = verified(files, {"a": POLYGON}, over="asked", **asked).set_index("check").loc["inpainting"]
    assert waits["verdict"] == "review" and waits["reason"].startswith("a subject's segments keep 84%")


def test_metadata_stops_the_image(verified):
    clean = encode_png(np.zeros((8, 8, 3), np.uint8))
    result = verified({"clean": clean, "told": clean + b"secret"}, {})
    assert passing(result) == ["clean"]
    told = result.set_index("image").loc["told"]
    assert (told["check"], told["verdict"], told["score"]) == ("metadata", "fail", 1.0)
    assert told["reason"] == "6 bytes after IEND"


def test_an_image_without_regions_has_one_finding(verified, bystander):
    result = verified({"a": encode_png(bystander.pixels)}, {})
    assert verdicts(result, "a") == {"metadata": "pass"}
    assert passing(result) == ["a"]


def test_a_face_that_detectors_miss_is_still_that_face(verified, bystander):
    washed = (bystander.pixels.astype(float) * 0.08 + 118).astype(np.uint8)
    assert detectors.find(washed) == []
    result = verified({"a": encode_png(washed)}, {"a": POLYGON}, before={"a": encode_png(bystander.pixels)})
    told = result.set_index("check").loc["face_sface"]
    assert told["verdict"] == "fail" and told["score"] > told["threshold"]
    assert told["reason"] == "face(s) still visible in a painted region"


def plate(text, size=(288, 288)):
    import cv2

    pixels = np.full((*size, 3), 200, np.uint8)
    cv2.putText(pixels, text, (30, 150), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3)
    return encode_png(pixels)


@pytest.mark.parametrize(
    ("after", "verdict"), [("KL 48207", "fail"), ("X   4820", "fail"), ("", "pass"), ("WHM", "pass")]
)
def test_text_that_can_still_be_read_stops_the_image(verified, after, verdict):
    polygon = [20, 100, 270, 100, 270, 170, 20, 170]
    result = verified({"a": plate(after)}, {"a": polygon}, before={"a": plate("KL 48207")}, kind="license_plate")
    assert verdicts(result, "a")["text_ppocr"] == verdict


def test_text_beside_the_region_is_none_of_its_text(verified):
    polygon = [20, 200, 270, 200, 270, 280, 20, 280]
    result = verified({"a": plate("KL 48207")}, {"a": polygon}, kind="license_plate")
    told = result.set_index("check").loc["text_ppocr"]
    assert (told["verdict"], told["reason"]) == ("pass", "0 text(s) painted over, none remain")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"method": "membrane"}, "1 painted region(s) were filled plainly, since all candidates failed"),
        ({"seam": 2.6}, "a painted region has a visible seam"),
        ({"detail": 2.1}, "a painted region differs in detail from its surroundings"),
        ({"outline": 1.4}, "the outline of the painted-over content is visible"),
    ],
)
def test_what_is_not_good_goes_to_people_and_waits(verified, changes, reason):
    grey = encode_png(np.full((288, 288, 3), 128, np.uint8))
    result = verified({"a": grey}, {"a": POLYGON}, **changes)
    told = result.set_index("check").loc["inpainting"]
    assert (told["verdict"], told["reason"]) == ("review", reason)
    assert passing(result) == ["a"]
    assert "inpainting" not in verdicts(verified({"a": grey}, {"a": POLYGON}, seam=2.4, detail=1.9, outline=1.2), "a")


def test_words_are_compared_by_runs_of_letters():
    assert legible.letters("Ab-1 é") == "ab1é"
    assert legible.alike("abcdef", "xxabcdyy") == pytest.approx(4 / 6)
    assert legible.alike("abcdef", "axcxex") == 0


@pytest.mark.parametrize(("score", "verdict"), [(0.36, "pass"), (0.37, "review"), (0.49, "review"), (0.5, "fail")])
def test_a_doubtful_face_is_for_people_to_see(verified, monkeypatch, score, verdict):
    monkeypatch.setattr(verify.faces, "likeness", lambda *_: score)
    grey = encode_png(np.full((288, 288, 3), 128, np.uint8))
    assert verdicts(verified({"a": grey}, {"a": POLYGON}), "a")["face_sface"] == verdict


FRONT = [Person([], [corners(118, 40, 50, 60)], [corners(100, 30, 86, 236)])]


def staying(result):
    """check -> verdict and reason, of what is said of people who stay."""
    rows = result[result["check"].isin([*STAYING, "inpainting"])]
    return {row.check: (row.verdict, row.reason) for row in rows.itertuples()}


def test_a_region_over_most_of_an_annotated_person_waits_for_people(verified, bystander):
    empty = {"a": encode_png(np.full_like(bystander.pixels, 128))}
    before = {"before": {"a": encode_png(bystander.pixels)}}
    told = staying(verified(empty, {"a": POLYGON}, people=FRONT, **before))
    assert told["subject_in_region"] == (
        "review", "a painted region covers 100% of the face or body of an annotated person")  # fmt: skip
    assert told["inpainting"][1].startswith("100% of a region lies in the box of a subject whose body has no outline")
    half = [100, 30, 125, 30, 125, 265, 100, 265]
    told = staying(verified(empty, {"a": half}, people=FRONT, **before))
    assert told["subject_in_region"][0] == "pass"
    assert told["inpainting"][0] == "review"


def test_boxes_that_nobody_is_in_save_nobody(verified, bystander):
    """As boxes in shares of the picture: they cover no pixel, and the subject would be painted out as a bystander."""
    empty = {"a": encode_png(np.full_like(bystander.pixels, 128))}
    shares = [Person([], [corners(0.53, 0.29, 0.23, 0.35)], [corners(0.18, 0.24, 0.71, 0.76)])]
    found = verified(empty, {"a": POLYGON}, people=shares, before={"a": encode_png(bystander.pixels)})
    assert staying(found)["subject_in_region"] == (
        "review", "the only people who are found in the picture are in painted regions")  # fmt: skip


def test_a_face_that_people_let_a_subject_keep_is_not_painted(verified, bystander):
    """The fill leaves the face as it was: nothing of the region is left, and nobody is painted over."""
    after = np.full_like(bystander.pixels, 128)
    after[40:100, 118:168] = bystander.pixels[40:100, 118:168]
    found = verified({"a": encode_png(after)}, {"a": POLYGON}, people=FRONT, over="kept",
                     before={"a": encode_png(bystander.pixels)})  # fmt: skip
    told = verdicts(found, "a")
    assert (told["region_left"], told["region_shows"], told["face_sface"]) == ("pass", "pass", "pass")


def test_the_own_body_of_a_subject_beside_a_region_is_nobody_left_over(verified, bystander):
    """Without segments the box says whose body it is: a region over a third of it is no failure."""
    after, third = bystander.pixels.copy(), [100, 190, 185, 190, 185, 265, 100, 265]
    after[190:266, 100:186] = 128
    files, before = {"a": encode_png(after)}, {"before": {"a": encode_png(bystander.pixels)}}
    assert "fail" not in verdicts(verified(files, {"a": third}, people=FRONT, **before), "a").values()


def test_a_box_that_keeps_a_proposed_region_waits_for_people(verified, bystander):
    """A box of a face as large as the picture would hide whoever a detector found in it."""
    same = {"a": encode_png(bystander.pixels)}
    somebody = [Person([], [corners(0, 0, 288, 288)], [])]
    told = staying(verified(same, {"a": POLYGON}, people=somebody, over="asked", painted=0))
    assert told["subject_in_region"] == ("review", "an annotated person keeps 100% of a region without a decision")


@pytest.mark.parametrize(
    "box",
    [(-1e12, -1e12, 2e12, 2e12), (1e9, 1e9, 10, 10), (-50, -50, 20, 20), (280, 280, 900, 900), (0, 0, 1e-9, 1e-9)],
)
def test_boxes_of_any_size_and_place_are_taken(verified, box):
    somebody = [Person([], [corners(*box)], [corners(*box)])]
    for polygon in (POLYGON, [100, 30, 101, 30, 101, 265, 100, 265]):
        found = verified(**painted_but(), polygons={"a": polygon}, people=somebody, kind="other")
        assert set(STAYING) <= set(verdicts(found, "a"))


def test_a_piece_of_the_subject_in_a_region_waits_for_people(verified):
    before, after = noise(1), noise(2)
    after[100:150, 110:150] = before[200:250, 210:250]
    somebody = [Person([], [], [corners(200, 190, 80, 90)])]
    files = {"files": {"a": encode_png(after)}, "before": {"a": encode_png(before)}}
    told = staying(verified(**files, polygons={"a": POLYGON}, people=somebody, kind="other"))
    assert told["person_copied"] == ("review", "a painted region resembles a piece of somebody by 100%")
    elsewhere = [Person([], [], [corners(200, 10, 80, 90)])]
    told = staying(verified(**files, polygons={"a": POLYGON}, people=elsewhere, kind="other"))
    assert told["person_copied"][0] == "pass"


def noise(seed):
    return np.random.default_rng(seed).integers(60, 200, (288, 288, 3), dtype=np.uint8)


def painted_but(*kept):
    """A picture before, and after with all of POLYGON painted but for some boxes: left, top, right, bottom."""
    before, after = noise(1), noise(2)
    for left, top, right, bottom in kept:
        after[top:bottom, left:right] = before[top:bottom, left:right]
    return {"before": {"a": encode_png(before)}, "files": {"a": encode_png(after)}}


@pytest.mark.parametrize(
    ("kept", "left", "shows"),
    [
        ([], "pass", "pass"),
        ([(100, 30, 185, 49)], "pass", "fail"),
        ([(100, 30, 185, 60)], "fail", "fail"),
        ([(120, 40, 130, 50)], "pass", "fail"),
    ],
)
def test_a_region_that_is_not_all_painted_stops_the_image(verified, kept, left, shows):
    result = verified(**painted_but(*kept), polygons={"a": POLYGON}, kind="other")
    told = verdicts(result, "a")
    assert (told["region_left"], told["region_shows"]) == (left, shows)
    assert passing(result) == ([] if "fail" in (left, shows) else ["a"])


def test_an_edit_of_less_than_nine_tenths_of_its_region_stops_the_image(verified):
    area = 86 * 236
    for painted, verdict in ((0.92 * area, "pass"), (0.88 * area, "fail"), (0, "fail")):
        result = verified(**painted_but(), polygons={"a": POLYGON}, kind="other", painted=int(painted))
        assert verdicts(result, "a")["region_left"] == verdict
    told = result.set_index("check").loc["region_left"]
    assert (told["score"], told["threshold"]) == (1.0, 0.1)
    assert told["reason"] == "100% of a declared region is not painted"


def test_a_declared_region_without_an_edit_stops_the_image(verified):
    result = verified(**painted_but(), polygons={}, declared={"a": POLYGON}, kind="other")
    assert verdicts(result, "a")["region_left"] == "fail"
    assert passing(result) == []


@pytest.mark.parametrize("polygon", [[5, 5] * 3, [400, 10, 440, 10, 440, 40], [10, 10, 30, 30, 20, 20]])
def test_a_region_that_covers_nothing_stops_the_image(verified, polygon):
    result = verified(**painted_but(), polygons={"a": polygon}, kind="other")
    assert verdicts(result, "a")["region_left"] == "fail"


def test_what_people_let_a_subject_keep_need_not_be_painted(verified):
    body = [100, 30, 185, 30, 185, 265, 100, 265]
    same = painted_but((0, 0, 288, 288))
    told = verdicts(verified(**same, polygons={"a": POLYGON}, segments=[("a", body)], over="kept", painted=0), "a")
    assert "fail" not in told.values()
    told = verdicts(verified(**same, polygons={"a": POLYGON}, segments=[("a", body)]), "a")
    assert (told["region_left"], told["region_shows"]) == ("fail", "fail")
