"""What models of age and gender said of the frames of videos: files with a row per frame."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual import files
from accord.analyse.casual.tables import FramePredictions
from accord.engine.table import check, rows
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.evaluate.tables.videos import Looks
from accord.release.archives import shared
from accord.vocabularies import AGE_RANGES

COLUMNS = ("video", "gender", "age")
GENDERS = {
    **dict.fromkeys(("male", "m", "man"), shared.MALE),
    **dict.fromkeys(("female", "f", "woman"), shared.FEMALE),
    "other": shared.OTHER,
}
"""What models write, in lower case -> the gender that it is counted as."""
BRACKET = re.compile(r"\(?\s*(\d{1,3})\s*[-,]\s*(\d{1,3})\s*\)?")
OPEN = re.compile(r"(\d{1,3})\s*\+")
OLDEST = AGE_RANGES["46-85"][1]
NOTHING = ("", "nan", "none")
HINT = "an age in years, or a bracket such as 25-32, (25, 32) or 60+; empty where there is no face"


def read(paths: Sequence[Path], videos: Collection[str]) -> DataFrame[FramePredictions]:
    """What files say: video, gender, age, a row per frame, both empty where no face was found.

    model: a column, else the file's name without its ending; gender_score: a column, else 1. videos: those there are.
    Brackets count as their midpoint. Raises AccordError with all that is wrong in any file.
    """
    with all_problems() as problems:
        made = [_read(Path(path), set(videos), problems) for path in paths]
        whole = pd.concat(made, ignore_index=True)
        models = whole.groupby("model")["file"].nunique()
        for model in models[models > 1].index:
            hint = "give each model one file, or different names"
            problems.add("predictions", f"{models[model]} files are of model {str(model)!r}", hint)
    return rows(whole.drop(columns="file").to_dict("records"), FramePredictions)


def together(said: DataFrame[FramePredictions], looked: DataFrame[Looks]) -> DataFrame[FramePredictions]:
    """What files say and what models of the run say. Raises AccordError where a file's model has the name of one."""
    again = sorted({*said["model"]} & {*looked["model"]})
    if again:
        hint = "give the file another name"
        raise AccordError(Problem("predictions", f"a model of the run is called {name!r}, too", hint) for name in again)
    named = looked.rename(columns={"image": "video"})[list(said.columns)]
    return check(pd.concat([part for part in (said, named) if len(part)] or [said]), FramePredictions, "predictions")


def age(text: str) -> float | None:
    """The age in years that a text says; a bracket is its midpoint, an open one reaches to 85. NaN for nothing, None
    for what is no age."""
    if text.lower() in NOTHING:
        return float("nan")
    if found := BRACKET.fullmatch(text):
        return (int(found[1]) + int(found[2])) / 2 if int(found[1]) <= int(found[2]) else None
    if found := OPEN.fullmatch(text):
        return (int(found[1]) + max(OLDEST, int(found[1]))) / 2
    number = files.numbers(pd.Series([text]))[0]
    return float(number) if 0 <= number <= 150 else None


def _read(path: Path, videos: set[str], problems: Collector) -> pd.DataFrame:
    found, where = files.read(path, COLUMNS, problems), str(path)
    ages = {text: age(text) for text in found["age"].unique()}
    genders = found["gender"].str.lower()
    named = genders.map(GENDERS)
    score = files.numbers(found["gender_score"]) if "gender_score" in found else pd.Series(1.0, index=found.index)
    empty = genders.isin(NOTHING)
    known = ", ".join(GENDERS)
    files.tell(where, ~found["video"].isin(videos), "video is unknown", "use the names of the dataset", problems)
    files.tell(where, named.isna() & ~empty, "gender is not known", f"one of {known}, or nothing", problems)
    files.tell(where, found["age"].map(lambda text: ages[text] is None), "age is not valid", HINT, problems)
    wrong = ~empty & ~score.between(0, 1)
    files.tell(where, wrong, "gender_score is not in 0 to 1", "the model's score of the gender that it says", problems)
    if "frame" in found:
        again = found.duplicated([name for name in ("model", "video", "frame") if name in found])
        files.tell(where, again, "is another row of the same frame", "one row per frame: the largest face", problems)
    return pd.DataFrame({
        "model": found.get("model", path.stem),
        "video": found["video"],
        "gender": named.fillna(""),
        "gender_score": score.where(~empty),
        "age": found["age"].map(ages).astype(float),
        "file": where,
    })  # fmt: skip
