import numpy as np
import pytest

from accord import bundle
from accord.decode import encode_png
from accord.findings import Findings
from accord.intake.tables import Segments
from accord.privacy import verify
from accord.privacy.tables import Edits, Pictures
from accord.table import check, rows

POLYGON = [100, 30, 185, 30, 185, 265, 100, 265]


@pytest.fixture
def verified(tmp_path):
    """Runs the step on PNG files by image id; `polygons`: what was painted, by image id."""

    def run(files, polygons, segments=()):
        with bundle.BundleWriter(tmp_path / "images.tar") as writer:
            members = {image: writer.add(f"{image}.png", data) for image, data in files.items()}
        same = {"subject": "s", "source_sha256": "0" * 64, "width": 288, "height": 288}
        pictures = rows([{"image": i, **m._asdict(), **same} for i, m in members.items()], Pictures)
        told = {"kind": "bystander", "method": "diffusion", "prompt": "", "guidance": 14.0, "seed": 1, "attempts": 1}
        told |= {"model_sha256": "0" * 64, "painted": 1, "candidates": 1, "chosen": 0, "seam": 1.0}
        edits = rows([{"image": i, "region": f"{i}-r", "polygon": p, **told} for i, p in polygons.items()], Edits)
        bodies = [
            {"image": i, "subject": "s", "segment": 0, "num": 1, "polygon": p, "annotator": "a"} for i, p in segments
        ]
        result = verify.run(pictures, edits, rows(bodies, Segments), tmp_path / "images.tar")
        check(result.findings, Findings, "findings")
        return result

    return run


def verdicts(result, image):
    theirs = result.findings[result.findings["image"] == image]
    return dict(zip(theirs["check"], theirs["verdict"], strict=True))


CHECKS = ("face_yunet", "face_blazeface", "person_blazepose")


def test_a_person_left_in_a_region_stops_the_image(verified, bystander):
    empty = np.full_like(bystander.pixels, 128)
    files = {"left": encode_png(bystander.pixels), "gone": encode_png(empty)}
    result = verified(files, {"left": POLYGON, "gone": POLYGON})
    assert verdicts(result, "left") == {"metadata": "pass", **dict.fromkeys(CHECKS, "fail")}
    assert verdicts(result, "gone") == {"metadata": "pass", **dict.fromkeys(CHECKS, "pass")}
    assert result.pictures["image"].tolist() == ["gone"]
    reasons = result.findings.set_index(["image", "check"])["reason"]
    assert reasons["left", "face_yunet"] == "a face is left in a painted region"
    assert reasons["gone", "person_blazepose"] == "finds nobody in 1 painted region(s)"


def test_a_subject_in_front_of_the_region_is_no_finding(verified, bystander):
    body = [108, 25, 180, 25, 180, 262, 108, 262]
    result = verified({"a": encode_png(bystander.pixels)}, {"a": POLYGON}, segments=[("a", body)])
    assert set(verdicts(result, "a").values()) == {"pass"}


def test_metadata_stops_the_image(verified):
    clean = encode_png(np.zeros((8, 8, 3), np.uint8))
    result = verified({"clean": clean, "told": clean + b"secret"}, {})
    assert result.pictures["image"].tolist() == ["clean"]
    told = result.findings.set_index("image").loc["told"]
    assert (told["check"], told["verdict"], told["score"]) == ("metadata", "fail", 1.0)
    assert told["reason"] == "6 bytes after IEND"


def test_an_image_without_regions_has_one_finding(verified, bystander):
    result = verified({"a": encode_png(bystander.pixels)}, {})
    assert verdicts(result, "a") == {"metadata": "pass"}
    assert result.pictures["image"].tolist() == ["a"]
