"""`accord prune` of exported copies: of one by itself, and of those that are listed beside a release."""

import argparse
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord import command_line
from accord.errors import AccordError, Problem
from accord.release.exporting import pruning, register
from accord.text.nouns import counted

UNFIT = ("also", "notice", "acknowledge", "holder_key")
"""Flags that need the leaves of a release."""


def alone(flags: argparse.Namespace, listed: bytes, key: Ed25519PublicKey | None) -> int:
    """Prune an exported copy, which has no seal of its own; returns the exit code."""
    if given := [f"--{name.replace('_', '-')}" for name in UNFIT if getattr(flags, name)]:
        hint = "leave it out, or name the release that the export was made from"
        raise AccordError([Problem(flag, "doesn't apply to an export", hint) for flag in given])
    asked = pruning.plan(flags.release, listed, flags.revocations.name, key)
    count = len(asked.images) if flags.dry_run else pruning.carry_out(flags.release, asked)
    images = counted(count, "image")
    said = f"would erase {images}; nothing was touched" if flags.dry_run else f"erased    {images}"
    command_line.say({"images": count, "revocations": len(asked.receipts), "dry_run": flags.dry_run}, said, flags)
    return 0


def beside(release: Path, version: str, listed: bytes, name: str) -> list[str]:
    """Prune the exports that are listed beside a release; returns a line on what became of each."""
    return [
        f"export    {folder}: " + ("isn't there any more" if count is None else f"{counted(count, 'image')} erased")
        for folder, count in pruning.listed(register.place(release, None), version, listed, name)
    ]
