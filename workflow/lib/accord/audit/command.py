"""`accord audit FILE`: what any output was made from, and whether every file on the way is still what it was."""

import argparse
import json
from pathlib import Path

from accord.audit.lineage import BROKEN, Node, trace

MARKS = {"ok": "ok     ", "source": "source ", "changed": "CHANGED", "missing": "MISSING", "unknown": "UNKNOWN"}


def main(argv: list[str]) -> int:
    """Print the lineage of a file; the exit code is the verdict: 0 where all is as recorded, else 1."""
    parser = argparse.ArgumentParser(prog="accord audit", description=main.__doc__)
    parser.add_argument("file", type=Path, help="any output: a table, a bundle, a report, a file of a release")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(argv)
    root = trace(given.file)
    broken = [node for node in root.walk() if node.status in BROKEN]
    print(json.dumps(document(root), indent=1) if given.json else text(root))
    return 1 if broken else 0


def text(root: Node) -> str:
    """The lineage as a tree, each file told once, and the verdict below it."""
    lines, seen = [], set()

    def tell(node: Node, depth: int) -> None:
        step = f"  <- {node.story['step']} [{node.story['code']}]" if node.story else ""
        again = node.path in seen
        lines.append(f"{MARKS[node.status]} {'  ' * depth}{node.path}{step}{'  (see above)' if again else ''}")
        seen.add(node.path)
        for child in () if again else node.inputs:
            tell(child, depth + 1)

    tell(root, 0)
    nodes = list(root.walk())
    broken = sum(node.status in BROKEN for node in nodes)
    verdict = f"{broken} of them are not what was recorded" if broken else "all are what was recorded"
    return "\n".join([*lines, "", f"{len(nodes)} files checked: {verdict}"])


def document(root: Node) -> dict:
    """The lineage as a graph: every file once, its status, how it was made, and from what."""
    nodes = list(root.walk())
    return {
        "file": root.path,
        "verdict": "broken" if any(node.status in BROKEN for node in nodes) else "intact",
        "files": [
            {
                "path": node.path,
                "status": node.status,
                "sha256": node.sha256,
                "step": (node.story or {}).get("step"),
                "code": (node.story or {}).get("code"),
                "params": (node.story or {}).get("params"),
                "inputs": [child.path for child in node.inputs],
            }
            for node in nodes
        ],
    }
