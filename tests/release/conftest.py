"""Small shards as privacy, intake and consent hand them to release: a few tiny pictures of drawn people."""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from accord.checks.tables.findings import Verdicts, VideoWaterfall
from accord.consent.tables import Findings, Permits
from accord.engine import provenance, table
from accord.engine.parameter_types import Former, Kept
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.intake.tables import Annotators, Attributes, Checked, Keypoints, People, Segments
from accord.privacy.tables import Conversions, Edits, Pictures, PublicImages
from accord.release import derive, gates, pack, plan, publish, select, waterfall
from accord.release.disclosure.video_gatekeepers import GATES as VIDEO_GATES
from accord.release.making.shard_tables import MODELS
from accord.release.making.views import Rendered
from accord.release.tables import Gates, Keys, Packed
from accord.release.video_tables import PublicVideos

sys.path.insert(0, str(Path(__file__).parent))

LONGEST, ALIGNED, WARPED = 96, 32, 128
SETTINGS = {"dataset": "tiny", "longest_side": LONGEST, "aligned_size": ALIGNED, "warped_size": WARPED, "archive": None}
SETTINGS |= {"publish": "when_reviewed", "purpose": "", "creator": "", "terms": None}
SETTINGS |= {"quasi_identifiers": ["pronoun", "age_group"], "min_k": 0, "reserve": 0.0}
SIZES = {"large": (200, 120), "small": (80, 60)}
FACE = np.array([0.30, 0.20, 0.2, 0.35])
POINTS = {0: (0.40, 0.40), 2: (0.36, 0.33), 5: (0.44, 0.34), 9: (0.37, 0.46), 10: (0.43, 0.47), 11: (0.30, 0.70)}
POLYGONS = {
    0: (0.32, 0.22, 0.48, 0.22, 0.48, 0.53, 0.32, 0.53),
    6: (0.31, 0.20, 0.49, 0.20, 0.49, 0.26, 0.31, 0.26),
    9: (0.43, 0.32, 0.46, 0.32, 0.46, 0.35),
    20: (0.25, 0.55, 0.55, 0.55, 0.55, 0.95, 0.25, 0.95),
}
SAID = {
    "pronoun": ["1. He/him/his", "2. They/them/their"],
    "ancestry": ["13. Eastern Asia"],
    "natural_skin_color": ["2. [164, 131, 103]"],
    "apparent_skin_color": ["3. [175, 148, 120]"],
    "hairstyle": ["2. Short"],
    "head_pose": ["0. Typical"],
    "height": ["181"],
    "pregnancy": ["yes"],
}
SCENE = {"scene": ["12. Indoor: Home or hotel"], "lighting": ["0. Lighting from above the head/face"]}
ANNOTATOR, WITHDRAWN, CHECKER = "annotator-a", "annotator-b", "annotator-c"


TABLES = {"pictures": Pictures, "people": People, "attributes": Attributes, "keypoints": Keypoints}
TABLES |= {"segments": Segments, "permits": Permits, "public": PublicImages, "checked": Checked}


class Shard(NamedTuple):
    """What a shard of `derive` is given."""

    bundle: Path
    tables: dict[str, pd.DataFrame]

    def derive(self, files: Path) -> derive.Derived:
        sides = {"longest_side": LONGEST, "aligned_size": ALIGNED, "warped_size": WARPED}
        made = derive.run(self.bundle, **self.tables, files=files, former=Former(), **sides)
        return derive.Derived(*(one.rows if isinstance(one, Kept) else one for one in made))


class Person(NamedTuple):
    """Somebody in a picture: where their left upper corner lies (share of the picture), and what they permit."""

    subject: str
    shift: float = 0.0
    scopes: tuple[str, ...] = ("publish_image", "publish_attr:*", "aggregate_attr:*")
    age: int = 31


def picture(name: str, size: tuple[int, int]) -> np.ndarray:
    """A smooth picture (height, width, 3) that depends on its name."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    phase = sum(name.encode()) % 7
    waves = [np.sin(x / 9 + phase), np.cos(y / 7 - phase), np.sin((x + y) / 11 + 2 * phase)]
    return np.stack([127 + 120 * wave for wave in waves], axis=2).astype(np.uint8)


def make_shard(folder: Path, images: dict[str, tuple[str, list[Person]]]) -> Shard:
    """A shard of images: name -> (size's name, people; the first is the primary one)."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list] = {name: [] for name in ("pictures", "people", "attributes", "keypoints", "segments")}
    rows |= {"permits": [], "public": [], "checked": []}
    with BundleWriter(folder / "images.tar") as writer:
        for image, (size, people) in images.items():
            width, height = SIZES[size]
            member = writer.add(f"{image}.png", encode_png(picture(image, (width, height))))
            rows["pictures"].append((image, people[0].subject, *member, "0" * 64, width, height))
            rows["public"].append(_public(image, people[0].subject))
            rows["attributes"] += [(image, "", n, v, ANNOTATOR) for n, values in SCENE.items() for v in values]
            rows["checked"] += [(image, "", n, by) for n in SCENE for by in (CHECKER, WITHDRAWN)]
            for person in people:
                _add_person(rows, image, person, people[0], np.array([width, height]))
    return Shard(folder / "images.tar", {name: table.rows(rows[name], model) for name, model in TABLES.items()})


def _public(image: str, subject: str) -> tuple:
    camera = (2.8, 4.25, 100.0, float("nan"), "Maker", "Model, 1")
    return (image, subject, *camera, "France", 250, 'the "south"', "May-2023", "18:00-23:59")


def _add_person(rows: dict, image: str, person: Person, primary: Person, size: np.ndarray) -> None:
    move = np.array([person.shift, 0.0])
    face = np.concatenate([(FACE[:2] + move) * size, FACE[2:] * size])
    key = (image, person.subject)
    rows["people"].append((*key, person is primary, person.age, *face, 1.0, 1.0, 5.0, 5.0, ANNOTATOR))
    annotated = ("apparent_skin_color", "head_pose")
    rows["attributes"] += [(*key, n, v, WITHDRAWN if n in annotated else "") for n, vs in SAID.items() for v in vs]
    rows["checked"] += [(*key, n, CHECKER) for n in ("apparent_skin_color", "height")]
    rows["keypoints"] += [(*key, n, *((np.array(p) + move) * size), n != 11, ANNOTATOR) for n, p in POINTS.items()]
    rows["segments"] += [
        (*key, n, 1, ((np.reshape(p, (-1, 2)) + move) * size).ravel(), WITHDRAWN) for n, p in POLYGONS.items()
    ]
    rows["permits"] += [(*key, scope) for scope in person.scopes]


IMAGES = {
    "img-1": ("large", [Person("sub-1"), Person("sub-2", 0.45)]),
    "img-2": ("small", [Person("sub-1")]),
    "img-3": ("large", [Person("sub-3", 0.5, ("publish_image", "publish_attr:pronoun"))]),
}


@pytest.fixture
def shard(tmp_path) -> Shard:
    return make_shard(tmp_path / "in", IMAGES)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(files.tar, Derived) of the shard above."""
    folder = tmp_path_factory.mktemp("made")
    files = folder / "files.tar"
    return files, make_shard(folder / "in", IMAGES).derive(files)


CORNER = (0.0, 0, 1, 0, 1, 1)


def edit(image: str, polygon: tuple[float, ...], method: str = "diffusion", painted: int = 4) -> tuple:
    """A row of Edits: a region of an image (px of the original) that was painted over."""
    return image, f"{image}-r1", "card", list(polygon), method, "p", 13.0, 1, 1, 3, 0, 1.0, 1.0, 0.0, "0" * 64, painted


MADE: dict[str, tuple] = {}


def once(step: Callable[..., tuple], *given: object, **more: object) -> tuple:
    """The tables of a step that is a pure function of tables and of shards: made once for all tests."""
    key = repr([step.__module__, [_content(one) for one in given], more])
    if key not in MADE:
        MADE[key] = step(*given, **more)
    return tuple(made.copy() for made in MADE[key])


def _content(one: object) -> object:
    return (list(one.columns), one.to_numpy().tolist()) if isinstance(one, pd.DataFrame) else one


class Video(NamedTuple):
    """A painted video: who is in it, the first of them primary; its file; whether somebody was painted over."""

    subjects: tuple[str, ...]
    data: bytes
    painted: bool = False


class House:
    """Releases, vault and shards of one project, published again and again."""

    def __init__(self, folder: Path, shards: Path):
        self.folder, self._shards = folder, shards
        self.releases, self.vault = folder / "releases", folder / "vault"
        self.settings = SETTINGS
        self.terms: list[Path] = []
        self.rendered: tuple[str, ...] = ()
        self.lineage: list[Path] = []
        self.edits = [edit("img-1", CORNER)]
        self.videos: dict[str, Video] = {}
        self.conversions = [("img-1", "icc_to_srgb"), ("img-2", "icc_to_srgb"), ("img-2", "alpha_over_white")]

    def publish(
        self, images: dict = IMAGES, shards: int = 2, failing: tuple = (), withdrawn: tuple = (), waiting: tuple = (),
        **requests: object,
    ) -> dict:  # fmt: skip
        """Publish images, dealt out to shards; some fail a check, of some somebody withdrew, some wait for a review.
        requests: what publication is told of those that the run obeys."""
        given = [self._shard(dict(list(images.items())[n::shards])) for n in range(shards)]
        tables = {name: [folder / f"{name}.parquet" for folder in given] for name in MODELS}
        rows = [_verdict(i, people[0].subject, failing, withdrawn, waiting) for i, (_, people) in images.items()]
        verdicts, account, keys = self.select(table.rows(rows, Verdicts), tables)
        held, classes = once(gates.run, verdicts, *self.consent(given), **tables, **self.of_gates())
        edits, conversions = table.rows(self.edits, Edits), table.rows(self.conversions, Conversions)
        where = {"releases": self.releases, "vault": self.vault}
        told = {"conversions": conversions, "settings": self.settings, "terms": self.terms, **where}
        videos, passed = self.of_videos(shards)
        bundles, filmed = videos.pop("video_files"), videos.pop("video_waterfall")
        held = pd.concat([held, passed], ignore_index=True)
        told |= {"video_waterfall": filmed}
        given_of = {"annotators": self._annotators(), "delivered": self._delivered()}
        asked = verdicts[verdicts["verdict"] == "review"]
        planned = plan.run(verdicts, asked, account, held, classes, edits, **given_of, **told, **tables, **videos)
        places = self._planned(planned)
        packed = []
        for number, folder in enumerate(given):
            each = {name: videos[name][number : number + 1] for name in ("public_videos", "video_people")}
            each |= {"video_verdicts": videos["video_verdicts"], "video_files": bundles[number : number + 1]}
            packed.append(self._packed(number, folder, verdicts=verdicts, edits=edits, **places, **each))
        table.write(keys, Keys, self.folder / "keys.parquet")
        return publish.run(
            **places | {name: getattr(planned, name) for name in ("images", "cells", "annotators")},
            waterfall=account,
            selected=self.folder / "keys.parquet",
            classes=classes,
            edits=edits,
            packed=packed,
            parts=[path.with_suffix(".tar") for path in packed],
            **told,
            **requests,
        )

    def _delivered(self) -> list[Path]:
        table.write(
            table.rows([(image, True) for image in self.rendered], Rendered), Rendered, self.folder / "i.parquet"
        )
        return [self.folder / "i.parquet"]

    def _annotators(self) -> list[Path]:
        who = [(ANNOTATOR, "v", "annotator", "1. He/him/his", "[30, 40)", "", "France", True)]
        who += [(WITHDRAWN, "v", "qa", "", "", "", "", False), ("idle", "v", "qa", "", "", "", "", True)]
        table.write(table.rows(who, Annotators), Annotators, self.folder / "annotators.parquet")
        return [self.folder / "annotators.parquet"]

    def _planned(self, planned: plan.Plan) -> dict[str, Path]:
        """Where the plan lies, with what it was made from."""
        read = {provenance.portable(path): provenance.sha256(path) for path in self.lineage if path.exists()}
        place = self.folder / "plan.json"
        place.write_text(json.dumps(planned.plan | {"provenance": {"inputs": read}}))
        return {"plan": place}

    def _packed(self, number: int, shard: Path, **given: object) -> Path:
        """The table of what a shard packed; its parts lie beside it."""
        place = self.folder / f"packed-{number}.parquet"
        tables = {name: shard / f"{name}.parquet" for name in MODELS}
        where = {"releases": self.releases, "vault": self.vault, "parts": place.with_suffix(".tar")}
        made = pack.run(files=shard / "files.tar", **tables, **given, **where)
        table.write(made.packed, Packed, place, provenance.with_outputs({}, {"parts": where["parts"]}))
        return place

    def of_videos(self, shards: int = 2) -> tuple[dict, pd.DataFrame]:
        """What a release is given of videos, by shard, and the gates; nothing where there are none."""
        names = ("video_files", "public_videos", "video_people")
        given: dict = {name: [] for name in names}
        for number in range(shards if self.videos else 0):
            here = dict(list(self.videos.items())[number::shards])
            folder = self.folder / f"videos{number}"
            folder.mkdir(exist_ok=True)
            rows, people = [], []
            with BundleWriter(folder / "videos.tar") as writer:
                for name, (subjects, data, painted) in here.items():
                    member = writer.add(f"{name}.mp4", data)
                    rows.append((name, subjects[0], *member, "0" * 64, 64, 48, 24, 2.5, painted))
                    people += [(name, one, one == subjects[0], 31, *[float("nan")] * 8, "") for one in subjects]
            paths = [folder / file for file in ("videos.tar", "videos.parquet", "people.parquet")]
            table.write(table.rows(rows, PublicVideos), PublicVideos, paths[1])
            table.write(table.rows(people, People), People, paths[2])
            for name, path in zip(names, paths, strict=True):
                given[name].append(path)
        passing = [(name, of.subjects[0], "pass", "", "", "") for name, of in self.videos.items()]
        steps = [(0, "release", "released", "Released", len(passing), len(passing), 0, 1)] if passing else []
        given["video_verdicts"] = table.rows(passing, Verdicts)
        given["video_waterfall"] = table.rows(steps, VideoWaterfall)
        passed = [(gate, 0.0, 0.0, "pass", "", 1, 1) for gate in VIDEO_GATES if passing]
        return given, table.rows(passed, Gates)

    def select(self, verdicts: pd.DataFrame, tables: dict[str, list[Path]]) -> tuple:
        """The final verdicts, their waterfall, and the key attributes."""
        derivatives, people, attributes = (
            table.read(tables[name], MODELS[name]) for name in ("derivatives", "people", "attributes")
        )
        judged = verdicts, table.empty(Findings), derivatives
        keys = select.run(*judged, people, attributes, vault=self.vault, reserve=self.settings["reserve"])
        return *once(waterfall.run, *judged, keys), keys

    def of_gates(self) -> dict:
        return {name: self.settings[name] for name in ("quasi_identifiers", "min_k")}

    def consent(self, given: list[Path]) -> list[list[Path]]:
        """What the gates look at besides release's own tables: who is depicted, permits, findings."""
        return [[folder / f"{name}.parquet" for folder in given] for name in ("depicted", "permits", "findings")]

    def _shard(self, images: dict) -> Path:
        """The folder of a shard's derived tables; made once for all tests."""
        folder = self._shards / hashlib.sha256(repr(images).encode()).hexdigest()
        if not folder.exists():
            shard = make_shard(folder, images)
            derived = shard.derive(folder / "files.tar")
            for field, model in MODELS.items():
                table.write(getattr(derived, field), model, folder / f"{field}.parquet")
            table.write(shard.tables["people"], People, folder / "depicted.parquet")
            table.write(shard.tables["permits"], Permits, folder / "permits.parquet")
            looked = [(image, "consent.scope", 0.0, 0.0, "pass", "") for image in images]
            table.write(table.rows(looked, Findings), Findings, folder / "findings.parquet")
        return folder

    def bytes_of(self, version: str) -> dict[str, bytes]:
        root = self.releases / version
        return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def _verdict(
    image: str, subject: str, failing: tuple[str, ...], withdrawn: tuple[str, ...], waiting: tuple[str, ...]
) -> tuple:
    if image in waiting:
        return image, subject, "review", "checks", "web_match", "is it on the web?"
    if image in withdrawn:
        return image, subject, "fail", "consent", "consent.form_missing", "no form"
    if image in failing:
        return image, subject, "fail", "checks", "duplicate_exact", "same as another"
    return image, subject, "pass", "", "", ""


@pytest.fixture(scope="session")
def shards(tmp_path_factory) -> Path:
    """Where all houses keep their shards."""
    return tmp_path_factory.mktemp("shards")


@pytest.fixture
def house(tmp_path, shards) -> House:
    return House(tmp_path, shards)


@pytest.fixture(scope="session")
def tiny():
    """All of the above, by name."""
    return sys.modules[__name__]
