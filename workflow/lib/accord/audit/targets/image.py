"""The audit of an image: files that hold it, its delivery, verdicts and edits, and the consent of everyone in it.

People are told as numbers, with states and days.
"""

from pathlib import Path
from types import SimpleNamespace

from accord.audit.evidence import consents, delivered
from accord.audit.evidence.consents import Moment, Standing
from accord.audit.evidence.lineage import Node
from accord.audit.records import reviews, rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check, Section
from accord.errors import AccordError, Problem
from accord.imaging.bundle import window

TAKEN = ("/images.parquet", "/videos.parquet")
JUDGED = ("checks", "privacy/videos", "release", "release/videos")
ITEM, CONSENT, DECISIONS = About("item"), About("consent"), About("decisions")


def of_image(image: str, name: str, root: Node, places: Places) -> tuple[list[Check], list[Section]]:
    """What is known of an image: the files upstream that hold it, its delivery, verdicts, edits, consent."""
    nodes = [node for node in root.walk() if Path(node.path).is_file()]
    held = [
        (node.path, rows_of_images.count(Path(node.path), image)) for node in nodes if node.path.endswith(".parquet")
    ]
    held = [(path, count) for path, count in held if count]
    upstream = {path for path, _ in held}
    members, wrong = _members(image, nodes)
    checks = [
        *ITEM.held("upstream", wrong, f"{len(held)} tables upstream and {len(members)} members of bundles contain it"),
        _delivery(image, nodes, places),
        *_consent(image, name, places),
        *_decisions(image, places),
    ]
    passage = [(path, f"{count} row(s)") for path, count in held] + members
    others = [(p.as_posix(), f"{n} row(s)") for p, n in _elsewhere(image, upstream, places)]
    sections = [
        Section(f"{name}: upstream", ("file", "holds"), sorted(passage)),
        Section(f"{name}: elsewhere in the results", ("file", "holds"), others),
        Section(f"{name}: findings", ("check", "score", "threshold", "verdict", "table"), _findings(image, places)),
        Section(f"{name}: painted out", ("kind", "method", "attempts", "pixels", "model"), _edits(image, places)),
        *_people(image, name, places),
    ]
    return checks, [section for section in sections if section.rows]


def _members(image: str, nodes: list[Node]) -> tuple[list[tuple], list[Problem]]:
    """Members of bundles that tables beside them list for an image, each held against its sha256."""
    found, wrong = [], []
    bundles = [Path(node.path) for node in nodes if node.path.endswith(".tar")]
    for bundle in bundles:
        for beside in sorted(bundle.parent.glob("*.parquet")):
            columns = ("image", "member", "offset", "size", "sha256")
            told = (reading.record(beside) or {}).get("outputs", {})
            if set(columns) <= set(rows_of_images.names(beside)) and reading.sha256(bundle) in told.values():
                for row in rows_of_images.rows(beside, {"image": image}, columns):
                    found.append((bundle.as_posix(), f"a file of {row['size']} bytes, sha256 {row['sha256']}"))
                    wrong += _damaged(bundle, row)
    return sorted(set(found)), wrong


def _damaged(bundle: Path, row: dict) -> list[Problem]:
    try:
        window(bundle, SimpleNamespace(**row))  # in pieces: it may be a video
    except (AccordError, OSError):
        return [Problem(bundle.as_posix(), "a member differs from its table", "rerun the workflow")]
    return []


def _delivery(image: str, nodes: list[Node], places: Places) -> Check:
    """The file of the delivery that an image or a video came as, by intake's record, and by the delivery itself if it
    is there."""
    taken = [Path(node.path) for node in nodes if node.path.endswith(TAKEN) and "/intake/" in node.path]
    records = [
        row
        for path in taken
        for row in rows_of_images.rows(path, {"image": image}, ("image", "delivery", "sha256", "size"))
    ]
    if not records:
        return ITEM.failed(
            "delivery", "intake has no record of this image", "", "the file is from another run, or was inserted"
        )
    record = records[0]
    told = f"delivered in {record['delivery']} as a file of {record['size']} bytes, sha256 {record['sha256']}"
    source = delivered.sources(places).get(image)
    if source is None or not source.file.is_file():
        return ITEM.passed("delivery", f"{told}; the delivery is not available here")
    if reading.sha256(source.file) != record["sha256"]:
        return ITEM.failed("delivery", f"{told}; the delivery now has a different file", "", delivered.HINT)
    return ITEM.passed("delivery", f"{told}; the delivery has this file")


def _moments(places: Places, nodes: list[Node] | None = None) -> list[tuple[str, Moment]]:
    day = next(
        (str(told["params"]["as_of"]) for path in sorted(places.results.glob("consent/*/permits.parquet"))
         if (told := reading.record(path)) and "as_of" in told["params"]), "",
    )  # fmt: skip
    return [*([("on the day of the run", Moment(day))] if day else []), ("now", Moment(places.today))]


def _consent(image: str, name: str, places: Places) -> list[Check]:
    told = []
    try:
        with consents.opened(places.vault) as asked:
            for when, moment in _moments(places):
                ended = asked.ended(image, moment)
                people = len(asked.of_image(image, moment)) - 1
                if ended is None:
                    told.append(CONSENT.passed(when, f"granted by {people} person(s), and the copyright", name))
                else:
                    hint = "run the workflow: the results and the next version will not contain it"
                    told.append(CONSENT.failed(when, _state(ended), name, hint))
    except AccordError as error:
        return CONSENT.held("now", error.problems, "")
    return told


def _people(image: str, name: str, places: Places) -> list[Section]:
    """Everyone in an image by number: their role, and how they stood and stand."""
    try:
        with consents.opened(places.vault) as asked:
            columns = [(when, asked.of_image(image, moment)) for when, moment in _moments(places)]
    except AccordError:
        return []
    rows = []
    for number, stood in enumerate(zip(*(people for _, people in columns), strict=True), 1):
        role = stood[0][0].removeprefix("subject_")
        who = role if role == "copyright" else f"person {number} ({role})"
        rows.append((who, *(_state(s) for _, s in stood)))
    return [Section(f"{name}: consent", ("who", *(when for when, _ in columns)), rows)]


def _state(standing: Standing) -> str:
    return f"{standing.state}, {standing.since}" if standing.since else standing.state


def _decisions(image: str, places: Places) -> list[Check]:
    told = reviews.of_image(image, places)
    for path in (places.results / room / "verdicts.parquet" for room in JUDGED):
        for row in rows_of_images.rows(path, {"image": image}) if path.is_file() else []:
            why = f", by {row['check']}: {row['reason']}" if row["check"] else ""
            told.append(DECISIONS.passed("verdict", f"{row['verdict']}{why}", path.as_posix()))
    return told


def _findings(image: str, places: Places) -> list[tuple]:
    found = []
    for path in sorted(places.results.glob("**/*.parquet")):
        if {"image", "check", "verdict", "threshold"} <= set(rows_of_images.names(path)):
            rows = rows_of_images.rows(path, {"image": image})
            found += [(r["check"], r["score"], r["threshold"], r["verdict"], path.as_posix()) for r in rows]
    return found


def _edits(image: str, places: Places) -> list[tuple]:
    found = []
    for path in sorted(places.results.glob("privacy/*/edits.parquet")):
        rows = rows_of_images.rows(path, {"image": image})
        found += [(r["kind"], r["method"], r["attempts"], r["painted"], r["model_sha256"][:16]) for r in rows]
    return found


def _elsewhere(image: str, upstream: set[str], places: Places) -> list[tuple[Path, int]]:
    paths = [path for path in sorted(places.results.glob("**/*.parquet")) if path.as_posix() not in upstream]
    return [(path, count) for path in paths if (count := rows_of_images.count(path, image))]
