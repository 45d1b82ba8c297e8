"""Small tables of a Rapid Test, as its page takes them."""

import numpy as np

from accord.analyse.identities.tables import (
    Assisted,
    Coverage,
    LabelAccuracy,
    LabelAgreement,
    ServiceChanges,
    ServiceCurves,
    Services,
)
from accord.analyse.tables.composition import References
from accord.engine.table import rows

RELEASE = {"version": "1.2.0"}


def curve(service, group, fnmr, low, high, queries=20, labels="estimated", attribute="pronoun", fmr=0.01, **more):
    row = {"service": service, "labels": labels, "attribute": attribute if group != "all" else "all", "group": group}
    row |= {"threshold_of": "common", "fmr": fmr, "threshold": 0.4, "reached": fmr, "fnmr": fnmr, "low": low}
    row |= {"high": high, "wilson_low": low, "wilson_high": high, "bound_low": low, "bound_high": high}
    row |= {"reached_low": fmr / 2, "reached_high": 2 * fmr, "p": 0.5 if group != "all" else np.nan}
    return row | {"queries": queries, "genuine": 900, "impostor": 3000, "note": ""} | more


CURVES = [
    curve("good", "all", 0.02, 0.01, 0.03), curve("worn", "all", 0.2, 0.15, 0.25),
    curve("good", "all", 0.03, 0.02, 0.04, labels="annotated"),
    curve("good", "she", 0.021, 0.01, 0.04), curve("good", "he", 0.019, 0.01, 0.03),
    curve("worn", "she", 0.3, 0.26, 0.34, p=0.001), curve("worn", "he", 0.1, 0.06, 0.14),
    curve("worn", "<b>few</b>", 0.9, 0.8, 1.0, queries=4, attribute="hair"),
    curve("worn", "none", np.nan, np.nan, np.nan, queries=30, note="too few pairs"),
]  # fmt: skip
COVERAGE = [
    ("all", "all", "kept", 30, 300), ("all", "all", "nobody found by worn", 10, 90),
    ("all", "all", "no face found by worn", 0, 10), ("pronoun", "she", "kept", 12, 100),
    ("pronoun", "she", "nobody found by worn", 8, 80), ("hair", "<b>few</b>", "kept", 4, 33),
]  # fmt: skip
AGREEMENT = [
    (1, 1, 240),
    (1, 0, 2),
    (1, -1, 60),
    (0, 1, 1),
    (0, 0, 57),
    (0, -1, 30),
    (-1, 1, 0),
    (-1, 0, 0),
    (-1, -1, 0),
]
PUBLISHED = [
    ("Celebrities", f"faces.{hand}.estimated_{estimated}", float(value), "Rapid Test")
    for hand, values in {"person": (1213, 2, 422), "other": (3, 338, 218), "untold": (0, 0, 0)}.items()
    for estimated, value in zip(("person", "other", "untold"), values, strict=True)
] + [("Celebrities", "excluded", 13.0, "Rapid Test"), ("FHIBE", "faces.person.estimated_person", 7.0, "other")]
SERVICES = [
    ("good", "1", 0.1, 0.8, 0.1, ""),
    ("worn", "1", 0.1, 0.7, 0.1, ""),
    ("flat", "1", None, None, None, "all its scores are equal"),
]
ACCURACY = [
    ("published", "labelled", 390, 300, 40, 0.769, 0.7, 0.83, 0.725, 0.808, ""),
    ("published", "right", 300, 297, 30, 0.99, 0.97, 0.998, 0.971, 0.997, ""),
    ("strangers", "right", 340, 333, 34, 0.979, 0.95, 0.99, 0.958, 0.99, ""),
    ("strangers", "kept", 0, 0, 0, None, None, None, None, None, "hand labels of fewer than 2 queries"),
]


def change(service, group, before, after, low, high, verdict, labels="annotated", queries=20, **more):
    row = {"service": service, "changed": "version", "before": f"{service}_2026", "after": service, "held": ""}
    row |= {"labels": labels, "attribute": "pronoun" if group != "all" else "all", "group": group, "fmr": 0.01}
    row |= {"fnmr_before": before, "fnmr_after": after, "change": after - before, "low": low, "high": high}
    return row | {"verdict": verdict, "queries": queries, "genuine": 900, "impostor": 3000, "note": ""} | more


CHANGES = [
    change("good", "all", 0.06, 0.02, -0.06, -0.02, "fell"), change("worn", "all", 0.19, 0.2, -0.02, 0.04, "open"),
    change("good", "all", 0.9, 0.02, -0.9, -0.8, "fell", labels="estimated"),
    change("worn", "she", 0.2, 0.3, 0.02, 0.18, "rose"), change("worn", "he", 0.1, 0.1, -0.1, 0.1, "open"),
    change("worn", "<b>few</b>", 0.5, 0.9, 0.1, 0.7, "rose", queries=4, attribute="hair"),
    change("worn", "none", np.nan, np.nan, np.nan, np.nan, "", note="too few pairs"),
]  # fmt: skip
NAMES = ("blunt", "good", "sharp", "worn")
# Who votes -> distances without hand labels, with 30%, and with all faces labelled.
VOTES = {NAMES: (0.08, 0.03, 0.0), NAMES[:3]: (0.05, 0.02, 0.0), NAMES[1:]: (0.09, 0.04, 0.0)}
ASSISTED = [
    (" + ".join(some), share, name, fmr, delta * (fmr / 0.01) if name != "sharp" or fmr == 0.01 else None, "")
    for some, deltas in VOTES.items()
    for share, delta in zip((0.0, 0.3, 1.0), deltas, strict=True)
    for name in some
    for fmr in (0.01, 0.001)
]
TABLES = {
    "services": rows(SERVICES, Services),
    "curves": rows(CURVES, ServiceCurves),
    "coverage": rows(COVERAGE, Coverage),
    "agreement": rows(AGREEMENT, LabelAgreement),
    "accuracy": rows(ACCURACY, LabelAccuracy),
    "assisted": rows(ASSISTED, Assisted),
    "changes": rows(CHANGES, ServiceChanges),
    "references": rows(PUBLISHED, References),
}
