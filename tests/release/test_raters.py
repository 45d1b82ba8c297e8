"""Whether raters are asked: settings that contradict each other are told by name."""

import pytest

from accord.errors import AccordError
from accord.release.archives.raters import are_asked


def test_raters_are_asked_about_the_people_of_an_archive_of_videos():
    assert are_asked({"ask_raters": True, "votes": None}, "ccv1")
    assert not are_asked({"ask_raters": False, "votes": "votes.csv"}, "")


@pytest.mark.parametrize(("votes", "archive", "told"), [
    ("votes.csv", "ccv1", ["is true, but analyse.casual.votes names a file of votes"]),
    (None, "", ["is true, but this run has no videos of which faces could be shown"]),
    ("votes.csv", "facet", ["is true, but analyse.casual.votes names a file of votes",
                            "is true, but this run has no videos of which faces could be shown"]),
])  # fmt: skip
def test_what_contradicts_it_is_told(votes, archive, told):
    with pytest.raises(AccordError) as error:
        are_asked({"ask_raters": True, "votes": votes}, archive)
    assert [problem.what for problem in error.value.problems] == told
    assert {problem.where for problem in error.value.problems} == {"analyse.casual.ask_raters"}
