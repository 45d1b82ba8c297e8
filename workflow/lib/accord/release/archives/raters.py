"""Whether raters vote on the review page: held against the other settings when a run is planned."""

from typing import Any

from accord.errors import all_problems

SETTING = "analyse.casual.ask_raters"


def are_asked(casual: dict[str, Any], archive: str) -> bool:
    """Whether raters are asked; casual: the settings `analyse.casual`; archive: the run's format, "" for deliveries.

    Raises AccordError where there are votes in a file already, or no faces that raters could be shown.
    """
    asked = bool(casual["ask_raters"])
    with all_problems() as problems:
        if asked and casual["votes"]:
            problems.add(SETTING, "is true, but analyse.casual.votes names a file of votes", "set one of them")
        if asked and archive != "ccv1":
            hint = "set release.archive to an archive of the format ccv1, or leave it out"
            problems.add(SETTING, "is true, but this run has no videos of which faces could be shown", hint)
    return asked
