"""Days of a step that keeps rows of films: what changes in a world, and what harms a file, for tests of kept rows."""

import random
from pathlib import Path
from typing import Any


def after(world: Any, day: tuple, others: dict) -> Any:
    """The world after a withdrawal, a delivery or a change of a film, another order of films, or another setting or
    code, as `others` has it. world: a NamedTuple with `films` by name."""
    what, which, value = day
    if what == "film":
        left = {name: one for name, one in world.films.items() if name != which}
        return world._replace(films=left | ({} if value is None else {which: value}))
    if what == "order":
        return world._replace(films=dict(which.sample([*world.films.items()], len(world.films))))
    return world._replace(**{which: others[which]}) if what == "all" else world


def harm(path: Path, chance: random.Random) -> None:
    """As a kill or a bad disk leaves a file: cut, flipped, or gone."""
    data = path.read_bytes()
    at = chance.randrange(len(data))
    left = [data[:at], data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :], None][chance.randrange(3)]
    path.unlink()
    if left is not None:
        path.write_bytes(left)
