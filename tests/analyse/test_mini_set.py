"""The mini set of Casual Conversations: two videos of each person, one of each lighting where there are."""

from pathlib import Path

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse.casual import published
from accord.analyse.casual.mini_set import mini_set
from accord.release.archives.mini_videos import digest

NOTHING = published.Published()
PAPER = Path(__file__).parents[2] / "config/references/casual-conversations.csv"


def videos_of(**people: str) -> pd.DataFrame:
    """subject, video, lighting: "bbd" is two bright videos and a dark one."""
    lights = {"d": "dark", "b": "bright", "-": ""}
    made = [(name, f"{name}/{n:02}.mp4", lights[light]) for name, of in people.items() for n, light in enumerate(of)]
    return pd.DataFrame(made, columns=["subject", "video", "lighting"])


def first(videos: pd.DataFrame, subject: str, *lightings: str) -> list[str]:
    """The videos of a subject with one of the lightings, smallest digest first: chosen apart from the code."""
    some = videos[(videos["subject"] == subject) & videos["lighting"].isin(lightings)]["video"]
    return sorted(some, key=lambda video: digest(subject, video))


def test_one_of_each_lighting_where_there_are_else_two_of_one():
    videos = videos_of(a="bbbbbddd", b="bbbb", c="ddd", e="b", f="b---", g="----", h="bb----")
    found = mini_set(videos, NOTHING)
    chosen = found.videos.groupby("subject")["video"].agg(set).to_dict()
    assert chosen["a"] == {first(videos, "a", "bright")[0], first(videos, "a", "dark")[0]}
    assert chosen["b"] == set(first(videos, "b", "bright")[:2])
    assert chosen["c"] == set(first(videos, "c", "dark")[:2])
    assert chosen["e"] == {"e/00.mp4"}
    assert chosen["f"] == {"f/00.mp4", first(videos, "f", "")[0]}
    assert chosen["h"] == {"h/00.mp4", "h/01.mp4"}
    assert chosen["g"] == set(first(videos, "g", "")[:2])


def test_counts_stand_beside_the_published_ones():
    figures = published.read([PAPER])
    found = mini_set(videos_of(a="bd", b="bb", c="d", e="dd"), figures).counts.set_index("figure")
    assert found["value"].to_dict() == {
        "subjects": 4, "videos": 7, "mini.videos": 7, "mini.dark": 4 / 7, "subjects.dark_and_bright": 1,
        "subjects.only_dark": 2, "subjects.only_bright": 1, "subjects.fewer_videos": 1,
    }  # fmt: skip
    assert found["published"].dropna().to_dict() == {
        "subjects": 3011, "videos": 45186, "mini.videos": 6022, "mini.dark": 0.373
    }  # fmt: skip


@settings(max_examples=30)
@given(st.lists(st.text("db-", min_size=1, max_size=8), min_size=1, max_size=5), st.randoms())
def test_the_order_of_rows_changes_nothing_and_nobody_else_s_videos_do(people, random):
    videos = videos_of(**{f"s{number}": of for number, of in enumerate(people)})
    found = mini_set(videos, NOTHING).videos
    shuffled = videos.iloc[random.sample(range(len(videos)), len(videos))]
    assert mini_set(shuffled, NOTHING).videos.equals(found)
    alone = mini_set(videos[videos["subject"] == "s0"], NOTHING).videos
    assert alone.equals(found[found["subject"] == "s0"].reset_index(drop=True))
    assert (found.groupby("subject").size() == videos.groupby("subject").size().clip(upper=2)).all()
    both = videos.groupby("subject")["lighting"].agg(lambda of: {"dark", "bright"} <= set(of))
    lit = found.groupby("subject")["lighting"].agg(set)
    assert all(lit[name] == {"dark", "bright"} for name in both[both].index)


def test_a_video_of_two_people_may_be_in_both_their_pairs():
    videos = pd.DataFrame({"subject": ["a", "b"], "video": ["v", "v"], "lighting": ["dark", "bright"]})
    found = mini_set(videos, NOTHING)
    assert len(found.videos) == 2
    assert found.counts.set_index("figure")["value"]["videos"] == 1


def test_no_video_at_all_is_no_error():
    found = mini_set(videos_of(), NOTHING)
    assert found.videos.empty and found.counts.set_index("figure")["value"]["mini.videos"] == 0


def test_published_figures_are_found_by_attribute_and_group():
    figures = published.read([PAPER])
    assert figures.of_group("deepfakes.ln_wp.wm", "all", "all") == -2.276
    assert figures.of_group("deepfakes.ln_wp.wm", "age_range", "46-85") == -2.337
    assert figures.of_group("deepfakes.log_loss.medics", "voted_fitzpatrick", "VI") == 0.219
    assert figures.of_group("gender_precision.lmtcnn", "lighting", "dark") == 0.4175
    assert figures.of_group("age_precision.lmtcnn", "pronoun", "dark") != figures["age_precision.lmtcnn.all"]
