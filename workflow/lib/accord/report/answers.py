"""The four questions of a first screen: how well, for whom worst, how sure, why probably."""

import pandas as pd

from accord.report import names
from accord.report.blocks import Answers
from accord.report.told import WHOLE, Told
from accord.report.why import why
from accord.report.words import by_strength, upper

HOW_WELL, WORST, SURE, WHY = "How well?", "For whom worst?", "How sure is that?", "Why, probably?"


def answers(told: Told, number: int) -> Answers:
    """The answers for a model. `told`: of the model alone; `number`: of the model on its page or in the list."""
    claims = strongest(told)
    first = claims[0] if claims else None
    texts = [how_well(told), worst(told, claims), sure(told, first), _why(told, first)]
    questions = (HOW_WELL, WORST, SURE, WHY)
    told_ = [{"question": q, "short": short, "long": long} for q, (short, long) in zip(questions, texts, strict=True)]
    return Answers(f"table-answers-{number}", told_)


def how_well(told: Told) -> tuple[str, str]:
    """The mean score of everyone, and what it says."""
    everyone = _everyone(told)
    if everyone.empty:
        return "Not known", "It has no score: see its page for the reason."
    first, *others = list(everyone.itertuples())
    sentence = f"{upper(names.plain(first.metric))}. {first.images:,} pictures of {first.subjects:,} people."
    sentence += "".join(f" Also {row.mean:.2f}: {names.plain(row.metric)}." for row in others)
    return f"{first.mean:.2f}", sentence


def _everyone(told: Told) -> pd.DataFrame:
    """The rows of groups that tell of everyone, one for each metric that has a mean; what is told first comes first."""
    return told.groups[(told.groups["attribute"] == WHOLE) & told.groups["mean"].notna()]


def worst(told: Told, claims: list) -> tuple[str, str]:
    """The group that is worst off, if any is shown to be."""
    if not (told.disparities["pairs"] > 0).any():
        return "Can't be said", "No two groups have enough people to be compared."
    if not claims:
        return "No one, as far as can be shown", _spread(told)
    first = claims[0]
    sentence = (
        f"{first.worst_mean:.2f} on average, against {first.best_mean:.2f} for {names.group(first.best)} "
        f"({names.attribute(first.attribute).lower()})."
    )
    if first.metric not in set(_everyone(told)["metric"].head(1)):
        sentence += f" This is {names.plain(first.metric)}."
    others = sorted({names.group(row.worst) for row in claims} - {names.group(first.worst)})
    sentence += f" Also worse for {', '.join(others)}." if others else ""
    return names.group(first.worst), sentence


def sure(told: Told, first) -> tuple[str, str]:
    """How sure the worst group is: the chance that it is none, in words."""
    tested = int((told.disparities["pairs"] > 0).sum())
    if not tested:
        return "Can't be said", "There are too few people in each group."
    if first is not None:
        times = int(1 / max(first.p_between_subjects, 1e-6) + 1e-6)
        return "Very sure" if times >= 100 else "Sure", (
            f"Chance alone would show such a difference in at most 1 of {times:,} reports like this. "
            f"{first.worst_subjects} people are compared with {first.best_subjects}.{_ways(told, first)}"
        )
    if told.disparities["significant"].any():
        return (
            "Not sure",
            "Some groups differ from picture to picture, but a few people alone may make that difference.",
        )
    return "Not sure", f"No difference is beyond chance.{_hidden(told)}"


def _ways(told: Told, first) -> str:
    """In how many other ways of looking at the data the difference holds."""
    keys = ["metric", "attribute", "worst", "best"]
    mine = told.multiverse[(told.multiverse[keys] == [getattr(first, key) for key in keys]).all(axis=1)]
    known = mine[mine["note"] == ""]
    return (
        f" It holds in {int(known['holds'].sum())} of {len(known)} ways of looking at the data." if len(known) else ""
    )


def _hidden(told: Told) -> str:
    """How large a difference between single attributes' groups could have stayed hidden, at the median."""
    found = told.power.loc[~told.power["attribute"].str.contains(" x ", regex=False), "detectable_in_report"].median()
    small = " With so few people in each group, real ones can stay hidden."
    return small if pd.isna(found) else f"{small[:-1]}: those under about {found:.2f}."


def strongest(told: Told) -> list:
    """The claimed disparities, the largest first, as rows."""
    return list(by_strength(told.disparities[told.disparities["claimed"]]).itertuples())


def _why(told: Told, first) -> tuple[str, str]:
    return why(first, told.conditioned, told.causes) if first is not None else ("Nothing to explain", _causes(told))


def _causes(told: Told) -> str:
    from accord.report.features import called

    found = told.causes[told.causes["claimed"]].sort_values(["importance", "feature"], ascending=[False, True])
    if found.empty:
        return "Its errors go with nothing that was measured, beyond chance."
    listed = list(dict.fromkeys(called(one) for one in found["feature"]))[:3]
    return f"Its errors go with {', '.join(listed)}."


def _spread(told: Told) -> str:
    single = told.groups[told.groups["mean"].notna() & ~told.groups["attribute"].str.contains(" x ", regex=False)]
    single = single[single["attribute"] != WHOLE]
    if single.empty:
        return "Groups are too small to have a figure."
    metric = single["metric"].iloc[0]
    mine: pd.DataFrame = single[single["metric"] == metric].sort_values(["mean", "attribute", "group"])
    low, high = mine.iloc[0], mine.iloc[-1]
    return (
        f"Groups' averages go from {low['mean']:.2f} ({names.group(low['group'])}) to {high['mean']:.2f} "
        f"({names.group(high['group'])}), which chance may explain."
    )
