"""What an attacker learns of one person's answer by comparing the aggregates of two releases.

Two kinds of attack, each on many populations; 1 to 3 people differ between the versions, the target among them:
- leaves: the attacker knows who left, and of nobody what they answered. They guess the cell that shrank most.
- joins: the attacker knows everyone's answer but the target's, who is new in the second version, and how answers are
  distributed. They try each answer, and guess the likeliest of those that explain what they see (Bayes).
The baseline is the same attacker without the second version. A third attack shows what a rule of 10 people leaves open:
- nudged: as joins, but 9 others who answer what the attacker tests for join with the target.
Rates have 95% Wilson intervals. Run: python benchmarks/differencing.py
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from accord.release.disclosure.aggregates import LEAST, ROUNDED_TO, told
from accord.release.disclosure.memory import drawn

POPULATIONS = 500
KEYS = tuple(f"key-{n}" for n in range(12))
Answers = dict[int, int]
"""Person -> what they answer."""

Table = dict[int, int]
"""Answer -> the number that is told."""


class Rate(NamedTuple):
    """Successes of an attack: how many of how many."""

    hits: int
    tries: int

    @property
    def share(self) -> float:
        return self.hits / self.tries

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, 95%."""
        z, n, p = 1.959964, self.tries, self.share
        centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.3f} [{low:.3f}, {high:.3f}]"


class Case(NamedTuple):
    """Two versions of a population, the person whose answer is sought, and how answers are distributed."""

    first: Answers
    second: Answers
    target: int
    prior: np.ndarray


def exact(first: Answers, second: Answers, key: str) -> tuple[Table, Table]:
    """Counts as they are."""
    return dict(Counter(first.values())), dict(Counter(second.values()))


def rounded(first: Answers, second: Answers, key: str) -> tuple[Table, Table]:
    """Counts rounded to 5; fewer than 10 hidden."""
    return tuple(
        {v: round(n / ROUNDED_TO) * ROUNDED_TO for v, n in table.items() if n >= LEAST}
        for table in exact(first, second, key)
    )


def ours(first: Answers, second: Answers, key: str) -> tuple[Table, Table]:
    """What two releases of Accord tell."""
    before = told(_cells(first), {})
    return _table(before), _table(told(_cells(second), before, drawn(key)))


SCHEMES: dict[str, Callable[[Answers, Answers, str], tuple[Table, Table]]] = {
    "exact counts": exact,
    "rounded, memoryless": rounded,
    "released by Accord": ours,
}


def leaving(rng: np.random.Generator) -> Case:
    """1 to 3 people withdraw, the target among them."""
    everyone, prior = _population(rng)
    gone = rng.choice(len(everyone), rng.integers(1, 4), replace=False)
    return Case(everyone, {p: v for p, v in everyone.items() if p not in gone}, int(gone[0]), prior)


def joining(rng: np.random.Generator) -> Case:
    """1 to 3 people are new, the target among them."""
    left = leaving(rng)
    return Case(left.second, left.first, left.target, left.prior)


def nudging(rng: np.random.Generator) -> Case:
    """The target is new, and so are 9 others who give the commonest answer."""
    case = joining(rng)
    common = max(Counter(case.first.values()).items(), key=lambda item: (item[1], item[0]))[0]
    others = {-n: common for n in range(1, LEAST)}
    target = {case.target: case.second[case.target]}
    return Case(case.first, case.first | others | target, case.target, case.prior)


def shrunk_most(case: Case, tables: tuple[Table, Table]) -> int:
    """The answer whose number fell most; of equals the commonest."""
    before, after = tables
    return max(range(len(case.prior)), key=lambda v: (before.get(v, 0) - after.get(v, 0), before.get(v, 0), v))


def likeliest(case: Case, tables: tuple[Table, Table], scheme: Callable) -> int:
    """The answer that explains best what is told of the second version, all others' answers being known."""
    weights = []
    for answer, chance in enumerate(case.prior):
        would = [scheme(case.first, case.second | {case.target: answer}, key)[1] for key in KEYS]
        weights.append(chance * np.mean([table == tables[1] for table in would]))
    return int(np.argmax(weights))


def attack(name: str, scheme: Callable, populations: int = POPULATIONS, seed: int = 1) -> tuple[Rate, Rate]:
    """The rate of success of an attack on a scheme, and that of the attacker without the second version."""
    rng, hits, baseline = np.random.default_rng(seed), 0, 0
    for number in range(populations):
        case = {"leaves": leaving, "joins": joining, "nudged": nudging}[name](rng)
        tables = scheme(case.first, case.second, f"vault-{number}" if name == "leaves" else KEYS[number % len(KEYS)])
        if name == "leaves":
            guess, blind = shrunk_most(case, tables), shrunk_most(case, (tables[0], tables[0]))
        else:
            guess, blind = likeliest(case, tables, scheme), int(np.argmax(case.prior))
        answer = case.first.get(case.target, case.second.get(case.target))
        hits, baseline = hits + (guess == answer), baseline + (blind == answer)
    return Rate(hits, populations), Rate(baseline, populations)


def _population(rng: np.random.Generator) -> tuple[Answers, np.ndarray]:
    """60 to 250 people who give one of 3 to 6 answers."""
    prior = rng.dirichlet(np.full(rng.integers(3, 7), 1.5))
    return dict(enumerate(rng.choice(len(prior), rng.integers(60, 251), p=prior).tolist())), prior


def _cells(answers: Answers) -> dict:
    found: dict[int, list[int]] = defaultdict(list)
    for person, answer in answers.items():
        found[answer].append(person)
    return {("disability", str(answer)): frozenset(map(str, members)) for answer, members in found.items()}


def _table(cells) -> Table:
    return {int(value): cell.told for (_, value), cell in cells.items() if cell.told is not None}


def main() -> None:
    """Print a line for each attack on each scheme."""
    print(f"{'attack':8} {'aggregates':22} {'success':22} without the second version")
    for name in ("leaves", "joins", "nudged"):
        for title, scheme in SCHEMES.items():
            success, baseline = attack(name, scheme)
            print(f"{name:8} {title:22} {success!s:22} {baseline}")


if __name__ == "__main__":
    main()
