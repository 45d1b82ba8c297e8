"""Parameters: whether what a file was made with is what the configuration says."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.errors import Problem
from accord.privacy.painting import chosen

PARAMETERS = About("parameters")
HINT = "the configuration was changed since: rerun the workflow, or give that run's files with --config"
ELSEWHERE = {
    ("checks", "max_pixels"): ("intake", "max_pixels"),
    ("checks", "weights"): ("evaluate", "weights"),
    ("privacy", "weights"): ("evaluate", "weights"),
    ("checks", "names"): ("analyse", "attributes"),
    ("checks", "min_subjects"): ("analyse", "min_subjects"),
    ("checks", "bootstraps"): ("analyse", "bootstraps"),
    ("checks", "seed"): ("analyse", "seed"),
    **{(f"checks.{step}", "cleared"): ("checks", "cleared_deliveries") for step in ("flagged", "flagged_videos")},
    ("checks.settle", "occasion_limits"): ("checks", "occasions"),
    ("release", "settings"): ("release",),
    ("release.publish", "proof_required"): ("consent", "proof_required"),
    ("release", "archive"): ("release", "archive", "path"),
    ("release", "format"): ("release", "archive", "format"),
    ("release", "terms"): ("release", "archive", "terms"),
    ("release", "search"): ("release", "archive", "search"),
    ("release", "weights"): ("evaluate", "weights"),
    ("train", "weights"): ("evaluate", "weights"),
    ("release.source_duplicates", "max_distance"): ("checks", "max_distance"),
    **{("release.collect_faces", name): ("release", "archive", "collect", name) for name in ("margin", "side")},
    ("evaluate", "archive"): ("release", "archive", "path"),
    ("evaluate", "side"): ("evaluate", "likeness", "side"),
    ("evaluate", "factor"): ("evaluate", "likeness", "factor"),
    ("evaluate", "protocol"): ("analyse", "protocol"),
    ("evaluate", "seed"): ("analyse", "seed"),
    ("evaluate.fakes", "seed"): ("evaluate", "fakes", "seed"),
    ("evaluate", "names"): ("analyse", "attributes"),
    ("evaluate.queries", "impostors"): ("evaluate", "rapid", "impostors"),
    ("evaluate.queries", "min_faces"): ("evaluate", "rapid", "min_faces"),
    ("evaluate.query_copies", "max_distance"): ("evaluate", "rapid", "max_distance"),
    ("evaluate.service_faces", "keep"): ("evaluate", "rapid", "keep"),
    ("evaluate.service_faces", "iou"): ("evaluate", "rapid", "iou"),
    ("evaluate.service_faces", "services"): ("evaluate", "rapid", "services"),
    ("evaluate.service_faces", "earlier"): ("evaluate", "rapid", "earlier"),
    ("analyse.rapid", "earlier"): ("evaluate", "rapid", "earlier"),
    ("evaluate.identity_items", "share"): ("evaluate", "rapid", "hand", "share"),
    ("report.rapid", "min_subjects"): ("analyse", "min_subjects"),
    ("analyse.rapid", "min_faces"): ("evaluate", "rapid", "min_faces"),
    **{("evaluate.video_faces", name): ("evaluate", "videos", name) for name in ("times", "margin", "side", "mini")},
    **{
        ("privacy.paint_videos", name): ("privacy", "videos", name) for name in ("smallest_face", "every", "gap", "pad")
    },
    ("privacy.settle_videos", "review"): ("privacy", "videos", "review"),
    ("report", "protocol"): ("analyse", "protocol"),
    ("report", "support_of"): ("analyse", "support_of"),
    ("analyse", "names"): ("analyse", "attributes"),
    ("analyse.members", "most"): ("analyse", "intersections"),
    ("analyse.extremes", "most"): ("analyse", "intersections"),
    ("analyse.patterns", "quantile"): ("analyse", "error_share"),
    ("analyse.patterns", "support"): ("analyse", "pattern_support"),
    ("analyse.patterns", "most"): ("analyse", "pattern_items"),
    ("analyse.probes", "pool"): ("evaluate", "probes", "pool"),
    ("analyse.videos", "scale"): ("analyse", "casual", "scale"),
    ("evaluate.skin_items", "scale"): ("analyse", "casual", "scale"),
    ("analyse.deepfakes", "threshold"): ("analyse", "casual", "threshold"),
    ("analyse.fakes", "threshold"): ("analyse", "fakes", "threshold"),
    ("analyse.fake_disparities", "threshold"): ("analyse", "fakes", "threshold"),
    ("report.fakes", "threshold"): ("analyse", "fakes", "threshold"),
    ("report.fakes", "min_faces"): ("analyse", "min_subjects"),
    ("analyse", "normaliser"): ("analyse", "pck_normaliser"),
    ("analyse", "points"): ("analyse", "keypoints"),
}
"""(room or step, parameter) -> where in the configuration it is, where that isn't <room>.<parameter>."""

TOGETHER = frozenset({("checks.look", "settings")})
"""(step, parameter) that holds several settings of the step's room by their names."""

EMPTY_MEANS = {("analyse.extremes", "crossed"): ("analyse", "attributes")}
"""(step, parameter) -> which other setting it takes where its own is empty."""

BY_NAME = frozenset({"vault", "releases", "weights", "deliveries", "inbox", "archive"})
"""Folders, which are recorded by their names alone."""

LIMITS = frozenset({"external"})
"""What may be spent, which changes no answer: `audit.records.paid_answers` holds it against what was spent."""

PARTS = frozenset({("intake.shard", "deliveries"), ("intake.videos", "deliveries")})
"""(step, parameter) that is recorded of each shard as far as it says something of it."""


def checks(records: Iterable[dict[str, Any]], config: dict[str, Any] | None) -> list[Check]:
    """What was recorded, held against the configuration; a parameter that has no key there is left alone."""
    if config is None:
        return [PARAMETERS.none("parameters", "no configuration was given to compare with (--config)")]
    problems, compared = {}, 0
    for record in records:
        for name, recorded in _told(record):
            wanted = wanted_of(record["step"], name, config)
            compared += wanted is not None
            if wanted is not None and not _agrees(record["step"], name, recorded, wanted[0]):
                what = f"was made with {name} = {_short(recorded)}, but the configuration has {_short(wanted[0])}"
                problems[record["step"], name] = Problem(record["step"], what, HINT)
    fine = f"{compared} recorded parameters match the configuration"
    return PARAMETERS.held("parameters", problems.values(), fine)


def _told(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parameters of a record; settings that were given as one, each by itself."""
    for name, value in record["params"].items():
        if name in LIMITS:
            continue
        if (record["step"], name) in TOGETHER and isinstance(value, dict):
            yield from value.items()
        else:
            yield name, value


def wanted_of(step: str, name: str, config: dict[str, Any]) -> tuple[Any] | None:
    """The value of a step's parameter in the configuration, in a tuple; None where it has no such key."""
    room = step.split(".")[0]
    for place in (ELSEWHERE.get((step, name)), ELSEWHERE.get((room, name)), (room, name), (name,)):
        found: Any = config
        for key in place or ("",):
            found = found[key] if isinstance(found, dict) and key in found else None
        if found == [] and (step, name) in EMPTY_MEANS:
            of, key = EMPTY_MEANS[step, name]
            return (config[of][key],)
        if name in BY_NAME and isinstance(found, dict):
            continue  # a section, of which a search states no folder
        if found is not None:
            return (_by_name(found) if name in BY_NAME else found,)
    return None


def _agrees(step: str, name: str, recorded: Any, wanted: Any) -> bool:
    """Whether a recorded value is the configuration's, or of what each shard has a part, a part of it."""
    found = _comparable(step, name, recorded)
    return set(found) <= set(wanted) if (step, name) in PARTS else found == wanted


def _comparable(step: str, name: str, recorded: Any) -> Any:
    """A recorded value as the configuration has it; the model that paints is recorded with a digest of its sums."""
    if name in BY_NAME:
        return _by_name(recorded)
    return chosen.name_of(recorded) if (step.split(".")[0], name) == ("privacy", "model") else recorded


def _by_name(value: Any) -> list[str]:
    return [Path(str(one)).resolve().name for one in (value if isinstance(value, list) else [value])]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 60 else f"{text[:57]}..."
