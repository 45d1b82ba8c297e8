"""Likeness: what evaluate measured, of what was asked for and is released."""

import numpy as np
import pandas as pd
from analyse_cases import asked_of, verdicts_of

from accord.analyse import likeness

TASK = "face_encoding"


def measured(*rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["model", "image", "subject", "measure", "value", "note"])


def test_measures_become_scores_and_what_is_missing_keeps_its_reason():
    given = measured(
        ("m", "a", "s", "psnr", 31.5, ""),
        ("m", "a", "s", "lpips", np.nan, "no backbone"),
        ("m", "a", "s", "cosine", 0.9, ""),
        ("m", "c", "s", "psnr", 20.0, ""),
    )
    asked = pd.concat([asked_of("m", TASK, [("a", "s"), ("b", "s"), ("c", "s")]), asked_of("n", "other", [("a", "s")])])
    found = likeness.run(given, asked, verdicts_of("abc", failed="c"), task=TASK).set_index(["metric", "image"])
    assert found["value"].dropna().to_dict() == {("psnr", "a"): 31.5, ("cosine", "a"): 0.9}
    assert found.loc[("lpips", "a"), "note"] == "no backbone"
    assert set(found.xs("b", level="image")["note"]) == {"the model produced no output for the face"}
    assert "c" not in found.index.get_level_values("image")
