"""Write the file that an entry of config/models.yaml reads, from its authors' code and checkpoint: run once.

    python workflow/export.py NAME --code CHECKOUT --checkpoint FILE

It runs in the environment of the authors' code: it needs Python 3.10, torch, numpy, onnx and onnxruntime, not Accord.
docs/models-export.md has the command of each model. The authors' code is run: look at it first. Checkpoints are read
as plain tensors; no pickle is run.
"""

import argparse
import sys
from pathlib import Path

from exports import FAMILIES, family
from exports.checked import TOLERANCE, NotTheSame, write
from exports.checkpoints import Unfit


def main(argv: list[str]) -> int:
    """Export, check, and say how far the file is from torch's own graph; returns the exit code."""
    flags = parser().parse_args(argv)
    out = flags.out or Path("weights") / FAMILIES[flags.name].file
    try:
        worst = write(family(flags.name).made(flags), out, flags.picture, flags.tolerance)
    except (NotTheSame, Unfit, FileNotFoundError) as error:
        print(f"{flags.name}: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"{flags.name}: {error}: docs/models-export.md says what its authors' code needs", file=sys.stderr)
        return 1
    print(f"wrote {out}: within {worst:.1e} of torch's own graph. Next: accord weights lock {flags.name}")
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="export.py", description=__doc__, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    made.add_argument("name", choices=FAMILIES, help="a name in config/models.yaml")
    made.add_argument("--code", type=Path, required=True, help="the checkout of the authors' repository")
    made.add_argument("--checkpoint", type=Path, required=True, help="the file that they publish")
    made.add_argument("--config", type=Path, help="of OpenMMLab's: another configuration than the usual one")
    made.add_argument("--picture", type=Path, nargs="+", default=[], help="photographs to hold the file against, too")
    made.add_argument(
        "--tolerance", type=float, default=TOLERANCE, help="the largest difference from torch's own graph"
    )
    made.add_argument("--no-flip", action="store_true", help="of poses: without the mirrored picture, at half the cost")
    made.add_argument("--out", type=Path, help="the file to write (default: weights/ and the name in models.yaml)")
    return made


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
