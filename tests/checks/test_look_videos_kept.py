"""What was seen in videos the last time is taken over, byte for byte what a look at all of them gives."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kept_days
from accord.abuse import quarantine
from accord.checks.looking import filmed, known
from accord.checks.looking.filmed import Seen
from accord.checks.looking.frames import CHECKS, Sight, findings
from accord.engine import kept, step, table
from accord.findings import Findings
from accord.imaging import bundle
from accord.intake.tables import Videos

LOOKED: list[str] = []
"""The videos that were looked at."""


class World(NamedTuple):
    """The videos of a shard in the order of their deliveries (name -> which one it is, 0 for one that doesn't decode;
    whose it is), what is on a list, how they are looked at."""

    films: dict[str, tuple[int, str]]
    listed: tuple[int, ...] = (9,)
    frames: int = 2
    words: str = "some"
    code: str = ""


FILMS = {"a": (1, "ann"), "b": (0, "bob"), "c": (3, "bob"), "d": (4, "dan")}
WORLD = World(FILMS)


def content(take: int) -> bytes:
    return f"take {take}".encode() * 50


def look(image, file, listed, how, count):
    """In place of networks: some videos show something, in a frame that tells all it was made from."""
    LOOKED.append(image)
    data = bundle.content(file.path, file)
    matches = list(listed.of_file(image, lambda kind: hashlib.new(kind, data).hexdigest()))
    if matches:
        return Seen(matches, [], [])
    if data == content(0):
        return Seen([], [], [filmed.failed(image, filmed.DECODE, "the video ends")])
    said = kept.digest(data.decode(), count, sorted(how().words.runs))
    number = int(said, 16)
    sights = [
        Sight(image, check, at, at / 7, "", [], number % 97 / 97, 0.5, said)
        for at, check in enumerate(sorted(CHECKS)) if number >> at & 1
    ]  # fmt: skip
    return Seen([], sights, [filmed.passed(image, filmed.DECODE, "can be decoded"), *findings(image, sights, count)])


def run(patch, world: World, out: Path, vault: Path = Path("vault")) -> dict[str, bytes]:
    """Run the step from the shell's side; returns its outputs."""
    folder = out.with_name("given")
    folder.mkdir(exist_ok=True)
    with bundle.BundleWriter(folder / "videos.tar") as writer:
        rows = [
            (name, who, "acme", "2026-03", name, False, *writer.add(f"{name}.mp4", content(take)), "")
            for name, (take, who) in world.films.items()
        ]
    table.write(table.rows(rows, Videos), Videos, folder / "videos.parquet")
    hashes = [f"md5 {hashlib.md5(content(take)).hexdigest()}\n" for take in world.listed]
    for name, text in (
        ("list.txt", "".join(hashes)),
        ("words.txt", f"word\n{world.words}\n"),
        ("brands.csv", "brand\nQ\n"),
    ):
        (folder / name).write_text(text)
    files = {"videos": "videos.parquet", "bundle": "videos.tar", "words": "words.txt", "brands": "brands.csv"}
    flags = [word for name, file in files.items() for word in (f"--{name}", str(folder / file))]
    flags += ["--lists", *([str(folder / "list.txt")] if world.listed else []), "--gallery"]
    flags += [
        "--video-frames",
        str(world.frames),
        "--text-side",
        "64",
        "--min-text-score",
        "0.5",
        "--max-nudity",
        "0.8",
    ]
    flags += ["--logo-score", "0.6", "--models", '{"logo": null}', "--weights", "weights", "--vault", str(vault)]
    flags += [word for name in ("videos", "seen", "findings") for word in (f"--out-{name}", f"{out}/{name}.parquet")]
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    patch.setattr(filmed, "look", look)
    LOOKED.clear()
    step.run_step("checks.look_videos", flags)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


OTHERS = {"frames": 3, "words": "other", "code": "new", "listed": ()}
days = st.one_of(
    st.tuples(st.just("film"), st.sampled_from("abcde"),
              st.none() | st.tuples(st.integers(0, 5), st.sampled_from(["ann", "bob"]))),
    st.tuples(st.just("all"), st.sampled_from([*OTHERS]), st.none()),
    st.tuples(st.just("listed"), st.lists(st.integers(1, 5), max_size=2).map(tuple), st.none()),
    st.tuples(st.just("order"), st.randoms(use_true_random=False), st.none()),
    st.tuples(st.just("harm"), st.sampled_from(["seen.parquet", "findings.parquet"]),
              st.randoms(use_true_random=False)),
)  # fmt: skip


def after(world: World, day: tuple) -> World:
    """The world after a day, also one that brings another list."""
    what, which, _ = day
    return world._replace(listed=which) if what == "listed" else kept_days.after(world, day, OTHERS)


@settings(max_examples=20, deadline=None)
@given(st.lists(days, min_size=1, max_size=4))
def test_after_any_days_the_bytes_are_those_of_a_look_at_everything(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        world = WORLD
        run(patch, world, Path("kept"))
        for number, day in enumerate(days):
            world = after(world, day)
            if day[0] == "harm":
                kept_days.harm(Path("kept", day[1]), day[2])
            assert run(patch, world, Path("kept")) == run(patch, world, Path(f"new-{number}"))


CHANGES = {
    "nothing": (WORLD, ""),
    "a withdrawal": (WORLD._replace(films={name: FILMS[name] for name in "bcd"}), ""),
    "a delivery": (WORLD._replace(films={**FILMS, "e": (5, "eve")}), "e"),
    "another file": (WORLD._replace(films={**FILMS, "a": (5, "ann")}), "a"),
    "the order": (WORLD._replace(films=dict(reversed(FILMS.items()))), ""),
    "a setting": (WORLD._replace(frames=3), "abcd"),
    "words": (WORLD._replace(words="other"), "abcd"),
    "a list": (WORLD._replace(listed=(9, 8)), "abcd"),
    "the code": (WORLD._replace(code="new"), "abcd"),
    "no videos": (WORLD._replace(films={}), ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_looked_at_alone(tmp_path, monkeypatch, change):
    monkeypatch.chdir(tmp_path)
    world, looked = CHANGES[change]
    run(monkeypatch, WORLD, Path("kept"))
    assert sorted(FILMS) == LOOKED
    again = run(monkeypatch, world, Path("kept"))
    assert sorted(LOOKED) == sorted(looked)
    assert again == run(monkeypatch, world, Path("new"))
    assert set(kept.digests(Path("kept/seen.parquet"))) == set(world.films)


def test_what_a_list_stops_is_kept_nowhere_and_looked_at_each_time(tmp_path, monkeypatch):
    """Its subject's other videos neither, whenever the match was found."""
    monkeypatch.chdir(tmp_path)
    run(monkeypatch, WORLD, Path("kept"))
    world = WORLD._replace(listed=(3,))
    again = run(monkeypatch, world, Path("kept"))
    assert [one["image"] for one in quarantine.records(Path("vault"))] == ["c"]
    assert again == run(monkeypatch, world, Path("new"))
    for name in ("seen", "findings"):
        assert set(kept.digests(Path(f"kept/{name}.parquet"))) == {"a", "d"}
    run(monkeypatch, world, Path("kept"))
    assert LOOKED == ["b", "c"]
    told = table.read(Path("kept/findings.parquet"), Findings).set_index(["image", "check"])["verdict"]
    assert told["b", known.CHECK] == told["c", known.CHECK] == "fail" and told["a", known.CHECK] == "pass"
