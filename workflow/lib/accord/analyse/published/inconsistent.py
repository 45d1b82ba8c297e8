"""What does not hold of published figures, as people read it: one row for each reason."""

import pandas as pd

SHOWN = ["file", "line", "name", "state", "rule", "note", "source", "reason"]


def inconsistent(numbers: pd.DataFrame) -> pd.DataFrame:
    """The rules of Numbers that don't hold, broken ones first; those of a file that are broken for one reason as one.

    Of such a reason the first rule is shown, and `like_it` says how many more there are, `last_line` where the last
    stands. A rule for which no reason is given stands by itself.
    """
    wrong = numbers[numbers["state"] != "holds"].sort_values(["state", "file", "line", "rule"])
    alone = wrong["rule"] + wrong["line"].astype(str)
    groups = wrong.groupby(["file", wrong["reason"].where(wrong["reason"] != "", alone)], sort=False)
    first = groups[SHOWN].head(1).reset_index(drop=True)
    return first.assign(like_it=groups.size().to_numpy() - 1, last_line=groups["line"].max().to_numpy())
