"""Paths of adapters in models.yaml: `opencv:YuNet`, or as of old `accord.evaluate.adapters.opencv:YuNet`.

Both name a module that lies directly in `models/adapters/`, or one of privacy's painters; of this library nothing else
is imported by name. Records tell the long form whichever was written, so that a change of form reruns nothing.
"""

from accord.engine import resources

ADAPTERS = resources.beside(__name__) / "adapters"
SHIPPED = "accord.evaluate.adapters."
PAINTERS = {f"accord.privacy.{name}": f"privacy.painting.{name}" for name in ("lama", "stable")}
"""Long form -> where it lies: in privacy, which alone knows what a painter is asked."""


def recorded(adapter: str) -> str:
    """The long form of `module:Class`; a path of a file, or of an installed package, stays as it is."""
    module, _, name = adapter.rpartition(":")
    if "." in module or "/" in module:
        return adapter
    painter = f"accord.privacy.{module}"
    return f"{painter if painter in PAINTERS else SHIPPED + module}:{name}"


def shown(adapter: str) -> str:
    """The short form of `module:Class`, as people are told it."""
    return adapter.removeprefix(SHIPPED).removeprefix("accord.privacy.")


def step_of(adapter: str) -> str | None:
    """Where an adapter of this library lies, below `accord`, as `models.adapters.opencv`; None for all others.

    Raises LookupError where the name is one of this library, and no adapter has it.
    """
    module = recorded(adapter).rpartition(":")[0]
    if module.endswith(".py") or module.partition(".")[0] != "accord":
        return None
    if module in PAINTERS:
        return PAINTERS[module]
    stem = module.removeprefix(SHIPPED)
    if stem == module or not stem.isidentifier() or stem == "__init__" or not (ADAPTERS / f"{stem}.py").is_file():
        raise LookupError(f"there is no module {shown(module)}")
    return f"models.adapters.{stem}"
