"""An audit as text, and as a document for machines."""

from collections import Counter
from typing import Any

from accord.audit.evidence.lineage import Node
from accord.audit.targets.target import Audit
from accord.audit.telling.checks import FAIL, NOT_APPLICABLE, PASS, VERDICTS, WARN, Check

MARKS = {PASS: "pass", FAIL: "FAIL", WARN: "warn", NOT_APPLICABLE: "n/a "}
STATUS = {
    "ok": "ok     ",
    "source": "source ",
    "changed": "CHANGED",
    "missing": "MISSING",
    "deleted": "deleted",
    "unknown": "UNKNOWN",
}
WORDS = {
    PASS: "all checks passed",
    WARN: "no check failed; see the warnings",
    FAIL: "at least one check failed",
}


def text(audit: Audit, lineage: bool = True) -> str:
    """The verdict, the checks, the facts, the lineage as a tree in which each file is told once, and the verdict."""
    verdict = f"verdict: {audit.verdict.upper()} - {WORDS[audit.verdict]} ({counted(audit)})"
    lines = [f"audit of {audit.target}", verdict, ""]
    theme = ""
    for check in audit.checks:
        lines += [check.theme] * (check.theme != theme)
        theme = check.theme
        lines += _lines(check)
    for section in audit.sections:
        lines += ["", section.title]
        lines += [f"  {'  '.join(str(cell) for cell in row)}" for row in [section.columns, *section.rows]]
    if audit.root and lineage:
        lines += ["", "lineage", *tree(audit.root)]
    return printable("\n".join([*lines, "", verdict]))


def counted(audit: Audit) -> str:
    """How many checks there are of each verdict."""
    found = Counter(check.verdict for check in audit.checks)
    return ", ".join(f"{found[one]} {one}" for one in VERDICTS if found[one])


def _lines(check: Check) -> list[str]:
    where = f" {check.where}:" if check.where else ""
    told = [f"  {MARKS[check.verdict]}  {check.name}:{where} {check.what}"]
    return told + ([f"        hint: {check.hint}"] if check.hint and check.verdict in (FAIL, WARN) else [])


def tree(root: Node) -> list[str]:
    """The lineage, each file told once."""
    lines, seen = [], set()

    def tell(node: Node, depth: int) -> None:
        step = f"  <- {node.record['step']} [{node.record['code']}]" if node.record else ""
        again = node.path in seen
        lines.append(f"  {STATUS[node.status]} {'  ' * depth}{node.path}{step}{'  (see above)' if again else ''}")
        seen.add(node.path)
        for child in () if again else node.inputs:
            tell(child, depth + 1)

    tell(root, 0)
    return lines


def document(audit: Audit) -> dict[str, Any]:
    """The audit as JSON: verdict, checks, facts, and the lineage as a graph with every file once."""
    return {
        "target": audit.target,
        "verdict": audit.verdict,
        "checks": [check._asdict() for check in audit.checks],
        "sections": [
            {"title": s.title, "columns": list(s.columns), "rows": [[_plain(cell) for cell in row] for row in s.rows]}
            for s in audit.sections
        ],
        "files": [_file(node) for node in audit.root.walk()] if audit.root else [],
    }


def _plain(cell: Any) -> Any:
    return cell if isinstance(cell, str | int | bool | None) else str(cell)


def _file(node: Node) -> dict[str, Any]:
    record = node.record or {}
    return {
        "path": node.path,
        "status": node.status,
        "sha256": node.sha256,
        "step": record.get("step"),
        "code": record.get("code"),
        "params": record.get("params"),
        "inputs": [child.path for child in node.inputs],
    }


def printable(text: str) -> str:
    """The text with characters that a terminal would obey escaped."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
