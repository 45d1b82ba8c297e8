"""A claimed difference that another claimed attribute makes is told with it, by size and both ways."""

import numpy as np
import pandas as pd

from accord.analyse import analyse


def table(seed: int, agreement: float = 0.75, gap: float = 0.1) -> pd.DataFrame:
    """200 people with three images each: the cause lowers scores, the other column agrees with it for some."""
    rng = np.random.default_rng([9, seed])
    cause = rng.integers(0, 2, 200)
    other = np.where(rng.random(200) < agreement, cause, 1 - cause)
    person = np.repeat(np.arange(200), 3)
    score = 0.7 + rng.normal(0, 0.1, 200)[person] + rng.normal(0, 0.1, 600) - gap * cause[person]
    said = {name: np.char.add(name[0], of.astype(str))[person] for name, of in (("cause", cause), ("other", other))}
    return pd.DataFrame({"person": person, "score": score.clip(0, 1), **said})


def disparities(made: pd.DataFrame) -> pd.DataFrame:
    found = analyse(made, score="score", subject="person", attributes=["cause", "other"], bootstraps=100)
    return found.disparities.set_index("attribute")


def test_what_agrees_with_the_cause_is_never_claimed_without_a_word():
    claimed = 0
    for seed in range(60):
        rows = disparities(table(seed, gap=0.08))
        if rows.loc["other", "claimed"]:
            claimed += 1
            note = rows.loc["other", "note"]
            assert "of the difference goes away among subjects of the same cause" in note or "from cause" in note
        else:
            assert rows.loc["other", "note"]
    assert claimed > 0


def test_how_much_goes_away_is_the_difference_among_those_alike():
    """Of 400 people half of the other column's difference is the cause's: 0.1 of 0.2."""
    rng = np.random.default_rng(1)
    cause, other = np.repeat([0, 0, 1, 1], 100), np.repeat([0, 1, 0, 1], [150, 50, 50, 150])
    score = (0.8 - 0.2 * cause - 0.1 * other + rng.normal(0, 0.02, 400)).clip(0, 1)
    made = pd.DataFrame({"score": score, "person": range(400)})
    made["cause"], made["other"] = np.char.add("c", cause.astype(str)), np.char.add("o", other.astype(str))
    row = disparities(made).loc["other"]
    within = [
        made[(made["cause"] == c) & (made["other"] == "o0")]["score"].mean()
        - made[(made["cause"] == c) & (made["other"] == "o1")]["score"].mean()
        for c in ("c0", "c1")
    ]
    share = 1 - np.average(within, weights=[50, 150]) / row["difference"]
    assert row["claimed"] and f"{share:.0%} of the difference goes away among subjects of the same cause" in row["note"]


def test_two_columns_that_say_the_same_can_t_be_distinguished():
    rows = disparities(table(1, agreement=1.0))
    assert rows["claimed"].all()
    assert rows["note"].tolist() == ["can't be distinguished from other", "can't be distinguished from cause"]
