"""Checkpoints as plain tensors: no pickle of theirs is run, and every tensor must fit the network."""

import pickle
from pathlib import Path

import torch

WRAPPED = ("state_dict", "params_ema", "params")
RECORDS = (
    "mmengine.logging.history_buffer.HistoryBuffer",
    *(f"numpy.{home}.multiarray.{name}" for home in ("core", "_core") for name in ("_reconstruct", "scalar")),
    "numpy.ndarray",
    "numpy.dtype",
    "builtins.getattr",
    "__builtin__.getattr",
)
"""What a training's record holds besides tensors: something that does nothing is made in their place."""
COUNTER = "num_batches_tracked"


class Unfit(Exception):
    """A checkpoint that can't be read as plain tensors, or belongs to another network."""


class Inert:
    """Stands for an object of a training's record."""

    def __init__(self, *_, **__):
        pass

    def __setstate__(self, _):
        pass


def read(path: Path) -> dict:
    """A checkpoint as torch saved it, read with weights_only. Raises Unfit where it holds more than tensors."""
    try:
        with _inert():
            return torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        why = next((line.strip() for line in str(error).splitlines() if "Unsupported" in line), str(error))[:200]
        raise Unfit(f"{path.name} is not a plain checkpoint of tensors ({why}); it is never unpickled here") from None


def _inert():
    """Where torch can be told so, records of a training are taken for something that does nothing."""
    allowed = getattr(torch.serialization, "safe_globals", None)
    if allowed is None:
        from contextlib import nullcontext

        return nullcontext()
    return allowed([(Inert, name) for name in RECORDS])


def tensors(path: Path) -> dict:
    """The tensors of a checkpoint by name: taken out of a training's record, without `module.` in front."""
    state = read(path)
    for name in WRAPPED:
        if isinstance(state.get(name), dict):
            state = state[name]
            break
    return {name.removeprefix("module."): value for name, value in state.items() if isinstance(value, torch.Tensor)}


def fitted(net: torch.nn.Module, state: dict, name: str) -> torch.nn.Module:
    """A network with a checkpoint's tensors, ready to predict. Raises Unfit where one is missing or left over."""
    wanted = {key: tuple(value.shape) for key, value in net.state_dict().items() if COUNTER not in key}
    got = {key: tuple(value.shape) for key, value in state.items() if COUNTER not in key}
    wrong = sorted(key for key in wanted.keys() | got.keys() if wanted.get(key) != got.get(key))
    if wrong:
        told = f"{len(wrong)} tensors are missing, left over, or of another shape ({', '.join(wrong[:3])}, ...)"
        raise Unfit(f"{name} is a checkpoint of another network: {told}")
    net.load_state_dict({key: state[key] for key in wanted}, strict=False)
    return net.eval()
