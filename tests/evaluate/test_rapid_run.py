"""A small Rapid Test with shipped models, step by step in one process: pictures in, a page out."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accord.analyse import rapid
from accord.analyse.tables.composition import References
from accord.engine import table
from accord.evaluate import (
    queries,
    service_boxes,
    service_confidences,
    service_faces,
    service_pairs,
    service_templates,
)
from accord.evaluate.tables.services import QueryCopies, Unseen
from accord.intake.tables import Attributes
from accord.models import face_services
from accord.release.tables import Terms
from accord.report import rapid as page

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
SERVICES = ("yunet_sface", "blazeface_sface_24")
PEOPLE = ("P001", "P002", "P003", "P004")
SIDE = 200
SHOWN = ("services", "curves", "coverage", "agreement", "accuracy", "changes", "assisted")
WORDS = {"title": "T", "caution": "", "min_subjects": 2}
HOW = {"rule": "published", "calibration": "across", "min_positive": 5, "ratio": 1.5, "magnitude": 4.0,
       "grouping": 0.2, "fmr": [0.1]}  # fmt: skip


@pytest.fixture(scope="module")
def pictures(photo):
    """Two photographs of each of four people, as they are, mirrored, darkened and shifted: eight pictures each. Of P004
    there are four only, which are lent to others; and one picture of P001 shows nobody."""
    made = {}
    for person in PEOPLE:
        for name in ("studio_portrait", "amateur_selfie")[: 1 if person == "P004" else 2]:
            whole = photo(person, name)[:480]
            width = whole.shape[1]
            whole = whole[:, max(0, (width - 480) // 2) :][:, :480]
            small = whole[::2, ::2]
            worn = (small, small[:, ::-1], (small * 0.6).astype(np.uint8), small[8:, 8:])
            for number, picture in enumerate(worn):
                made[f"{person}{name}{number}", person] = np.ascontiguousarray(picture)
    made["P001empty", "P001"] = np.full((SIDE, SIDE, 3), 90, np.uint8)
    return made


def test_a_release_becomes_a_page(pictures, shard_in, tmp_path):
    shard = shard_in(tmp_path)
    for (image, subject), picture in pictures.items():
        shard.picture(image, picture)
        shard.person(image, subject)
    given = shard.inputs()
    verdicts = pd.DataFrame({"image": [image for image, _ in pictures], "verdict": "pass"})
    wanted = queries.run(given["people"], verdicts, [], impostors=0.1, min_faces=8, seed=1)
    assert set(wanted["query"]) == set(PEOPLE[:-1]) and (wanted["subject"] == "P004").sum() == 3
    settings = {"models": str(ROOT / "config/models.yaml"), "weights": str(tmp_path)}
    told = {name: json.loads(spec) for name, spec in face_services.read(SERVICES, settings, SCHEMA).specs.items()}
    files = {"derivatives": given["derivatives"], "files": given["files"], "weights": tmp_path}
    terms = table.empty(Terms)
    boxes = pd.concat([service_boxes.run(wanted, terms=terms, service=one, **files).boxes for one in told.values()])
    how = {"services": list(told), "blind": [], "keep": "single", "iou": 0.4}
    faces = service_faces.run(wanted, boxes, table.empty(Unseen), **how)
    assert set(faces.loc[faces["image"] == "P001empty", "note"]) == {"no face found by " + ", ".join(sorted(SERVICES))}
    blank = table.empty(Attributes)
    pairs = service_pairs.run(faces, wanted, given["people"], blank, names=["pronoun"], seed=1)
    templates = {name: service_templates.run(faces, service=one, **files) for name, one in told.items()}
    said = [service_confidences.run(pairs, templates[name], service=one) for name, one in told.items()]
    how = {"names": ["pronoun"], "rapid": HOW, "min_faces": 6, "min_subjects": 2, "bootstraps": 100, "seed": 1}
    copies = table.empty(QueryCopies)
    found = rapid.run(wanted, faces, copies, pd.concat(said), given["people"], blank, **how)
    cells = found.agreement.set_index(["hand", "estimated"])["faces"]
    assert cells[1, 1] >= 15 and cells[1, 0] + cells[0, 1] <= 2
    (tmp_path / "release.json").write_text(json.dumps({"version": "1.0.0"}))
    tables = {name: getattr(found, name) for name in SHOWN}
    tables["references"] = table.empty(References)
    told_page = page.run(**tables, release=tmp_path / "release.json", **WORDS)
    assert re.search(r"yunet_sface|blazeface_sface_24", told_page)
    assert not any(name in told_page for name in (*PEOPLE, "selfie", "portrait"))
    # Of a search nobody knows whom a picture shows: nothing is held against the query that it was found for.
    unknown = rapid.run(wanted, faces, copies, pd.concat(said), given["people"], blank, **how, known=False)
    assert unknown.agreement.empty and unknown.assisted.empty and set(unknown.curves["labels"]) == {"estimated"}
    tables = {name: getattr(unknown, name) for name in SHOWN}
    told_page = page.run(**tables, references=table.empty(References), release=tmp_path / "release.json", **WORDS)
    assert "No face was labelled" in told_page
