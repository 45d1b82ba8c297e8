"""The ground truth of a demo delivery: what was planted, and what should come of it. The pipeline never reads it."""

from dataclasses import asdict

from accord.vocabularies import ANCESTRY_REGIONS
from accord_demo.cohort import BIASED_GROUP
from accord_demo.draft import Defect, Draft
from accord_demo.vendors import DELIVERY, VENDOR, WITHDREW


def truth(draft: Draft, regions: list[dict]) -> dict:
    """What ground_truth.json holds; regions: image, region and kind of everything that must be painted out."""
    return {
        "made_with": asdict(draft.settings),
        "vendor": VENDOR,
        "delivery": DELIVERY,
        "clean": [picture.reference for picture in draft.clean()],
        "defects": [_defect(defect) for defect in draft.defects],
        "bias": _bias(draft),
        "regions": regions,
        "later_withdrawals": sorted(draft.later_withdrawals),
        "withdrawn_annotators": [WITHDREW] if draft.settings.defects else [],
    }


def _defect(defect: Defect) -> dict:
    return {
        "id": defect.id,
        "kind": defect.kind,
        "images": list(defect.images),
        "subjects": list(defect.subjects),
        "expect": {
            "stopped": list(defect.stopped),
            "either": list(defect.either),
            "room": defect.room,
            "check": defect.check,
        },
        "note": defect.note,
    }


def _bias(draft: Draft) -> dict | None:
    """The biased group: no other subject is of its region, so that region and subregion are the same people."""
    if not draft.settings.bias:
        return None
    group = [subject.reference for subject in draft.subjects.values() if subject.biased]
    images = [picture for picture in draft.pictures.values() if picture.subject in set(group)]
    frame = images[0].frame
    return {
        "attribute": "ancestry",
        "group": next(region for region, parts in ANCESTRY_REGIONS.items() if BIASED_GROUP in parts),
        "subregion": BIASED_GROUP,
        "subjects": group,
        "images": [picture.reference for picture in images],
        "effect": {"exposure_ev": frame.exposure, "blur_px": frame.blur, "distance": frame.distance},
    }
