"""`accord videos`: annotations and files of one's own in, tables and lines out."""

import json

import pandas as pd
import pytest

from accord.analyse.casual import command
from accord.errors import AccordError


@pytest.fixture
def folder(tmp_path):
    """Twelve people with three videos each; votes, predictions and a submission about them."""
    made, lines = {}, {name: [] for name in ("votes", "lightface", "truth", "wm")}
    for number in range(12):
        subject = f"{number:04}"
        videos = [f"A/{subject}/{subject}_{take:02}.MP4" for take in range(3)]
        label = {"age": str(20 + number), "gender": ("Male", "Female")[number % 2], "skin-type": str(number // 2 + 1)}
        made[subject] = {"label": label, "files": videos, "dark_files": videos[:1]}
        lines["votes"] += [f"{subject},r{rater},{number // 2 + 1},0" for rater in range(8)]
        lines["lightface"] += [f"{video},{('Man', 'Woman')[number % 2]},{20 + number}" for video in videos]
        lines["truth"] += [f"{subject}_{take}.mp4,{subject},{take % 2},{videos[take]}" for take in range(3)]
        lines["wm"] += [f"{subject}_{take}.mp4,{(0.1, 0.9, 0.7 if number == 3 else 0.2)[take]}" for take in range(3)]
    (tmp_path / "CasualConversations.json").write_text(json.dumps(made))
    headers = {"votes": "subject,rater,type,uncertain", "lightface": "video,gender,age",
               "truth": "filename,subject,label,video", "wm": "filename,label"}  # fmt: skip
    for name, header in headers.items():
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *lines[name]]))
    return tmp_path


def arguments(folder, *more: str) -> list[str]:
    return [str(folder), "--votes", str(folder / "votes.csv"), "--predictions", str(folder / "lightface.csv"),
            "--submissions", str(folder / "wm.csv"), "--truth", str(folder / "truth.csv"), "--bootstraps", "100",
            *more]  # fmt: skip


def test_tables_are_printed_and_written_beside_what_was_published(folder, capsys):
    assert command.main(arguments(folder, "--out", str(folder / "out"))) == 0
    told = capsys.readouterr().out
    assert "12 subjects with a type, 0 ties (0 in one group)" in told
    assert "mini.videos: 24 (6022)" in told and "mini.dark: 0.5 (0.373)" in told
    assert "wm: 24 real and 12 fake videos of 12 subjects, 1 real video called fake (190)" in told
    files = {path.stem for path in (folder / "out").iterdir()}
    assert files == {"skin_types", "vote_agreement", "mini_set", "mini_counts", "video_looks", "precision",
                     "detection_figures", "detection_curves"}  # fmt: skip
    figures = pd.read_csv(folder / "out/detection_figures.csv").set_index(["metric", "attribute"])
    assert figures.loc[("false_alarm_rate", "all"), "value"] == pytest.approx(1 / 24)
    assert set(pd.read_csv(folder / "out/precision.csv")["attribute"]) >= {"all", "lighting", "skin", "voted_skin"}


def test_one_document_with_json(folder, capsys):
    assert command.main(arguments(folder, "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["mini_set"]) == 24 and len(told["skin_types"]) == 12


def test_what_is_wrong_on_the_command_line_is_told(folder, capsys):
    with pytest.raises(AccordError, match="needs both --submissions and --truth"):
        command.main([str(folder), "--truth", str(folder / "truth.csv")])
    (folder / "empty").mkdir()
    with pytest.raises(AccordError, match="has no file CasualConversations"):
        command.main([str(folder / "empty")])
    with pytest.raises(SystemExit):
        command.main([str(folder), "--threshold", "0"])
    assert "'0' is not above 0 and at most 1" in capsys.readouterr().err
    (folder / "file").write_text("")
    with pytest.raises(AccordError, match="is a file"):
        command.main([str(folder), "--out", str(folder / "file")])
