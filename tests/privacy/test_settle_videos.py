"""Painted videos are watched before they are published: who is asked what, and what becomes of each video."""

import sys
from pathlib import Path

import pytest

from accord.audit.records import reviews
from accord.audit.targets.places import Places
from accord.checks.tables.videos import FramesSeen
from accord.engine import table
from accord.errors import AccordError
from accord.findings import Findings
from accord.intake.tables import Videos
from accord.privacy import settle_videos
from accord.privacy.tables import Decisions, PaintedVideos, Passages
from accord.queues import VIDEOS
from accord.review.database import accounts, store, work
from accord.review.drawn.outlines import Region

sys.path.insert(0, str(Path(__file__).parent))

from test_video_waterfall import of, rows

TAKEN = rows(Videos, *of(["v1", "v2", "v3", "v4"]))
PAINTED = rows(PaintedVideos, *of(["v1", "v2", "v3"], source_sha256="0" * 64))
POLICIES = {"videos": "hold", "inpainting": "hold"}


def found(*told):
    """v1: nothing; v2: maybe a logo; v3: maybe text, and a face that was left; v4: not painted."""
    usual = [("v1", "logo", "pass"), ("v2", "logo", "review"), ("v3", "safety_text", "review"),
             ("v3", "face_blazeface", "fail"), ("v4", "video", "fail"), ("else", "logo", "review")]  # fmt: skip
    return rows(Findings, *({"image": image, "check": check, "verdict": verdict, "reason": "seen"}
                            for image, check, verdict in (*usual, *told)))  # fmt: skip


def settle(vault, findings=None, painted=PAINTED, review="all", policies=POLICIES, seen=None, passages=None):
    given = (findings if findings is not None else found(), seen if seen is not None else table.empty(FramesSeen),
             passages if passages is not None else table.empty(Passages))  # fmt: skip
    return settle_videos.run(TAKEN, painted, *given, vault=vault, review=review, policies=policies)


def became(made):
    return {(row.image, row.check): row.verdict for row in made.settled.itertuples()}


@pytest.fixture
def vault(tmp_path):
    """A vault in which ada is asked about the videos of a shard."""
    with store.opened(tmp_path / "vault") as db:
        accounts.add(db, "ada", "reviewer", "correct horse battery")
        work.add_items(db, settle(tmp_path / "vault").review_items, [VIDEOS])
        work.assign(db, VIDEOS, ["ada"])
    return tmp_path / "vault"


def decide(vault, image, decision, kind=""):
    with store.opened(vault) as db:
        (item,) = db.execute("SELECT item FROM item WHERE image = ?", (image,)).fetchone()
        work.vote(db, "ada", item, decision, [Region(kind, ())] if kind else [])


def test_all_proven_videos_wait_for_a_person_by_default(tmp_path):
    made = settle(tmp_path)
    assert made.review_items[["image", "queue", "check"]].values.tolist() == [
        ["v1", "videos", "video_review"],
        ["v2", "videos", "video_review"],
    ]
    verdicts = became(made)
    assert verdicts["v1", "video_review"] == verdicts["v2", "video_review"] == "review"
    assert ("v3", "video_review") not in verdicts and verdicts["v3", "face_blazeface"] == "fail"
    assert verdicts["v4", "video"] == "fail" and "else" not in set(made.settled["image"])
    assert made.decisions.empty


def test_what_frames_showed_is_left_to_whoever_watches(tmp_path):
    verdicts = became(settle(tmp_path))
    assert verdicts["v2", "logo"] == "info" and verdicts["v1", "logo"] == "pass"


def test_only_videos_with_findings_wait_where_that_is_asked_for(tmp_path):
    made = settle(tmp_path, review="findings")
    assert made.review_items["image"].tolist() == ["v2"]
    verdicts = became(made)
    assert (verdicts["v1", "video_review"], verdicts["v2", "video_review"]) == ("pass", "review")


@pytest.mark.parametrize(("policy", "verdict"), [("hold", "review"), ("drop", "fail"), ("pass", "pass")])
def test_a_policy_says_what_becomes_of_a_video_that_waits(tmp_path, policy, verdict):
    assert became(settle(tmp_path, policies={"videos": policy}))["v2", "video_review"] == verdict


def test_people_keep_or_withhold_a_video(vault):
    decide(vault, "v1", "dismiss")
    decide(vault, "v2", "uphold", "person_visible")
    made = settle(vault)
    told = made.settled[made.settled["check"] == "video_review"].set_index("image")
    assert told["verdict"].to_dict() == {"v1": "pass", "v2": "fail"}
    assert told["reason"].to_dict() == {
        "v1": "every video is watched before it is published: kept by a person",
        "v2": "1 check found something in its frames: withheld by a person (person visible)",
    }
    said = made.decisions.set_index("image")[["decision", "kind"]]
    assert said.loc["v1"].tolist() == ["dismiss", ""] and said.loc["v2"].tolist() == ["uphold", "person_visible"]


def test_a_decision_is_on_the_painted_file_and_on_what_was_found(vault):
    decide(vault, "v1", "dismiss")
    assert became(settle(vault))["v1", "video_review"] == "pass"
    other = PAINTED.assign(sha256="1" * 64)
    assert became(settle(vault, painted=other))["v1", "video_review"] == "review"
    more = found(("v1", "personal_data", "review"))
    assert became(settle(vault, findings=more))["v1", "video_review"] == "review"


def test_an_audit_knows_the_decisions_on_videos_and_those_made_since(vault, tmp_path):
    decide(vault, "v1", "dismiss")
    for name, model, made in (("privacy/00/video_decisions", Decisions, settle(vault).decisions),
                              ("consent/00/videos", Videos, TAKEN)):  # fmt: skip
        path = tmp_path / f"results/{name}.parquet"
        path.parent.mkdir(parents=True)
        table.write(made, model, path)
    audited = Places(results=tmp_path / "results", vault=vault)
    whole, used = reviews.checks(audited)
    assert whole.verdict == used.verdict == "pass" and "all 1 decisions" in used.what
    decide(vault, "v2", "drop")
    assert "1 items were decided" in reviews.checks(audited)[-1].what


def test_a_failure_that_is_found_later_stops_a_video_that_was_kept(vault):
    decide(vault, "v1", "dismiss")
    made = settle(vault, findings=found(("v1", "safety_delivery", "fail")))
    assert became(made)["v1", "safety_delivery"] == "fail" and "v1" not in set(made.review_items["image"])


def test_moments_are_in_the_order_of_time_and_frames_in_a_row_are_one(tmp_path):
    looks = [{"image": "v2", "check": "logo", "frame": frame, "seconds": float(frame), "reason": "a brand",
              "polygon": [], "score": 0.5, "threshold": 0.4} for frame in (2, 3, 3, 4, 7)]  # fmt: skip
    passages = rows(Passages, {"image": "v2", "begin": 0.5, "end": 2.5})
    made = settle(tmp_path, seen=table.rows([{"kind": "", **one} for one in looks], FramesSeen), passages=passages)
    assert made.moments[["begin", "end", "check"]].values.tolist() == [
        [0.5, 2.5, "painted"],
        [2.0, 4.0, "logo"],
        [7.0, 7.0, "logo"],
    ]


def test_a_shard_without_videos(tmp_path):
    empty = [table.empty(model) for model in (Videos, PaintedVideos, Findings, FramesSeen, Passages)]
    made = settle_videos.run(*empty, vault=tmp_path, review="all", policies=POLICIES)
    assert all(part.empty for part in made)


def test_an_unknown_mode_is_refused(tmp_path):
    with pytest.raises(AccordError, match="'some' is not one of all, findings"):
        settle(tmp_path, review="some")
