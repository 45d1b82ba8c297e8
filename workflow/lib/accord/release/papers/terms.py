"""The terms of use of a release, from one list of clauses: as text, and as an offer in ODRL 2.2 (W3C, 2018).

A clause that permits, forbids or demands something has rules; one that only states something (no warranty) has none,
and is told in the offer's description. Purposes and events are names of ours, since ODRL has none; its actions,
operands and operators are ODRL's own.
"""

import json
import textwrap
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from accord.engine import resources, yaml_text
from accord.errors import AccordError, Problem

TEXT, OFFER = "terms.txt", "terms.odrl.json"
SOURCE = "terms.json"
CONTEXT = ["http://www.w3.org/ns/odrl.jsonld", {"dct": "http://purl.org/dc/terms/"}]
DURATION = "http://www.w3.org/2001/XMLSchema#duration"
KINDS = ("permission", "prohibition", "obligation")
WIDTH = 120
WITHDRAWN = "consent-withdrawn"
HINT = "a list of clauses with text, and rules for what they permit, forbid or demand: docs/release.md, Own terms"


def read(files: list[Path]) -> list[dict[str, Any]]:
    """The clauses of a project's own terms, as their file has them; none where it has no such file.

    Raises AccordError where the file holds no clauses, or none of them demands that what somebody withdrew is deleted.
    """
    import jsonschema

    for file in files:
        try:
            clauses = yaml_text.said(Path(file).read_text("utf-8-sig"))
            jsonschema.validate(clauses, json.loads(resources.schema("terms.schema.json").read_text()))
        except jsonschema.ValidationError as error:
            raise AccordError(Problem(f"{file} {error.json_path}", error.message[:200], HINT)) from None
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise AccordError(Problem(str(file), f"is no YAML or JSON ({type(error).__name__})", HINT)) from None
        rules = [rule for clause in clauses for rule in clause.get("rules", [])]
        if not any(rule["action"] == "delete" and rule.get("after") == WITHDRAWN for rule in rules):
            what = f"no clause has a rule of the kind obligation, with action delete, after {WITHDRAWN}"
            raise AccordError(
                Problem(str(file), what, "copies must end when somebody withdraws: docs/release.md, Own terms")
            )
        return [{"rules": [], **clause} for clause in clauses]
    return []


def text(facts: dict[str, Any]) -> str:
    """The terms in words, numbered. `facts`: dataset, version, and clauses if they aren't the usual ones."""
    lines = [f"Terms of use of {facts['dataset']} {facts['version']}", ""]
    for number, clause in enumerate(_clauses(facts), 1):
        lines.append(textwrap.fill(f"{number}. {clause['text']}", WIDTH, subsequent_indent="   "))
    return "\n".join(lines) + "\n"


def offer(facts: dict[str, Any]) -> str:
    """The terms as an ODRL Offer (JSON-LD), each rule with the clause that it says. `facts`: dataset and version."""
    dataset, version = (quote(str(facts[name]), safe="") for name in ("dataset", "version"))
    clauses = _clauses(facts)
    rules = [(rule, clause["text"]) for clause in clauses for rule in clause["rules"]]
    told = {
        "@context": CONTEXT,
        "@type": "Offer",
        "uid": f"urn:accord:terms:{dataset}:{version}",
        "dct:description": " ".join(clause["text"] for clause in clauses if not clause["rules"]),
        "assigner": f"urn:accord:publisher:{dataset}",
        "target": f"urn:accord:release:{dataset}:{version}",
        "conflict": "prohibit",
    }
    told |= {kind: [_rule(rule, words) for rule, words in rules if rule["kind"] == kind] for kind in KINDS}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _rule(rule: dict[str, Any], words: str) -> dict[str, Any]:
    made = {"action": rule["action"], "dct:description": words}
    if "purposes" in rule:
        purposes = [{"@id": f"urn:accord:purpose:{name}"} for name in rule["purposes"]]
        made["constraint"] = [{"leftOperand": "purpose", "operator": "isAnyOf", "rightOperand": purposes}]
    if "after" in rule:
        made["constraint"] = [{"andSequence": {"@list": _deadline(rule["after"], rule["within"])}}]
    return made


def _deadline(event: str, within: str) -> list[dict[str, Any]]:
    """After an event, within a time (ISO 8601)."""
    duration = {"@value": within, "@type": DURATION}
    return [
        {"leftOperand": "event", "operator": "gt", "rightOperand": {"@id": f"urn:accord:event:{event}"}},
        {"leftOperand": "elapsedTime", "operator": "lteq", "rightOperand": duration},
    ]


def _clauses(facts: dict[str, Any]) -> list[dict[str, Any]]:
    return facts.get("clauses") or json.loads((resources.beside(__name__) / SOURCE).read_text(encoding="utf-8"))
