"""Erasing people of an archive of videos: hers is planted everywhere and looked for; nothing of anybody else goes."""

import io
import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from erase_cases import locked_by_another_process
from PIL import Image

from accord import cli
from accord.engine import provenance, table
from accord.engine.table import rows
from accord.erase.archives import erasure, people
from accord.erase.cases import places
from accord.erase.executing import kept_rows
from accord.erase.planning import closure
from accord.errors import AccordError
from accord.evaluate import skin_items
from accord.evaluate.asking import answer_vault
from accord.evaluate.asking.answer_vault import Call
from accord.evaluate.tables.videos import Frames, Looks, SkinFaces
from accord.imaging import bundle
from accord.imaging.bundle import BundleWriter
from accord.models.protocols import Answer, PaidAnswer
from accord.release.video_tables import Videos
from accord.review.database import accounts, chain, store, work
from accord.review.drawn.outlines import Region
from accord.review.tables import Items
from accord.shards import opaque_id
from video_cases import entry, write_annotations

# Her id has eight digits: four of them stand by chance in the hash chain of one vault in a hundred.
HERS = [f"CasualConversationsA/11403582/11403582_{n:02}.MP4" for n in range(2)]
HIS = [f"CasualConversationsA/1141/1141_{n:02}.MP4" for n in range(2)]
WHOSE = dict.fromkeys(HERS, "11403582") | dict.fromkeys(HIS, "1141")
MODEL = {"name": "m", "adapter": "a:B", "options": {}}
SETTINGS = {
    "release": {"archive": {"format": "ccv1", "path": "CC"}},
    "analyse": {"casual": {"votes": "votes.csv", "predictions": ["said.parquet"],
                           "submissions": {"files": ["wm.csv"], "truth": "truth.csv"}}},
}  # fmt: skip
CSV = {
    "votes.csv": 'subject,rater,type,uncertain\n1141,"r,1",5,0\r\n11403582,r1,5,0\n 11403582 ,r2,6,1\n1141,r2,6,1\n',
    "wm.csv": "filename,label\nfake_of_her.mp4,0.9\nhis.mp4,0.2\nelse.mp4,0.5\n",
    "truth.csv": f"filename,subject,label,video\nfake_of_her.mp4,11403582,1,{HERS[0]}\nhis.mp4,1141,0,{HIS[0]}\n",
}


def face(number):
    """A picture that no other resembles: rough noise, enlarged."""
    small = np.random.default_rng(number).integers(0, 255, (24, 24, 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(cv2.resize(small, (192, 192), interpolation=cv2.INTER_CUBIC)).save(buffer, "PNG")
    return buffer.getvalue()


def write(model, data, name, inputs=(), bundle=False):
    path = Path("results") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    by = {"step": "a.step", "inputs": dict.fromkeys(inputs, "0" * 64), "outputs": {"crops": "0"} if bundle else {}}
    table.write(table.check(data, model, name), model, path, by)
    return str(path)


def compute(shard, videos):
    """The results of a shard: videos, crops with their rows, what a model said, what raters are asked."""
    told = rows([(video, WHOSE[video], 9, "bright", True) for video in videos], Videos)
    listed = write(Videos, told, f"release/{shard}/videos.parquet")
    made, place = [], Path(f"results/evaluate/{shard}")
    place.mkdir(parents=True)
    with BundleWriter(place / "video_faces.tar") as writer:
        for number, video in enumerate(videos):
            member = writer.add(f"{opaque_id(video)}/0000.png", face(int(shard) * 10 + number))
            made.append((video, WHOSE[video], 0, 0.5, True, "", 1.0, 1.0, 90.0, 90.0, 0.9, 192, 1.0, *member))
            made.append(faceless(video))
    frames = rows(made, Frames)
    cut = write(Frames, frames, f"evaluate/{shard}/video_faces.parquet", [listed], bundle=True)
    asked = skin_items.run(told, frames, scale="fitzpatrick")
    write(Items, asked.review_items, f"evaluate/{shard}/skin_items.parquet", [cut])
    write(SkinFaces, asked.faces, f"evaluate/{shard}/skin_faces.parquet", [cut])
    looks = rows([("m", video, WHOSE[video], 0, 30.0, "female", 0.9, "") for video in videos], Looks)
    return write(Looks, looks, f"evaluate/{shard}/m.parquet", [cut]), asked.review_items


def faceless(video):
    """A row of Frames in whose frame nobody was found."""
    return (video, WHOSE[video], 1, 1.5, False, "no face was found", *[None] * 7, "", None, None, "")


@pytest.fixture
def house(tmp_path, monkeypatch):
    """The working folder: an archive of her and him, results of two shards and a page, a vault, files of one's own."""
    monkeypatch.chdir(tmp_path)
    write_annotations(Path("CC"), {"11403582": entry(HERS), "1141": entry(HIS)})
    for video in WHOSE:
        (Path("CC") / video).parent.mkdir(parents=True, exist_ok=True)
        (Path("CC") / video).write_bytes(b"video of " + video.encode())
    (said, hers), (_, his) = compute("00", HERS), compute("01", HIS)
    Path("results/report").mkdir()
    page = provenance.into_text(f"<p>worst: {HERS[0]}</p>", {"step": "report.index", "inputs": {said: "0" * 64}})
    Path("results/report/index.html").write_text(page)
    for name, text in CSV.items():
        Path(name).write_bytes(text.encode())
    pd.DataFrame({"video": [HERS[1], HIS[1]], "gender": ["female", "male"], "age": [30, 40]}).to_parquet("said.parquet")
    with store.opened(Path("vault")) as db:
        monkeypatch.setattr(accounts, "_hasher", lambda: type("H", (), {"hash": staticmethod(lambda text: "x")}))
        accounts.add(db, "ada", "reviewer", "correct horse battery")
        work.add_items(db, pd.concat([hers, his], ignore_index=True))
        work.assign(db, "skin", ["ada"])
        for item in (*hers["item"], *his["item"]):
            work.vote(db, "ada", item, "uphold", [Region("5", ())])
    with answer_vault.opened(Path("vault"), MODEL) as answers:
        answers.reserve(2, 0, answer_vault.Limits())
        for video in (HERS[0], HIS[0]):
            answers.keep(Call(video, "0" * 64, "Who?"), PaidAnswer(Answer(f"answer about {video}", "said", ""), ""))
    Path("config.yaml").write_text(yaml.safe_dump(SETTINGS))
    return tmp_path


def everything(*but):
    files = [path for path in sorted(Path().rglob("*")) if path.is_file() and str(path) not in but]
    return b"\n".join(str(path).encode() + b" " + path.read_bytes() for path in files)


def say(*words):
    return cli.main(["erase", "archive", *words, "--config", "config.yaml"])


def test_a_plan_counts_and_changes_nothing(house, capsys):
    before = everything()
    assert say("11403582", "--plan") == 0
    told = dict(line.split(maxsplit=1)[::-1] for line in capsys.readouterr().out.splitlines())
    assert told == {"people": "1", "videos": "2", "result files": "7", "Snakemake records, logs and backups": "0",
                    "review items": "1", "rows of own files": "5"}  # fmt: skip
    assert everything() == before


def test_nothing_of_hers_is_left_and_all_of_his(house, capsys):
    assert say("11403582") == 0
    assert "erased, and nothing found" in capsys.readouterr().out
    data = everything()
    for trace in (*HERS, "11403582", "fake_of_her", *(opaque_id(video) for video in HERS)):
        assert trace.encode() not in data, trace
    assert not any(face(number)[100:200] in data for number in (0, 1))
    assert json.loads(Path("CC/CasualConversations.json").read_text()) == {"1141": entry(HIS)}
    assert all((Path("CC") / video).is_file() for video in HIS)
    assert sorted(str(path) for path in Path("results").rglob("*.*")) == [
        f"results/evaluate/01/{name}"
        for name in ("m.parquet", "skin_faces.parquet", "skin_items.parquet", "video_faces.parquet", "video_faces.tar")
    ] + ["results/release/01/videos.parquet"]
    assert Path("votes.csv").read_bytes() == b'subject,rater,type,uncertain\n1141,"r,1",5,0\r\n1141,r2,6,1\n'
    assert Path("wm.csv").read_text() == "filename,label\nhis.mp4,0.2\nelse.mp4,0.5\n"
    assert pd.read_parquet("said.parquet")["video"].tolist() == [HIS[1]]
    with store.reading(Path("vault")) as db:
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (1,) and chain.verify(db) == []
    assert b"answer about " + HIS[0].encode() in Path("vault/answers.sqlite").read_bytes()


def together() -> dict[str, Path]:
    """Tables of kept rows of a shard that both are in."""
    compute("02", [HERS[0], HIS[0]])
    whole = {name: Path(f"results/evaluate/02/{name}.parquet") for name in ("video_faces", "m")}
    for path in whole.values():
        told = pq.read_table(path, partitioning=None)
        digests = json.dumps({HERS[0]: "000011403582" * 4, HIS[0]: "0" * 32}).encode()
        pq.write_table(told.replace_schema_metadata({**told.schema.metadata, table.MADE_FROM: digests}), path)
    return whole


def stop(monkeypatch, *names):
    """A kill of `erasure.run` in a function of modules."""
    with monkeypatch.context() as stopped:
        stopped.setattr(*names, lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            erasure.run(erasure.plan(places.read([Path("config.yaml")]), ["11403582"]), places.Places())


@pytest.mark.parametrize("harm", ["a kill between bundle and table", "a changed byte", "a cut table"])
def test_crops_that_are_not_what_their_table_says_stop_nothing(house, monkeypatch, harm):
    whole = together()["video_faces"]
    bundled = whole.with_suffix(".tar")
    if harm == "a changed byte":
        bundled.write_bytes(bundled.read_bytes()[:700] + b"!" + bundled.read_bytes()[701:])
    elif harm == "a cut table":
        whole.write_bytes(whole.read_bytes()[:-20])
    else:
        stop(monkeypatch, kept_rows, "replace")
        assert HERS[0] in pq.read_table(whole, partitioning=None)["image"].to_pylist()
    assert say("11403582") == 0
    assert HERS[0].encode() not in everything() and b"11403582" not in everything()


def test_what_was_kept_to_look_for_her_goes_before_her_entries(house, monkeypatch):
    """Else it would stay after a kill there: she can't be named any more."""
    stop(monkeypatch, people, "delete_entries")
    assert not Path("vault", erasure.KEPT).exists()
    assert say("11403582") == 0


def test_rows_that_the_next_run_takes_over_stay_without_hers(house):
    """Of a shard that both are in: his faces and looks need not be looked for again."""
    whole, folder = together(), Path("results/evaluate/02")
    assert say("11403582") == 0
    for path in whole.values():
        rest = pq.read_table(path, partitioning=None)
        assert set(rest["image"].to_pylist()) == {HIS[0]}
        assert json.loads(rest.schema.metadata[table.MADE_FROM]) == {HIS[0]: "0" * 32}
    his, _ = pq.read_table(whole["video_faces"], partitioning=None).to_pandas().itertuples()
    assert bundle.read(folder / "video_faces.tar", his) == face(21)
    data = everything()
    assert HERS[0].encode() not in data and face(20)[100:200] not in data
    assert sorted(path.name for path in folder.iterdir()) == ["m.parquet", "video_faces.parquet", "video_faces.tar"]
    assert all(closure.unfinished(Path(".snakemake"), str(path)).is_file() for path in folder.iterdir())


@pytest.mark.parametrize("plant", ["name", "text", "picture", "other column"])
def test_what_was_copied_elsewhere_is_found_and_she_stays_known(house, plant, capsys):
    if plant == "name":
        Path("logs").mkdir()
        Path("logs/11403582_00.log").write_text("done")
    elif plant == "text":
        Path("results/note.bin").write_bytes(b"seen in " + HERS[0].encode())
    elif plant == "picture":
        Path("kept").mkdir()
        Image.open(io.BytesIO(face(0))).crop((0, 0, 170, 170)).save("kept/a.jpg", quality=85)
    else:
        Path("wm.csv").write_text(CSV["wm.csv"] + f"{HERS[0]}.copy,0.5\n")
    also = ("--also", "kept") if plant == "picture" else ()
    assert say("11403582", *also) == (0 if plant == "text" else 1)  # a result that names her goes by itself
    if plant != "text":
        out = capsys.readouterr().out
        assert " left: delete them" in out and "11403582_00" not in out
        assert "11403582" in json.loads(Path("CC/CasualConversations.json").read_text())
        shutil.rmtree("logs" if plant == "name" else "kept", ignore_errors=True)
        Path("wm.csv").write_text("filename,label\nhis.mp4,0.2\n")
        assert say("11403582") == 0
    assert b"11403582" not in everything()


def test_it_can_be_stopped_anywhere_and_done_again(house, monkeypatch):
    steps = {people: ("delete_videos", "delete_entries"), erasure: ("_left",), erasure.own_files: ("take_out",),
             erasure.erasing: ("forget",), erasure.answer_vault: ("forget",)}  # fmt: skip
    for module, names in steps.items():
        for name in names:
            stop(monkeypatch, module, name)
            assert "11403582" in json.loads(Path("CC/CasualConversations.json").read_text())
    assert say("11403582") == 0 and b"11403582" not in everything()


@pytest.mark.parametrize(("spoil", "what"), [
    (lambda: None, "subject 2: is not in the archive"),
    (lambda: Path("CC", HERS[0]).replace("elsewhere") and Path("CC", HERS[0]).symlink_to(Path("elsewhere").resolve()),
     "1 of these people's videos are links, or outside the archive"),
    (lambda: Path("wm.csv").write_bytes(b"\xff\xfe"), r"wm\.csv: is not a readable table \(UnicodeDecodeError\)"),
    (lambda: Path("config.yaml").write_text("release: {archive: null}"), "is no archive of videos"),
])  # fmt: skip
def test_what_stands_in_the_way_is_told_before_anything_is_touched(house, spoil, what):
    spoil()
    before = everything()
    with pytest.raises(AccordError, match=what) as error:
        erasure.plan(places.read([Path("config.yaml")]), ["11403582", "9"] if "subject 2" in what else ["11403582"])
    assert "11403582" not in str(error.value) and everything() == before


def test_a_running_workflow_is_not_disturbed(house):
    planned = erasure.plan(places.read([Path("config.yaml")]), ["11403582"])
    with locked_by_another_process():
        before = everything()
        with pytest.raises(AccordError, match="workflow: is locked by another process"):
            erasure.run(planned, places.Places())
        assert everything() == before
