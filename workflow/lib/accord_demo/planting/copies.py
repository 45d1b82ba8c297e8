"""Copies: exact and near duplicates, of the same subject and of another; and copies that are broken or are no JPEG."""

from datetime import timedelta
from typing import Any

from accord_demo.cohort import Subject
from accord_demo.draft import Draft
from accord_demo.picture import Copy, Picture

DUPLICATES = (
    ("duplicate_exact", "identical", "duplicate_exact", False),
    ("duplicate_exact", "identical", "intake.copy", True),
    ("duplicate_near", "re_encoded", "duplicate_near", False),
    ("duplicate_near", "resized", "duplicate_near", False),
    ("duplicate_near", "cropped_1", "duplicate_near", False),
    ("duplicate_near", "re_encoded", "duplicate_near", True),
    ("duplicate_near", "resized", "duplicate_near", True),
    ("duplicate_near", "cropped_1", "duplicate_near", True),
)
BROKEN = (
    ("truncated", "truncated", "decode"),
    ("truncated", "truncated", "decode"),
    ("corrupt", "corrupt", "decode"),
    ("header_broken", "header_broken", "intake.header"),
    ("extension_wrong", "png", "intake.extension"),
    ("no_image", "text", "intake.header"),
    ("decompression_bomb", "bomb", "intake.pixels"),
)
BEYOND_PDQ = "a crop of 5% is beyond the radius of PDQ: expected to be missed by it, so both images may pass"
APART = timedelta(days=2)


def plant(draft: Draft) -> None:
    """Add copies of clean pictures. A copy never has more pixels than its original, and a later reference."""
    pool = [p for p in draft.clean(free=True) if p.frame.framing != "full" and not _drawn_on(p)]
    chosen = [pool[i] for i in draft.rng.permutation(len(pool))]
    for i, (kind, how, check, across) in enumerate(DUPLICATES):
        original = chosen[i % len(chosen)]
        copy = _copy(draft, original, how, across)
        stopped = [original, copy] if check == "intake.copy" else [copy]
        draft.plant(kind, [original, copy], stopped, check, f"{how}, {'another' if across else 'the same'} subject")
    original = chosen[len(DUPLICATES) % len(chosen)]
    copy = _copy(draft, original, "cropped_5", across=False)
    draft.plant("duplicate_cropped_5", [original, copy], (), "duplicate_near", BEYOND_PDQ, either=[copy])
    for i, (kind, how, check) in enumerate(BROKEN, len(DUPLICATES) + 1):
        copy = _copy(draft, chosen[i % len(chosen)], how, across=False)
        draft.plant(kind, [copy], [copy], check, how)


def _drawn_on(picture: Picture) -> bool:
    return bool(picture.frame.bystanders or picture.frame.objects)


def _copy(draft: Draft, original: Picture, how: str, across: bool) -> Picture:
    """The same picture again, of the same subject or said to be of another."""
    subject = _other(draft, original) if across else draft.subjects[original.subject]
    said: dict[str, Any] = {"copy": Copy(original.reference, how), "orientation": original.orientation}
    if how == "identical":
        said |= {"taken": original.taken, "device": original.device, "place": original.place}
    return draft.add_picture(subject, original.frame, **said)


def _other(draft: Draft, original: Picture) -> Subject:
    """Another of the cohort: neither biased nor planted, and without a picture of their own from those days."""
    near = {p.subject for p in draft.pictures.values() if abs(p.taken - original.taken) < APART}
    cohort = list(draft.subjects.values())[: draft.settings.subjects]
    others = [s for s in cohort if not s.biased and s.reference not in near]
    return others[int(draft.rng.integers(len(others)))]
