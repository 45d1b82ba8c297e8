"""How often `accord audit` finds tampering: `python benchmarks/tampering.py FINISHED_PROJECT [TIMES] [SEED]`.

The project is copied beside itself, and never changed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "flow"))

import restored
import tampers
import trials


def main(project: str, times: str = "10", seed: str = "1") -> None:
    """Try every class so many times, and print a table."""
    with restored.copied(Path(project).resolve()) as copy:
        if before := trials.failures():
            sys.exit(f"the project fails already: {', '.join(sorted(before))}")
        tallies = []
        for kind in tampers.CLASSES:
            tallies.append(trials.tally(copy, kind, int(times), int(seed)))
            print(".", end="", file=sys.stderr, flush=True)
    print(f"\n{trials.table(tallies)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
