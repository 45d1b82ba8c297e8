"""What models said of videos as scores of single videos, for the steps that compare groups."""

from collections.abc import Mapping

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.tables import VideoLooks
from accord.analyse.tables.scores import Scores
from accord.engine.table import rows

LOOKS, FAKES = "age_gender", "fake_detection"


def of_looks(looks: DataFrame[VideoLooks]) -> DataFrame[Scores]:
    """Whether each video's age and gender are right; the image is the video."""
    made = looks.drop(columns="value").rename(columns={"video": "image", "right": "value"})
    return _scores(made.assign(task=LOOKS, metric=made["attribute"] + "_right"))


def of_submissions(judged: Mapping[str, pd.DataFrame]) -> DataFrame[Scores]:
    """Whether each video is called what it is, how sure, and which error it was; the image is `submitted/<filename>`.

    judged: submission -> image, subject, label, called, loss. Real videos can't be missed, nor fakes be false alarms:
    they have no such row.
    """
    made = []
    for name, videos in judged.items():
        fake = videos["label"] == 1
        values = {"fake_right": videos["called"] == fake, "fake_log_loss": videos["loss"]}
        values |= {"false_alarm": videos["called"][~fake], "missed_fake": ~videos["called"].astype(bool)[fake]}
        for metric, value in values.items():
            some = videos.loc[value.index, ["image", "subject"]]
            made.append(some.assign(model=name, metric=metric, value=value.astype(float)))
    whole = pd.concat(made, ignore_index=True) if made else pd.DataFrame(columns=list(Scores.to_schema().columns))
    return _scores(whole.assign(task=FAKES, note=""))


def _scores(made: pd.DataFrame) -> DataFrame[Scores]:
    columns = list(Scores.to_schema().columns)
    ordered = made.sort_values(["model", "metric", "image", "subject"])
    return rows(ordered[columns].to_dict("records"), Scores)
