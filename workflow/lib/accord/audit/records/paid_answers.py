"""Answers of services: whether the vault is sound, and holds those that the results have; calls, versions, cost."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import WARN, About, Found, Section
from accord.engine.configuration import section
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault, paid_account
from accord.evaluate.asking.paid_account import Account, Model

PAID = About("paid answers")
STEPS = {"evaluate.ask": "model", "evaluate.service_boxes": "service", "evaluate.service_comparisons": "service"}
"""Steps that ask services, and the parameter that says which."""
SERVICES = ("openai_compatible:Client", "rekognition:Client", "facepp:Client")
COLUMNS = ("model", "version", "calls", "cost at most")
CHANGED = "the vault or the results were changed: restore the vault from a copy, or delete the table and run again"
VERSION = "name a dated version of the model; answers of two versions can't be compared"
FOREIGN = "if they were erased, the file was copied back from before: delete it, and their answers are gone again"
SPENT = "the limits of evaluate.external were lowered since, or the vault was changed"


def checks(places: Places, records: Iterable[dict[str, Any]], outputs: list[Path]) -> Found:
    """The vault of answers against itself, the results and the configuration. records: of provenance."""
    asked = {model["name"]: model for told in records if (model := _model(told))}
    try:
        account = paid_account.read(places.vault)
    except AccordError as error:
        return Found(PAID.held("vault", error.problems, ""))
    paid = {name: answer_vault.digest(model) for name, model in asked.items()}
    known = account.models if account else {}
    lost = [name for name, model in sorted(asked.items()) if _is_service(model) and paid[name] not in known]
    told = [Problem(f"model {name}", "was asked, and the vault has none of its calls", CHANGED) for name in lost]
    if account is None:
        return Found(PAID.held("vault", told, "") if told else [PAID.none("vault", "no service was asked")])
    used = {name: known[one] for name, one in paid.items() if one in known}
    return Found(
        [
            *PAID.held("vault", [*told, *_counts(account)], f"sound; {len(account.answers)} answers"),
            *PAID.held("answers", _missing(account, used, outputs), "the vault has all answers in the results"),
            *PAID.held("versions", _versions(used), "each model answered as one version", WARN),
            *PAID.held("images", _strange(account, places), "all are about images of the deliveries", WARN),
            *PAID.held("spent", _spent(asked, used, places), "within the limits of the configuration", WARN),
        ],
        [Section("Services that were asked", COLUMNS, [_row(name, asked[name], used[name]) for name in sorted(used)])],
    )


def _model(record: dict[str, Any]) -> dict[str, Any] | None:
    """The entry of the model that a step was told; None where it asks none, or one of no form that a vault knows."""
    model = record["params"].get(STEPS.get(record["step"], ""))
    whole = isinstance(model, dict) and {"name", "adapter", "options"} <= model.keys()
    return model if whole and isinstance(model["options"], dict) else None


def _is_service(model: dict[str, Any]) -> bool:
    return str(model["adapter"]).endswith(SERVICES)


def _counts(account: Account) -> list[Problem]:
    calls, answers = sum(model.calls for model in account.models.values()), len(account.answers)
    what = f"has {answers} answers of {calls} calls"
    return [Problem(answer_vault.NAME, what, CHANGED)] if answers > calls else []


def _missing(account: Account, used: dict[str, Model], outputs: list[Path]) -> list[Problem]:
    """Tables with answers of services that the vault doesn't have so. A text that is blank was never kept as such."""
    kept = set(account.answers)
    problems = []
    for path in outputs:
        columns = set(rows_of_images.names(path)) if path.name.split(".")[0] in used else set()
        try:
            said = _answers(path) if columns >= {"model", "image", "text", "status"} else []
            said = _scores(path) if columns >= {"service", "left", "right", "score"} else said
        except reading.UNREADABLE:
            continue  # that it can't be read is told by its sha256
        if found := sum(one not in kept for one in said):
            problems.append(Problem(path.as_posix(), f"has {found} answers that the vault doesn't have", CHANGED))
    return problems


def _answers(path: Path) -> list[tuple[str, str, str]]:
    """Of a table of answers: image, text, status."""
    rows = pq.read_table(path, columns=["image", "text", "status"], partitioning=None)
    said = rows.filter(pc.not_equal(pc.utf8_trim_whitespace(rows["text"]), ""))
    return [(row["image"], row["text"], row["status"]) for row in said.to_pylist()]


def _scores(path: Path) -> list[tuple[str, str, str]]:
    """Of a table of confidences, as a vault keeps them, under the first of two pictures."""
    rows = pq.read_table(path, columns=["left", "score"], partitioning=None).to_pylist()
    return [(row["left"], repr(row["score"]), "said") for row in rows if row["score"] is not None]


def _versions(used: dict[str, Model]) -> list[Problem]:
    return [
        Problem(f"model {name}", f"answered as {other} after {model.version}; this was refused", VERSION)
        for name, model in sorted(used.items())
        for other in model.refused
    ]


def _strange(account: Account, places: Places) -> list[Problem]:
    """Answers about images that no delivery has, where deliveries were read at all."""
    tables = list(places.results.glob("intake/*/images.parquet"))
    images = {row["image"] for path in tables for row in rows_of_images.rows(path, {}, ["image"])}
    others = sum(image not in images for image, *_ in account.answers) if tables else 0
    what = f"has {others} answers about images that no delivery has"
    return [Problem(answer_vault.NAME, what, FOREIGN)] if others else []


def _spent(asked: dict[str, dict[str, Any]], used: dict[str, Model], places: Places) -> list[Problem]:
    limits = section(section(places.config or {}, "evaluate"), "external")
    problems = []
    for name, model in sorted(used.items()):
        for key, spent in (("max_calls", float(model.calls)), ("max_cost", _cost(asked[name], model))):
            if limits.get(key) is not None and spent > float(limits[key]) + 1e-9:
                what = f"cost up to {spent:.2f}" if key == "max_cost" else f"was called {model.calls} times"
                problems.append(Problem(f"model {name}", f"{what}, over {key}: {limits[key]}", SPENT))
    return problems


def _row(name: str, asked: dict[str, Any], model: Model) -> tuple:
    return name, model.version or "not stated", model.calls, f"{_cost(asked, model):.2f}"


def _cost(asked: dict[str, Any], model: Model) -> float:
    """The most that its calls cost, at the price that its entry states; 0 where it states none."""
    price = asked["options"].get("cost_per_call", 0)
    return model.calls * price if isinstance(price, int | float) else 0.0
