"""A person who was filmed, and about whom a model of pictures and texts, and a paid service, were asked is erased:
nothing of it is left, and what was paid for all others is not paid again."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
import yaml
from filmed import add_videos
from small import make_small

from accord import shards
from accord.evaluate.asking import answer_vault
from accord.release.format import videos
from accord.release.seal import identity, versions
from house import House, rows_of

pytestmark = pytest.mark.slow

SERVICE = '''
import hashlib
from pathlib import Path

from accord.models.protocols import Answer, PaidAnswer


class Service:
    """Tells a digest of the picture; notes each call."""

    cost_per_call = 0.5

    def __init__(self, weights):
        pass

    def ask(self, picture, question):
        said = "sees " + hashlib.sha256(picture.tobytes() + question.encode()).hexdigest()
        with Path("calls.txt").open("a") as calls:
            calls.write(said + "\\n")
        return PaidAnswer(Answer(said), "service-1")

    def answer(self, pictures, questions):
        return [[self.ask(picture, text).answer for text in texts] for picture, texts in zip(pictures, questions)]
'''
MATCHER = '''
import hashlib

import numpy as np


class Matcher:
    """Vectors that depend on every pixel and every letter."""

    def __init__(self, weights):
        pass

    def embed(self, pictures):
        return [_vector(picture.tobytes()) for picture in pictures]

    def embed_texts(self, texts):
        return [_vector(text.encode()) for text in texts]

    def seen(self, height, width):
        return 0.0, 0.0, float(width), float(height)


def _vector(data):
    return np.frombuffer(hashlib.sha256(data).digest(), np.uint8).astype(float) + 1
'''
USUAL = {"weights": {}, "licence": "mine", "source": "written for this test"}
MODELS = {
    "service": {"task": "visual_question", "adapter": "config/service.py:Service", **USUAL},
    "matcher": {"task": "image_text", "adapter": "config/matcher.py:Matcher", **USUAL},
}
TARGETS = ("results/release/release.json", "results/analyse/probed.parquet", "results/evaluate/00/service.parquet",
           "results/evaluate/01/service.parquet")  # fmt: skip
VAULT = Path("vault") / answer_vault.NAME
JUDGED = "results/release/videos/verdicts.parquet"


class Forgotten(NamedTuple):
    """A house from which somebody was erased. theirs, others: what the service had said about their images and about
    all others; vector: of one of their images, as it lies in files; calls: all, before and after; films: theirs as
    delivered, and the first version's, theirs first; audits: of that version, and of the row of their video."""

    house: House
    ids: frozenset[str]
    theirs: frozenset[str]
    others: frozenset[str]
    vectors: list[bytes]
    scan: dict
    calls: tuple[list[str], list[str]]
    films: list[bytes]
    audits: list[dict]


@pytest.fixture(scope="module")
def forgotten(tmp_path_factory):
    house = make_small(
        tmp_path_factory.mktemp("forgotten") / "house", subjects=3, shards=2, report={"caution": ""},
        release={"reserve": 0.0}, checks={"sample": {"subjects": 2, "images": 2}},
        evaluate={"run": list(MODELS), "external": {"parallel": 2}},
        privacy={"videos": {"smallest_face": 0.1}, "policies": {"videos": "pass"}},
    )  # fmt: skip
    folder = house.folder
    shown = add_videos(folder / "delivery", 2)
    (folder / "config/service.py").write_text(SERVICE)
    (folder / "config/matcher.py").write_text(MATCHER)
    models = folder / "config/models.yaml"
    models.write_text(models.read_text() + "\n" + yaml.safe_dump(MODELS))
    house.run(*TARGETS)
    before = (folder / "calls.txt").read_text().split("\n")
    vendor, reference, ids = chosen(house, shown)
    [name] = [name for name, subject in shown.items() if subject == reference]
    filmed = [folder / f"delivery/videos/{name}.mp4", *published(house, "1.0.0", ids)]
    films = [path.read_bytes() for path in filmed]
    [video] = ids.intersection(pd.read_parquet(folder / JUDGED)["image"])
    config = ["--config", *house.command()[-3:]]
    asked = [["releases/1.0.0"], [JUDGED, "--row", f"image={video}"]]
    audits = [json.loads(house.accord("audit", *words, "--json", *config).stdout) for words in asked]
    said = answers(house)
    mine = said["image"].isin(ids)
    seen = pd.concat(pd.read_parquet(path) for path in sorted(folder.glob("results/evaluate/0?/matcher.parquet")))
    vectors = [vector.tobytes() for vector in seen.loc[seen["image"].isin(ids), "vector"]]
    theirs, others = (frozenset(said.loc[rows, "text"]) - {""} for rows in (mine, ~mine))
    assert house.accord("consent", "withdraw", "--vendor", vendor, "--subject", reference).returncode == 0
    who = ["--vendor", vendor, "--subject", reference]
    house.accord("scan", *who, "--keep-dossier", "vault/kept.npz")
    (folder / "vault/kept.npz").rename(folder.with_name("kept.npz"))  # or the erasure's own scan finds it
    rebuild = " ".join(house.command(*TARGETS))
    done = house.accord("erase", "run", *config, "--rebuild-command", rebuild)
    assert done.returncode == 0, done.stdout + done.stderr
    where = ["vault", "logs", ".snakemake", "results", "delivery", "releases"]
    scan = house.accord("scan", *who, "--dossier", "../kept.npz", "--in", *where, "--json")
    assert scan.returncode == 0, scan.stdout + scan.stderr
    after = (folder / "calls.txt").read_text().split("\n")
    calls = (before, after)
    return Forgotten(house, ids, theirs, others, vectors, json.loads(scan.stdout), calls, films, audits)


def published(house: House, version: str, ids: frozenset[str]) -> list[Path]:
    """The videos of a version, those of images with these internal ids first."""
    made = identity.ids(versions.private(house.folder / "vault", version))
    theirs = {made.image(one) for one in ids}
    return sorted((house.folder / "releases" / version).rglob("*.mp4"), key=lambda path: path.stem not in theirs)


def chosen(house: House, filmed: dict[str, str]) -> tuple[str, str, frozenset[str]]:
    """Vendor and reference of a person with published pictures and a video, and the opaque ids of person, pictures and
    video."""
    said = yaml.safe_load((house.folder / "delivery/delivery.yaml").read_text())
    verdicts = pd.read_parquet(house.folder / "results/release/verdicts.parquet").set_index("image")["verdict"]
    people = rows_of(house.folder / "delivery/people.csv")
    for reference in sorted(set(filmed.values())):
        names = [row["image"] for row in people if row["subject"] == reference]
        images = {shards.opaque_id(said["vendor"], said["delivery"], name) for name in names}
        if any(verdicts.get(image) == "pass" for image in images):
            return said["vendor"], reference, frozenset({*images, shards.opaque_id(said["vendor"], reference)})
    raise AssertionError("no picture was published")


def answers(house: House) -> pd.DataFrame:
    files = sorted(house.folder.glob("results/evaluate/0?/service.parquet"))
    return pd.concat([pd.read_parquet(path) for path in files])


def test_the_first_version_held_their_video_and_was_what_it_said(forgotten):
    assert len(set(forgotten.films)) == 3 and all(b"ftyp" in film for film in forgotten.films)
    failed = [
        (one["name"], one["what"]) for told in forgotten.audits for one in told["checks"] if one["verdict"] == "fail"
    ]
    assert failed == []
    [delivered] = [one for one in forgotten.audits[1]["checks"] if one["name"] == "delivery"]
    assert "the delivery has this file" in delivered["what"]


def test_the_next_version_has_the_video_of_the_other_person_alone(forgotten):
    house, (*_, other) = forgotten.house, forgotten.films
    left = published(house, "2.0.0", forgotten.ids)
    assert [path.read_bytes() for path in left] == [other]
    assert [path.read_bytes() for path in published(house, "1.0.0", forgotten.ids)] == [other]
    assert pd.read_csv(house.folder / "releases/2.0.0" / videos.TABLE)["people_painted"].tolist() == [True]
    for version in ("1.0.0", "2.0.0"):
        done = house.accord("release", "verify", f"releases/{version}")
        assert done.returncode == 0, done.stdout + done.stderr


def test_they_were_asked_about(forgotten):
    assert forgotten.theirs and forgotten.others and forgotten.vectors
    assert forgotten.theirs <= set(forgotten.calls[0])


def test_no_byte_of_an_answer_a_vector_or_a_video_of_theirs_is_left(forgotten):
    frames = [film[len(film) // 2 :][:64] for film in forgotten.films[:2]]
    gone = [*(text.encode() for text in forgotten.theirs | forgotten.ids), *forgotten.vectors, *frames]
    folders = ("results", "vault", "logs", ".snakemake", "releases", "delivery")
    files = [path for name in folders for path in (forgotten.house.folder / name).rglob("*") if path.is_file()]
    assert forgotten.house.folder / VAULT in files
    assert [str(path) for path in files if any(one in path.read_bytes() for one in gone)] == []


def test_no_table_names_them(forgotten):
    results = forgotten.house.folder / "results"
    for name in ("evaluate/*/service", "evaluate/*/matcher", "evaluate/*/*.asked", "analyse/probed"):
        files = list(results.glob(f"{name}.parquet"))
        assert files
        for path in files:
            rows = pd.read_parquet(path)
            named = set(rows["image"]) | set(rows.get("subject", ()))
            assert not named & forgotten.ids, path


def test_a_scan_with_a_dossier_of_before_finds_nothing(forgotten):
    assert forgotten.scan["findings"] == []


def test_what_was_said_of_all_others_is_replayed_and_not_paid_again(forgotten):
    before, after = forgotten.calls
    assert after == before
    assert frozenset(answers(forgotten.house)["text"]) - {""} == forgotten.others
