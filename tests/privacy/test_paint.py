"""One job paints, proves and settles a shard; what it made the last time and would make again is taken over."""

import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painting_cases import IMAGE, SETTINGS, image_row, person_row, run_paint
from PIL import Image

from accord.checks.tables.findings import Regions
from accord.engine import kept, step, table
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.intake.tables import Attributes, Images, People, Segments
from accord.privacy import paint
from accord.privacy.painting import copies, painters, rebuilt, repaint
from accord.privacy.proof import verify
from accord.privacy.tables import Decisions

PROMPTS = Path(__file__).parents[2] / "config" / "demo-prompts.yaml"
TABLES = ("decisions", "painted", "edits", "conversions", "pictures", "findings", "review_items", "settled", "public")
SIDE = 24
SQUARES = ([2.0, 2.0, 9.0, 2.0, 9.0, 9.0, 2.0, 9.0], [12.0, 12.0, 20.0, 12.0, 20.0, 20.0, 12.0, 20.0])
BODY = [6.0, 6.0, 15.0, 6.0, 15.0, 15.0, 6.0, 15.0]
TABLES_IN = {"images": Images, "attributes": Attributes, "people": People, "segments": Segments, "regions": Regions}
DONE: Counter = Counter()
"""What was decoded, painted and proven: (what, image or seed) -> how often."""


class Fake:
    """A painter whose fills depend on all that it is told, and on who shares its call where `batch` is more than 1."""

    sha256, side, method, guided = "f" * 64, 16, "diffusion", True

    def __init__(self, batch: int = 1):
        self.batch = batch

    def paint_all(self, jobs):
        told = [[job.crop.tobytes().hex(), job.unknown.tobytes().hex(), repr(job.request)] for job in jobs]
        for job in jobs:
            DONE["painted", job.request.seed] += 1
        shared = [kept.digest(told if self.batch > 1 else one) for one in told]
        return [np.random.default_rng(int(n, 16)).integers(0, 255, (*j.unknown.shape, 3), np.uint8)
                for n, j in zip(shared, jobs, strict=True)]  # fmt: skip


class One(NamedTuple):
    """An image of a world: which picture it is, how many regions it has, a subject's segment, an answer of people."""

    picture: int = 0
    regions: int = 0
    body: bool = False
    box: bool = False
    upheld: bool = False


class World(NamedTuple):
    """The images of a shard, and how they are painted and proven."""

    images: dict[str, One]
    steps: int = 2
    max_seam: float = 2.5
    code: str = ""
    turned: bool = False


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    """No model, and a proof that tells its input."""
    fake(monkeypatch)


def fake(patch):
    real = rebuilt.read

    def read(data):
        DONE["decoded", bytes(data)] += 1
        return real(data)

    def findings(image, data, before, edits, limits):
        DONE["proven", image] += 1
        regions = [] if before is None else [[*map(float, row.polygon)] for row in before.regions]
        seen = [] if before is None else [before.pixels, repr(before.people)]
        score = int(kept.digest(decode(data), seen, regions, [edit["seed"] for edit in edits], list(limits)), 16) % 97
        return [{"image": image, "check": "metadata", "score": score, "threshold": 90, "reason": "x",
                 "verdict": "fail" if score > 90 else "pass"}]  # fmt: skip

    DONE.clear()
    patch.setattr(painters, "load", lambda *_: Fake())
    patch.setattr(rebuilt, "read", read)
    patch.setattr(verify, "findings", findings)
    patch.setattr("accord.models.detectors.left_over", lambda *_: [])


def deliver(world: World, folder: Path) -> dict:
    """The tables of a world, and its bundle, as the step is given them."""
    names = list(world.images)
    names = names[::-1] if world.turned else names
    made: dict[str, list] = {name: [] for name in TABLES_IN}
    with bundle.BundleWriter(folder / "originals.tar") as writer:
        for name in names:
            one = world.images[name]
            pixels = np.random.default_rng(one.picture).integers(0, 255, (SIDE, SIDE, 3), np.uint8)
            buffer = io.BytesIO()
            Image.fromarray(pixels).save(buffer, "PNG")
            row = image_row(pixels, writer.add(f"{name}.png", buffer.getvalue()), media="PNG")
            made["images"].append({**row, "image": name, "subject": f"s-{name}"})
            scene = "12. Indoor: Home or hotel" if one.picture % 2 else "4. Outdoor: Transportation"
            made["attributes"].append((name, "", "scene", scene, ""))
            made["people"] += [person_row(name, f"s-{name}", [6, 6, 9, 9])] if one.box else []
            made["segments"] += [(name, f"s-{name}", 0, 1, BODY, "a")] if one.body else []
            for number in range(one.regions):
                made["regions"].append((name, f"{name}-{number}", "screen", SQUARES[number], "a", "kept"))
    tables = {name: table.rows(made[name], model) for name, model in TABLES_IN.items()}
    return {**tables, "bundle": folder / "originals.tar", "prompts": PROMPTS}


def decided(world: World) -> pd.DataFrame:
    """People want the first region of some images painted again."""
    rows = []
    for name, one in world.images.items():
        if one.upheld and one.regions:
            item = repaint.item_of(name, f"{name}-0", SQUARES[0], "embedded")
            rows.append((item, 0, "inpainting", name, f"{name}-0", "uphold", "screen", [], "e" * 64))
    return table.rows(rows, Decisions)


def run(patch, world: World, out: Path) -> dict[str, bytes]:
    """Run the step from the shell's side; returns its outputs."""
    folder = out.with_name("given")
    folder.mkdir(exist_ok=True)
    flags = []
    for name, value in deliver(world, folder).items():
        if isinstance(value, pd.DataFrame):
            table.write(value, TABLES_IN[name], folder / f"{name}.parquet")
            value = folder / f"{name}.parquet"
        flags += [f"--{name}", str(value)]
    told = {**SETTINGS, "steps": world.steps, "max_seam": world.max_seam, "vault": out.with_name("no vault")}
    for name, value in told.items():
        text = json.dumps(value) if isinstance(value, list | dict) else str(value)
        flags += [f"--{name.replace('_', '-')}", text]
    flags += ["--files", str(out / "images.tar")]
    for name in TABLES:
        flags += [f"--out-{name.replace('_', '-')}", str(out / f"{name}.parquet")]
    patch.setattr(paint, "of_queues", lambda *_: decided(world))
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    DONE.clear()
    step.run_step("privacy.paint", flags)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def done(what: str) -> int:
    return sum(count for (kind, _), count in DONE.items() if kind == what)


FOUR = {"a": One(0, 2, True), "b": One(1, 1), "c": One(1), "d": One(0)}
WORLD = World(FOUR)
HARMS = ("images.tar", "painted.parquet", "edits.parquet", "findings.parquet")
RARE = {"picture": st.integers(0, 1), "regions": st.integers(0, 2), "body": st.booleans(), "upheld": st.booleans()}
RARE["box"] = st.booleans()
own = st.fixed_dictionaries({}, optional=RARE)
changes = st.one_of(
    st.tuples(st.just("image"), st.sampled_from("abcde"), st.none() | own),
    st.tuples(st.just("all"), st.sampled_from(["steps", "max_seam", "code", "turned"])),
    st.tuples(st.just("harm"), st.sampled_from(HARMS), st.randoms(use_true_random=False)),
)
OTHERS = {"steps": 1, "max_seam": 1.0, "code": "new", "turned": True}


def changed(world: World, change: tuple) -> World:
    """The world after a withdrawal, a delivery, a change of one image's rows, or of a setting, of code, of order."""
    what, name, *values = change
    if what == "image":
        left = {key: one for key, one in world.images.items() if key != name}
        return world._replace(
            images=left | ({} if values[0] is None else {name: FOUR.get(name, One())._replace(**values[0])})
        )
    return world._replace(**{name: OTHERS[name]}) if what == "all" else world


@settings(max_examples=5, deadline=None)
@given(st.lists(changes, min_size=1, max_size=3))
def test_what_is_kept_is_byte_for_byte_what_a_run_from_nothing_makes(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        fake(patch)
        world = WORLD
        run(patch, world, Path("kept"))
        for number, change in enumerate(days):
            world = changed(world, change)
            if change[0] == "harm":
                cut(Path("kept", change[1]), change[2])
            assert run(patch, world, Path("kept")) == run(patch, world, fresh(number))


EACH = [
    ("image", "a", {"picture": 1}), ("image", "a", {"regions": 1}), ("image", "a", {"body": False}),
    ("image", "a", {"upheld": True}), ("image", "a", None), ("image", "c", {"picture": 0}),
    ("image", "e", {"regions": 1}),
    *(("all", name) for name in OTHERS),
]  # fmt: skip


@pytest.mark.parametrize("change", EACH, ids=str)
def test_whatever_a_copy_depends_on_makes_it_anew(days, monkeypatch, change):
    first = days(WORLD)
    again = days(changed(WORLD, change))
    assert again == run(monkeypatch, changed(WORLD, change), fresh(0))
    assert again != first


def fresh(number: int) -> Path:
    return Path(f"new-{number}")


def cut(path: Path, chance: random.Random) -> None:
    """As a kill or a bad disk leaves a file: cut, flipped, or gone."""
    data = path.read_bytes()
    at = chance.randrange(len(data))
    left = [data[:at], data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :], None][chance.randrange(3)]
    path.unlink()
    if left is not None:
        path.write_bytes(left)


@pytest.fixture
def days(tmp_path, monkeypatch):
    """Runs worlds one after the other, in one folder."""
    monkeypatch.chdir(tmp_path)
    return lambda world, **told: run(monkeypatch, world._replace(**told), Path("kept"))


def test_a_withdrawal_paints_nothing_and_nothing_is_kept_of_who_left(days):
    days(WORLD)
    assert (done("decoded"), done("painted"), done("proven")) == (4, 3, 4)
    made = days(WORLD, images={name: FOUR[name] for name in "bd"})
    assert done("decoded") == done("painted") == done("proven") == 0
    for name in ("painted", "edits", "conversions", "findings"):
        assert set(kept.digests(Path(f"kept/{name}.parquet"))) == {"b", "d"}
    assert not any(b"s-a" in data or b"s-c" in data for data in made.values())


def test_a_new_delivery_and_an_answer_paint_their_own_pictures_alone(days):
    days(WORLD)
    days(WORLD, images={**FOUR, "e": One(1, 1)})
    assert (done("decoded"), done("painted"), done("proven")) == (1, 1, 1)
    days(WORLD, images={**FOUR, "e": One(1, 1, upheld=True)})
    assert (done("decoded"), done("painted"), done("proven")) == (1, 1, 1)


def test_a_limit_of_the_proof_paints_nothing_and_a_setting_of_the_painter_leaves_other_pictures_alone(days):
    days(WORLD)
    days(WORLD, max_seam=1.0)
    assert (done("decoded"), done("painted"), done("proven")) == (0, 0, 4)
    days(WORLD, max_seam=1.0, steps=1)
    assert (done("decoded"), done("painted"), done("proven")) == (2, 3, 2)
    days(WORLD, max_seam=1.0, steps=1, code="new")
    assert (done("decoded"), done("painted"), done("proven")) == (4, 3, 4)


def test_pictures_that_shared_a_call_are_painted_again(days, monkeypatch):
    monkeypatch.setattr(painters, "load", lambda *_: Fake(batch=2))
    days(WORLD)
    assert set(kept.digests(Path("kept/edits.parquet"))) == {"c", "d"}
    days(WORLD)
    assert (done("decoded"), done("painted"), done("proven")) == (2, 3, 2)


def test_the_proof_looks_at_the_file_that_was_written(shard, tmp_path, monkeypatch):
    """Not at what the painter meant to write."""
    monkeypatch.undo()
    monkeypatch.setattr(painters, "load", lambda *_: Fake())
    delivery = shard(regions=[("other", [100, 60, 150, 60, 150, 180, 100, 180])])
    limits = {"max_seam": 1e9, "max_detail": 1e9, "max_outline": 1e9}
    good = run_paint(delivery, tmp_path / "good.tar", **limits)
    assert good.pictures["image"].tolist() == [IMAGE] and "fail" not in set(good.findings["verdict"])
    original = decode(bundle.read(delivery["bundle"], next(delivery["images"].itertuples())))
    buffer = io.BytesIO()
    Image.fromarray(original).save(buffer, "PNG")
    monkeypatch.setattr(copies.rebuilt, "file", lambda pixels: buffer.getvalue())
    bad = run_paint(delivery, tmp_path / "bad.tar", **limits)
    found = bad.findings.set_index("check")["verdict"]
    assert (found["region_left"], found["region_shows"]) == ("fail", "fail")
    assert len(bad.pictures) == 0 and len(bad.painted) == 1
