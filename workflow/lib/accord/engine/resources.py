"""Files that ship with accord beside its code (rules, schemas, profiles, settings): where they lie.

A checkout has them at its root, where people look for them; a wheel has the same tree inside the package (setup.py
puts it there), in a folder of its own, so that no module's digest counts them as its data.
"""

import os
from importlib.resources import files
from pathlib import Path

PACKAGE = Path(str(files("accord")))
IN_WHEEL = PACKAGE / "shipped"
SCHEMAS = "workflow/schemas"


def root() -> Path:
    """The folder that `workflow/` and `config/` lie in: of a checkout its root, else one inside the package."""
    return IN_WHEEL if IN_WHEEL.is_dir() else PACKAGE.parents[2]


def shipped(name: str) -> Path:
    """A file or folder that ships with accord, by its path in a checkout, such as `workflow/Snakefile`."""
    return root() / name


def schema(name: str) -> Path:
    """A schema, by its file's name."""
    return shipped(f"{SCHEMAS}/{name}")


def beside(module: str) -> Path:
    """The folder of a module, where the data files lie that it reads. `module`: its `__name__`."""
    return Path(str(files(module.rpartition(".")[0])))


def alone(below: Path) -> Path:
    """A folder under `below` with this package alone: for PYTHONPATH, without all else that lies beside a wheel.

    Of a checkout it is the folder of the library itself.
    """
    if root() != IN_WHEEL:
        return PACKAGE.parent
    link = below.absolute() / PACKAGE.name
    if not (link.exists() and link.samefile(PACKAGE)):
        below.mkdir(parents=True, exist_ok=True)
        new = link.with_name(f"{link.name}.{os.getpid()}")
        new.symlink_to(PACKAGE.resolve(), target_is_directory=True)
        new.replace(link)  # several jobs may start at once
    return link.parent


def own_or_shipped(name: str) -> Path:
    """The file or folder of that path in the working directory; where there is none, the one that ships."""
    return Path(name) if Path(name).exists() else shipped(name)
