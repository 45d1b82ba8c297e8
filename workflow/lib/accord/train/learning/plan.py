"""What a training run depends on besides its pictures: length, batches, learning rates, precision, seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.errors import Collector, all_problems

CONSTANT, COSINE = "constant", "cosine"
SCHEDULES = (CONSTANT, COSINE)
FULL, BRAIN = "float32", "bfloat16"
MOST_SEED = 2**31


@dataclass(frozen=True)
class Plan:
    """Settings of a training run. Raises AccordError with all that is wrong with them.

    steps: updates in all; batch: pictures in one; rate: learning rate at its highest, which `schedule` keeps or takes
    along half a cosine to zero; every: steps between two checkpoints; precision: of the forward pass.
    """

    seed: int
    steps: int
    batch: int
    rate: float
    schedule: str = CONSTANT
    every: int = 500
    precision: str = FULL

    def __post_init__(self) -> None:
        with all_problems() as problems:
            _judge(self, problems)

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, counted from 0 (cosine annealing: Loshchilov and Hutter 2017, equation 5)."""
        share = 0.5 * (1 + math.cos(math.pi * step / self.steps)) if self.schedule == COSINE else 1.0
        return self.rate * share

    def seed_at(self, step: int, process: int = 0) -> int:
        """The seed of all that a step draws: of dropout, say. It depends on no step before, so none need be redone."""
        told = [self.seed, 1, step, *([process] if process else [])]
        return int(np.random.SeedSequence(told).generate_state(1, np.uint64)[0] % MOST_SEED)

    def pictures_at(self, step: int, count: int) -> np.ndarray:
        """The numbers (batch,) of the pictures of a step: each of `count` once per epoch, in an order of its own.

        What is left at the end of an epoch, fewer than a batch, is not seen in it.
        """
        per_epoch = count // self.batch
        epoch, place = divmod(step, per_epoch)
        order = np.random.default_rng([self.seed, 0, epoch]).permutation(count)
        return order[place * self.batch : (place + 1) * self.batch]


def of_epochs(spec: dict[str, Any], count: int) -> Plan:
    """The plan of a training of so many pictures: whole epochs. spec: seed, batch, epochs, rate, schedule, every,
    precision."""
    batch = min(spec["batch"], count)
    return Plan(
        seed=spec["seed"], steps=max(1, spec["epochs"] * (count // batch)), batch=batch, rate=spec["rate"],
        schedule=spec["schedule"], every=spec["every"], precision=spec["precision"],
    )  # fmt: skip


def _judge(plan: Plan, problems: Collector) -> None:
    for name in ("steps", "batch", "every"):
        if getattr(plan, name) < 1:
            problems.add(f"training setting {name}", f"is {getattr(plan, name)}", "use 1 or more")
    if not 0 <= plan.seed < MOST_SEED:
        problems.add("training setting seed", f"is {plan.seed}", f"use 0 to {MOST_SEED - 1}")
    if not (math.isfinite(plan.rate) and plan.rate > 0):
        problems.add("training setting rate", f"is {plan.rate}", "use a learning rate above 0")
    for name, known in (("schedule", SCHEDULES), ("precision", (FULL, BRAIN))):
        if (value := getattr(plan, name)) not in known:
            problems.add(f"training setting {name}", f"unknown value {value!r}", f"use one of {', '.join(known)}")
