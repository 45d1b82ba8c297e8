"""Painted videos that are taken over from the last run are, byte for byte, what a run from nothing makes."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kept_days
from accord.engine import kept, step, table
from accord.imaging import bundle
from accord.intake.tables import VideoBoxes, Videos
from accord.privacy.tables import PaintedVideos
from accord.privacy.videos import redacting
from accord.privacy.videos.redacting import Redacted
from accord.privacy.videos.tracks import Track

TABLES = ("videos", "passages", "findings")
HARMS = ("painted.tar", "videos.parquet", "passages.parquet", "findings.parquet")
PAINTED: Counter = Counter()
"""How often each video was painted."""


class Film(NamedTuple):
    """A video of a world: which one it is, where its subject's face lies (no boxes where None), whose it is."""

    take: int = 0
    face: float | None = 1.0
    subject: str = "ann"


class World(NamedTuple):
    """The videos of a shard in the order of their deliveries, and how they are painted."""

    films: dict[str, Film]
    gap: float = 1.0
    pad: float = 0.5
    code: str = ""


FILMS = {"a": Film(0), "b": Film(1, None), "c": Film(2, 3.0, "bob"), "d": Film(3)}
WORLD = World(FILMS)
UNPROVEN = {"b"}
"""Takes 1 are not proven."""


def redact(name, file, allowed, painted, how):
    """In place of networks: a film that tells all that it was made from."""
    PAINTED[name] += 1
    with file.open() as opened:
        said = kept.digest(opened.read().hex(), [[*track] for track in allowed.faces], list(how))
    rng = np.random.default_rng(int(said, 16))
    proven = b"take 1" not in bundle.content(file.path, file)
    if proven:
        painted.write_bytes(rng.bytes(300 + int(rng.integers(900))))
    begin = float(rng.integers(9))
    finding = {"image": name, "check": "face_blazeface", "score": begin, "threshold": 9.0, "reason": said}
    tracks = {"face_yunet": [Track(np.array([begin, begin + 1]), np.ones((2, 4)))] * int(rng.integers(3))}
    return Redacted([{**finding, "verdict": "pass" if proven else "fail"}], tracks, (8, int(rng.integers(9, 99))))


def deliver(world: World, folder: Path) -> list[str]:
    """The tables of a world and its bundle; the flags that name them."""
    folder.mkdir(exist_ok=True)
    rows, boxes = [], []
    with bundle.BundleWriter(folder / "videos.tar") as writer:
        for name, film in world.films.items():
            member = writer.add(f"{name}.mp4", f"take {film.take}".encode() * 99)
            rows.append((name, film.subject, "acme", "2026-03", name, False, *member, ""))
            if film.face is not None:
                boxes.append((name, film.subject, "face", 0.0, film.face, 1.0, 9.0, 9.0))
    table.write(table.rows(rows, Videos), Videos, folder / "videos.parquet")
    table.write(table.rows(boxes, VideoBoxes), VideoBoxes, folder / "boxes.parquet")
    files = {"videos": "videos.parquet", "boxes": "boxes.parquet", "bundle": "videos.tar"}
    return [word for name, file in files.items() for word in (f"--{name}", str(folder / file))]


def run(patch, world: World, out: Path) -> dict[str, bytes]:
    """Run the step from the shell's side; returns its outputs."""
    flags = deliver(world, out.with_name("given"))
    flags += ["--smallest-face", "0.1", "--every", "0.2", "--gap", str(world.gap), "--pad", str(world.pad)]
    flags += ["--painted", str(out / "painted.tar")]
    flags += [word for name in TABLES for word in (f"--out-{name}", str(out / f"{name}.parquet"))]
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    patch.setattr(redacting, "redact", redact)
    PAINTED.clear()
    step.run_step("privacy.paint_videos", flags)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


OTHERS = {"gap": 2.0, "pad": 0.7, "code": "new"}
film = st.builds(Film, st.integers(0, 3), st.sampled_from([None, 1.0, 3.0]), st.sampled_from(["ann", "bob"]))
days = st.one_of(
    st.tuples(st.just("film"), st.sampled_from("abcde"), st.none() | film),
    st.tuples(st.just("all"), st.sampled_from([*OTHERS]), st.none()),
    st.tuples(st.just("order"), st.randoms(use_true_random=False), st.none()),
    st.tuples(st.just("harm"), st.sampled_from(HARMS), st.randoms(use_true_random=False)),
    st.tuples(st.just("kill"), st.integers(1, 4), st.none()),
)


@settings(max_examples=20, deadline=None)
@given(st.lists(days, min_size=1, max_size=4))
def test_after_any_days_the_bytes_are_those_of_a_run_from_nothing(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        world = WORLD
        run(patch, world, Path("kept"))
        for number, day in enumerate(days):
            world = kept_days.after(world, day, OTHERS)
            if day[0] == "harm":
                kept_days.harm(Path("kept", day[1]), day[2])
            elif day[0] == "kill":
                killed(patch, world, day[1])
            assert run(patch, world, Path("kept")) == run(patch, world, Path(f"new-{number}"))


def killed(patch, world: World, fatal: int) -> None:
    """Run the step with another setting, and end it before it paints that video."""
    before = {file.name: file.read_bytes() for file in Path("kept").iterdir()}
    painted = iter(range(1, 99))

    def dies(*told):
        if next(painted) == fatal:
            raise KeyboardInterrupt
        return redact(*told)

    flags = deliver(world, Path("given"))
    flags += ["--smallest-face", "0.1", "--every", "0.2", "--gap", "3", "--pad", "0.5"]
    outs = [word for name in TABLES for word in (f"--out-{name}", f"kept/{name}.parquet")]
    patch.setattr(redacting, "redact", dies)
    if len(world.films) < fatal:
        return
    with pytest.raises(KeyboardInterrupt):
        step.run_step("privacy.paint_videos", [*flags, "--painted", "kept/painted.tar", *outs])
    assert {name: Path("kept", name).read_bytes() for name in before} == before
    for left in set(Path("kept").iterdir()) - {Path("kept", name) for name in before}:
        left.unlink()  # as the next run's outputs replace it


CHANGES = {
    "nothing": (WORLD, set()),
    "a withdrawal": (WORLD._replace(films={name: FILMS[name] for name in "bcd"}), set()),
    "a delivery": (WORLD._replace(films={**FILMS, "e": Film(3)}), {"e"}),
    "another file": (WORLD._replace(films={**FILMS, "a": Film(3)}), {"a"}),
    "other boxes": (WORLD._replace(films={**FILMS, "a": Film(0, 2.0)}), {"a"}),
    "no boxes": (WORLD._replace(films={**FILMS, "a": Film(0, None)}), {"a"}),
    "another subject": (WORLD._replace(films={**FILMS, "d": Film(3, 1.0, "bob")}), {"d"}),
    "the order": (WORLD._replace(films=dict(reversed(FILMS.items()))), set()),
    "a setting": (WORLD._replace(pad=0.7), set(FILMS)),
    "the code": (WORLD._replace(code="new"), set(FILMS)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_painted_anew_alone(tmp_path, monkeypatch, change):
    monkeypatch.chdir(tmp_path)
    world, painted = CHANGES[change]
    run(monkeypatch, WORLD, Path("kept"))
    assert set(PAINTED) == set(FILMS)
    again = run(monkeypatch, world, Path("kept"))
    assert set(PAINTED) == painted
    assert again == run(monkeypatch, world, Path("new"))
    digests = kept.digests(Path("kept/videos.parquet"))
    assert set(digests) == set(world.films)
    assert set(table.read(Path("kept/videos.parquet"), PaintedVideos)["image"]) == set(world.films) - UNPROVEN


def test_nothing_is_kept_of_who_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = run(monkeypatch, WORLD, Path("kept"))
    assert b"bob" in first["videos.parquet"]
    rows = table.read(Path("kept/videos.parquet"), PaintedVideos).set_index("image")
    gone = bundle.content(Path("kept/painted.tar"), rows.loc["c"])
    left = run(monkeypatch, CHANGES["nothing"][0]._replace(films={n: FILMS[n] for n in "abd"}), Path("kept"))
    assert not any(b"bob" in data or gone in data for data in left.values())
