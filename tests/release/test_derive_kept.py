"""Derivatives that are taken over from the last run are, byte for byte, what a run from nothing makes."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import kept, step, table
from accord.release.making import members
from accord.release.making.shard_tables import ALL

SIDES = {"longest_side": 96, "aligned_size": 16, "warped_size": 32}
MADE: Counter = Counter()


class World(NamedTuple):
    """A shard: image -> (size, shifts of its people, of whom the first is the primary one); settings; code."""

    images: dict[str, tuple[str, tuple[float, ...]]]
    sides: dict[str, int] = SIDES
    code: str = ""
    permits: tuple[str, ...] = ("publish_image", "publish_attr:*")
    blind: str = ""


WORLD = World({"img-1": ("large", (0.0, 0.45)), "img-2": ("small", (0.0,)), "img-3": ("large", (0.4,))})


def run(patch, tiny, world: World, out: Path) -> dict[str, bytes]:
    """Run the step from the shell's side; returns its outputs."""
    people = {
        image: (size, [tiny.Person(f"{image}-{n}", shift, world.permits) for n, shift in enumerate(shifts)])
        for image, (size, shifts) in world.images.items()
    }
    shard = tiny.make_shard(out.with_name("given"), people)
    points = shard.tables["keypoints"]
    points.loc[points["image"] == world.blind, "visible"] = False
    flags = ["--bundle", str(shard.bundle), "--files", str(out / "files.tar")]
    for name, rows in shard.tables.items():
        path = out.with_name("given") / f"{name}.parquet"
        table.write(rows, tiny.TABLES[name], path)
        flags += [f"--{name}", str(path)]
    for name, side in world.sides.items():
        flags += [f"--{name.replace('_', '-')}", str(side)]
    for name in ALL:
        flags += [f"--out-{name}", str(out / f"{name}.parquet")]
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    MADE.clear()
    step.run_step("release.derive", flags)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def watched(patch) -> None:
    """Count what is made."""
    real = members.files

    def files(data, *told):
        MADE[data] += 1
        return real(data, *told)

    patch.setattr(members, "files", files)


def without(image: str) -> dict:
    return {name: one for name, one in WORLD.images.items() if name != image}


CHANGES = {
    "nothing": (WORLD, 0),
    "a withdrawal": (WORLD._replace(images=without("img-1")), 0),
    "somebody in a picture": (WORLD._replace(images={**WORLD.images, "img-1": ("large", (0.0, 0.3))}), 1),
    "a new delivery": (WORLD._replace(images={**WORLD.images, "img-0": ("small", (0.1,))}), 1),
    "another picture": (WORLD._replace(images={**WORLD.images, "img-2": ("large", (0.0,))}), 1),
    "keypoints": (WORLD._replace(blind="img-3"), 1),
    "a permit": (WORLD._replace(permits=("publish_image",)), 0),
    "the order": (WORLD._replace(images=dict(reversed(WORLD.images.items()))), 0),
    "a size": (WORLD._replace(sides={**SIDES, "aligned_size": 20}), 3),
    "the code": (WORLD._replace(code="new"), 3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_made_anew_alone(tmp_path, monkeypatch, tiny, change):
    monkeypatch.chdir(tmp_path)
    watched(monkeypatch)
    world, made = CHANGES[change]
    run(monkeypatch, tiny, WORLD, Path("kept"))
    again = run(monkeypatch, tiny, world, Path("kept"))
    assert sum(MADE.values()) == made
    assert again == run(monkeypatch, tiny, world, Path("new"))
    assert sum(MADE.values()) == len(world.images)


@settings(max_examples=3, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.sampled_from(["", "files.tar", "faces.parquet"]),
                          st.floats(0, 0.99)), min_size=2, max_size=3))  # fmt: skip
def test_after_any_days_and_kills_the_bytes_are_those_of_a_run_from_nothing(tmp_path_factory, tiny, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        for number, (change, harmed, share) in enumerate(days):
            world = CHANGES[change][0]
            again = run(patch, tiny, world, Path("kept"))
            assert again == run(patch, tiny, world, Path(f"new-{number}"))
            if harmed:
                data = Path("kept", harmed).read_bytes()
                Path("kept", harmed).write_bytes(data[: int(share * len(data))])


def test_a_former_bundle_that_is_gone_or_changed_is_not_believed(tmp_path, monkeypatch, tiny):
    monkeypatch.chdir(tmp_path)
    watched(monkeypatch)
    whole = run(monkeypatch, tiny, WORLD, Path("kept"))
    data = bytearray(Path("kept/files.tar").read_bytes())
    data[600] ^= 255
    Path("kept/files.tar").write_bytes(data)
    assert run(monkeypatch, tiny, WORLD, Path("kept")) == whole
    assert sum(MADE.values()) == 1
    Path("kept/files.tar").unlink()
    assert run(monkeypatch, tiny, WORLD, Path("kept")) == whole
    assert sum(MADE.values()) == 3
