"""Whether the tensors of a published network are those of a detector's part, and their copy into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import nn

State = Mapping[str, torch.Tensor]
COUNTED = "num_batches_tracked"
"""How many batches a batch norm saw: checkpoints of old lack it, and nothing that learns here reads it."""


class Fit(NamedTuple):
    """What keeps tensors from fitting, by their names in the checkpoint: those it lacks, those of other shapes, those
    that the network has no place for."""

    missing: list[str]
    other_shapes: list[str]
    left_over: list[str]


def by_names(
    net: nn.Module, state: State, names: Mapping[str, str], spare: Sequence[str],
    shaped: Callable[[str, torch.Tensor], torch.Tensor],
) -> Fit:  # fmt: skip
    """Copy tensors into a network that calls them otherwise; the fit is all empty where that was done.

    names: the network's -> the checkpoint's, of all tensors that are wanted; spare: how names of tensors begin that
    aren't; shaped: (the network's name, a tensor) -> the tensor in the shape that the network has it in.
    """
    own = net.state_dict()
    there = {mine: shaped(mine, state[theirs]) for mine, theirs in names.items() if theirs in state}
    known = set(names.values())
    fit = Fit(
        missing=sorted(known - state.keys()),
        other_shapes=sorted(names[mine] for mine, tensor in there.items() if tensor.shape != own[mine].shape),
        left_over=_others(state, known, spare),
    )
    if not any(fit):
        net.load_state_dict(there, strict=False)
    return fit


def by_transformers(net: nn.Module, state: State, spare: Sequence[str], **told: bool) -> Fit:
    """Copy tensors into a network of the transformers library, by their names on the hub; as `by_names`.

    The library knows the names that its networks had in earlier versions. told: arguments of the network's __init__.
    """
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    wanted = {name: tensor for name, tensor in state.items() if not _is_spare(name, spare)}
    loaded, found = type(net).from_pretrained(
        None, config=net.config, state_dict=wanted, output_loading_info=True, ignore_mismatched_sizes=True, **told
    )
    fit = Fit(
        missing=sorted(name for name in found["missing_keys"] if not name.endswith(COUNTED)),
        other_shapes=sorted(name for name, *_ in found["mismatched_keys"]),
        left_over=_others(dict.fromkeys(found["unexpected_keys"]), (), spare),
    )
    if not any(fit):
        net.load_state_dict(loaded.state_dict())
    return fit


def _others(names: Mapping[str, object], known: Sequence[str] | set[str], spare: Sequence[str]) -> list[str]:
    return sorted(name for name in names if name not in known and not _is_spare(name, spare))


def _is_spare(name: str, spare: Sequence[str]) -> bool:
    return name.startswith(tuple(spare)) or name.endswith(COUNTED)
