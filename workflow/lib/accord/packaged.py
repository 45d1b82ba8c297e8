"""Files that packages ship, weights above all: where they lie."""

from importlib.util import find_spec
from pathlib import Path

from accord.errors import AccordError, Problem


def weights(model: tuple[str, str]) -> Path:
    """The file of a model, given its package and the path in it. Raises AccordError where it is not installed."""
    package, name = model
    spec = find_spec(package)
    path = Path((spec.submodule_search_locations or [""])[0]) / name if spec else None
    if path is None or not path.exists():
        hint = f"install the package that ships it: {package} (see weights.txt)"
        raise AccordError(Problem(f"model {Path(name).name}", "its weights are not installed", hint))
    return path
