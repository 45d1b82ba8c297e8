"""Erasing people, pictures and sources of an archive of made and real faces: theirs go, nothing of anybody else."""

from pathlib import Path

import av
import cv2
import numpy as np
import pandas as pd
import pytest
import yaml

from accord import cli
from accord.engine import provenance, table
from accord.erase.archives import erasure, own_files, source_people
from accord.erase.cases import places
from accord.errors import AccordError
from accord.evaluate.tables.predictions import Fakes
from accord.release import list_sources
from accord.release.source_tables import Listed
from accord.train.tables import Learnt

SOURCES = """ages: [0, 1, 2, 3, 4]
sources:
- {subset: Real, category: real, method: none, folder: real, people: '{person}/*',
   terms: {train: true, external: false}}
- {subset: Swap, category: deepfake, method: swap, folder: swap, people: '{target}_{source}/*', people_of: Real,
   terms: {train: true, external: false}}
- {subset: GAN, category: gan, method: gan, folder: gan, terms: {train: true, external: false}}
"""
HERS = ["real/ann/0.png", "real/ann/1.png", "swap/ann_ben/0.png", "swap/ben_ann/0.png"]
OTHERS = ["real/ben/0.png", "real/cleo/0.png", "swap/cleo_dan/0.png", "gan/a.png", "gan/b.png"]
CONFIG = {
    "release": {"archive": {"format": "ai_face", "path": "faces"}},
    "analyse": {"fakes": {"scores": ["scores.parquet"]}},
}


def picture(seed: int) -> bytes:
    small = np.random.default_rng(seed).integers(0, 255, (24, 24, 3), np.uint8)
    return cv2.imencode(".png", cv2.resize(small, (160, 160), interpolation=cv2.INTER_CUBIC))[1].tobytes()


def result(model, rows, name, inputs=()) -> str:
    path = Path("results") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    table.write(table.check(rows, model, name), model, path, {"step": "a.step", "inputs": dict.fromkeys(inputs, "0")})
    return str(path)


@pytest.fixture
def house(tmp_path, monkeypatch):
    """An archive, its list, what a detector learnt and scored, a page, and a file of somebody's scores."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate([*HERS, *OTHERS]):
        (Path("faces") / name).parent.mkdir(parents=True, exist_ok=True)
        (Path("faces") / name).write_bytes(picture(number))
    Path("faces/sources.yaml").write_text(SOURCES)
    lines = [f"{name},{int(not name.startswith('real'))},1" for name in [*HERS, *OTHERS]]
    Path("faces/annotations.csv").write_text("\n".join(["Image Path,Target,Gender", *lines, ""]))
    listed = list_sources.run([], archive=Path("faces"), shards=1, cut=False)["00/listed.parquet"].rows
    told = result(Listed, listed, "release/00/listed.parquet")
    Path("faces/withdrawn.csv").write_text("Image Path,People Of,Identity\n,Real,ann\ngan/b.png,,\n,Real,annabel\n")
    learnt = listed.assign(subset="Real", label=0, method="", group="", split="train")
    seen = result(Learnt, learnt[list(table.arrow_schema(Learnt).names)], "train/m/pictures.parquet", [told])
    scores = table.rows([("m", name, "none", 0.5, "") for name in [*HERS, *OTHERS]], Fakes)
    said = result(Fakes, scores, "evaluate/00/fakes/m.parquet", [told, seen])
    Path("results/report").mkdir()
    page = provenance.into_text("<p>figures</p>", {"step": "report.fakes", "inputs": {said: "0" * 64}})
    Path("results/report/fakes.html").write_text(page)
    scores.to_parquet("scores.parquet", index=False)
    Path("config.yaml").write_text(yaml.safe_dump(CONFIG))
    return tmp_path


def say(*words) -> int:
    return cli.main(["erase", "archive", *words, "--config", "config.yaml"])


def left() -> set[str]:
    return {path.relative_to("faces").as_posix() for path in Path("faces").rglob("*.png")}


def contents() -> bytes:
    return b"\n".join(str(path).encode() + path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file())


def test_a_person_goes_from_every_picture_that_shows_them(house, capsys):
    before = contents()
    assert say("Real/ann", "--plan") == 0 and contents() == before
    told = capsys.readouterr().out
    assert "1 people" in told and "4 pictures and videos" in told and "4 rows of own files" in told
    assert say("Real/ann") == 0 and "erased, and nothing found" in capsys.readouterr().out
    assert left() == set(OTHERS)
    assert not [name for name in HERS if name.encode() in contents()]
    assert Path("faces/annotations.csv").read_text().count("\n") == 1 + len(OTHERS)
    assert Path("faces/withdrawn.csv").read_text() == "Image Path,People Of,Identity\ngan/b.png,,\n,Real,annabel\n"
    assert pd.read_parquet("scores.parquet")["image"].tolist() == OTHERS
    assert [path for path in Path("results").rglob("*") if path.is_file()] == []


def test_a_source_and_a_picture_go_with_their_rows(house):
    assert say("gan", "real/cleo/0.png") == 0
    assert left() == {*HERS, *OTHERS} - {"gan/a.png", "gan/b.png", "real/cleo/0.png"}
    assert "gan/" not in Path("faces/annotations.csv").read_text() + Path("faces/withdrawn.csv").read_text()
    assert "Real,ann" in Path("faces/withdrawn.csv").read_text()


def test_a_copy_elsewhere_keeps_the_entries_until_it_is_gone(house, capsys):
    Path("kept").mkdir()
    Path("kept/x.png").write_bytes(picture(0))
    assert say("Real/ann", "--also", "kept") == 1 and "trace" in capsys.readouterr().out
    assert set(HERS) <= left()
    Path("kept/x.png").unlink()
    assert say("Real/ann", "--also", "kept") == 0 and not set(HERS) & left()


def test_a_copy_in_another_source_of_the_archive_is_found(house, capsys):
    """Nobody's, by its path; the next run would learn from it."""
    Path("faces/gan/c.png").write_bytes(picture(0))
    small = cv2.imencode(".png", np.random.default_rng(9).integers(0, 255, (64, 64, 3), np.uint8))[1].tobytes()
    for name in (HERS[0], "gan/d.png"):
        (Path("faces") / name).write_bytes(small)
    Path("faces/gan/e.png").write_bytes(picture(1))
    assert say("Real/ann") == 1 and set(HERS) <= left()
    told = capsys.readouterr().out
    assert "faces/gan/d.png" in told and "faces/gan/e.png" in told and "2 traces left" in told
    assert say("Real/ann", "gan/d.png") == 1 and "1 trace left" in capsys.readouterr().out
    assert say("Real/ann", "gan/d.png", "--judged", "2") == 1
    assert say("Real/ann", "gan/d.png", "--judged", "1") == 0
    assert left() == {*OTHERS, "gan/c.png", "gan/e.png"}


def test_videos_are_looked_into_where_that_is_asked_and_are_told_where_not(house, capsys):
    """Frames of hers in a video of another source, which no name gives away."""
    with Path("faces/sources.yaml").open("a") as more:
        more.write(
            "- {subset: Clips, category: real, method: none, folder: clips, terms: {train: true, external: false}}\n"
        )
    shown = [cv2.imdecode(np.frombuffer(picture(seed), np.uint8), cv2.IMREAD_COLOR) for seed in (0, len(HERS))]
    Path("faces/clips").mkdir()
    for name, pixels in zip(("hers", "his"), shown, strict=True):
        clip(Path(f"faces/clips/{name}.mp4"), pixels)
    told = "2 videos of the archive not looked into"
    assert say("Real/ann", "--plan") == 0 and told in capsys.readouterr().out
    assert say("Real/ann", "--also", "faces/clips") == 1 and set(HERS) <= left()
    found = capsys.readouterr().out
    assert "clips/hers.mp4" in found and "his.mp4" not in found and "not looked into" not in found
    assert say("Real/ann", "clips/hers.mp4") == 0
    assert "nothing found; 1 video of the archive was not looked into" in capsys.readouterr().out
    assert [path.name for path in Path("faces/clips").iterdir()] == ["his.mp4"]


def clip(path: Path, pixels: np.ndarray) -> None:
    """A video of one picture."""
    with av.open(path, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.height, stream.width = pixels.shape[:2]
        stream.pix_fmt, stream.codec_context.bit_rate = "yuv420p", 4_000_000
        for _ in range(10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="bgr24")))
        container.mux(stream.encode())


def test_a_picture_that_can_t_be_read_falls_too(house):
    (Path("faces") / HERS[1]).write_bytes(b"no picture")
    assert say("Real/ann") == 0 and left() == set(OTHERS)


def test_it_can_be_stopped_anywhere_and_done_again(house, monkeypatch):
    for module, name in ((own_files, "take_out"), (erasure, "_left"), (source_people, "_tables")):
        with monkeypatch.context() as stopped:
            stopped.setattr(module, name, lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                erasure.run(erasure.plan(places.read([Path("config.yaml")]), ["Real/ann"]), places.Places())
    assert say("Real/ann") == 0
    assert not [name for name in HERS if name.encode() in contents()]


def test_what_is_not_there_is_told_without_its_name(house):
    before = contents()
    with pytest.raises(AccordError, match="subject 2: is not in the archive") as told:
        erasure.plan(places.read([Path("config.yaml")]), ["Real/ann", "Real/zoe"])
    assert "zoe" not in str(told.value) and contents() == before
