"""Erasing people of an archive: results, reviews, answers, rows of own files, videos or pictures, entries; and a scan.

People of an archive have no forms here, hence no ledger and no case: whoever holds the archive is told by its owners
who withdrew. Everything can be stopped anywhere and done again; the archive's entries go last, after a scan that found
nothing, and until then they say whose everything is.
"""

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from accord.engine import configuration, run_lock
from accord.erase.archives import own_files, people, source_people
from accord.erase.archives.own_files import Named
from accord.erase.archives.people import People
from accord.erase.archives.source_people import People as SourcePeople
from accord.erase.cases.places import Places
from accord.erase.dossiers import traces
from accord.erase.executing import results
from accord.erase.planning import closure
from accord.erase.planning.closure import Falling
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.review.database import erasing
from accord.scan import dossier, findings
from accord.scan.dossier import IMAGE, REFERENCE, Dossier, Print, Value
from accord.scan.inspection import Inspector
from accord.scan.pictures import print_of
from accord.scan.progress import Progress, on_stderr
from accord.scan.walk import walk

KEPT = "archive-erasure.npz"
"""In the vault, while an erasure is under way: by what people are looked for, gone from the results by then."""
ARCHIVES = {"ccv1": people, "ai_face": source_people}
PERSON = "person"
"""Kind of traces that name them: those are nobody else's."""
CROPS = "evaluate/*/video_faces.parquet"


class Plan(NamedTuple):
    """What is erased: whose, which results fall, rows of own files, and how many items of reviews."""

    who: People | SourcePeople
    falling: Falling
    files: Named
    reviews: int


def plan(places: Places, subjects: list[str]) -> Plan:
    """Find what falls with people of the run's archive; changes nothing.

    subjects: people; of an archive of sources also pictures, and folders of sources. Raises AccordError where the run
    has no such archive, or somebody is not in it.
    """
    config = configuration.read(places.configs)
    archive = configuration.section(config, "release").get("archive")
    if not archive or archive.get("format") not in ARCHIVES:
        hint = "give the run's settings with --config; people of deliveries are erased with `accord erase run`"
        raise AccordError(Problem("release.archive", "is no archive of videos (ccv1) or of sources (ai_face)", hint))
    who = ARCHIVES[archive["format"]].find(Path(archive["path"]), subjects)
    falling = closure.find(places, who.ids)
    return Plan(who, falling, own_files.named(config, who), erasing.planned(places.vault, who.images, who.subjects))


def counts(of: Plan) -> dict[str, int]:
    """A plan in numbers, naming nobody."""
    return {
        "people": len(of.who.subjects),
        of.who.kind: sum((of.who.root / image).is_file() for image in of.who.images),
        "result files": len(of.falling.results),
        "Snakemake records, logs and backups": sum(map(len, of.falling[1:])),
        "review items": of.reviews,
        "rows of own files": own_files.count(of.files),
    }


def unopened(of: Plan, also: tuple[Path, ...] = ()) -> int:
    """How many videos of an archive of sources no copies are looked for in: others' that don't lie in `also`."""
    return len(source_people.unopened(of.who, also)) if isinstance(of.who, SourcePeople) else 0


def run(of: Plan, places: Places, also: tuple[Path, ...] = (), judged: int = 0) -> list[dict[str, Any]]:
    """Erase people, and look for what is left of them; returns the traces as `accord scan` shows them.

    Where there are any, the archive's entries stay, so that it can be done again. judged: of so many traces, all that
    there are, a person has said that they are somebody else's. Raises AccordError where the workflow is running.
    """
    with run_lock.held(run_lock.ERASURE, places.snakemake):
        return _erase(of, places, also, judged)


def _erase(of: Plan, places: Places, also: tuple[Path, ...], judged: int) -> list[dict[str, Any]]:
    known = _kept(of.who, places)
    results.delete(places, of.falling, of.who.ids)
    erasing.forget(places.vault, of.who.images, of.who.subjects)
    answer_vault.forget(places.vault, of.who.images)
    own_files.take_out(of.files)
    if not isinstance(
        of.who, SourcePeople
    ):  # an archive of sources may have no entry of a person but the pictures themselves
        people.delete_videos(of.who)
    left = _left(known, of, places, also)
    if len(left) == judged and not any(row["kind"] == PERSON for row in left):
        left = []
    if not left:
        # Last of all their entries: without these nobody could say again who is meant, and what was kept would stay.
        (places.vault / KEPT).unlink(missing_ok=True)
        if isinstance(of.who, SourcePeople):
            source_people.delete_entries(of.who)
        else:
            people.delete_entries(of.who)
    return left


def _kept(who: People | SourcePeople, places: Places) -> Dossier:
    """By what they are looked for, with what an erasure that was stopped had kept of them."""
    path = places.vault / KEPT
    values = {Value(IMAGE, one) for one in who.ids - who.subjects - who.images - who.names}
    names = {Value(REFERENCE, name) for name in who.names}
    prints = source_people.prints(who) if isinstance(who, SourcePeople) else _prints(who, places)
    made = Dossier(frozenset(values | names), tuple(prints), {})
    found = traces.joined([dossier.load(path), made] if path.is_file() else [made])
    dossier.save(found, path, places.vault)
    return found


def _prints(who: People, places: Places) -> list[Print]:
    """One face of each of their videos. Tables that can't be read are passed over, and crops that aren't what a table
    says: where it was stopped before, these faces are in what it kept."""
    found = []
    for path in sorted(places.results.glob(CROPS)):
        try:
            rows = pq.read_table(path, partitioning=None, filters=[("found", "=", True)]).to_pandas()
        except (pa.ArrowException, OSError):
            continue
        for _, faces in rows[rows["subject"].isin(who.subjects)].groupby("image"):
            read = (bundle.unchanged(path.with_suffix(".tar"), row) for row in faces.itertuples())
            made = next((print_of(decode(data)) for data in read if data is not None), None)
            found += [made] if made and (made.quality or len(made.points)) else []
    return found


def _left(known: Dossier, of: Plan, places: Places, also: tuple[Path, ...]) -> list[dict[str, Any]]:
    """What is left: traces in any folder of the project or file of one's own, and results that name somebody."""
    progress = Progress(on_stderr("erase"))
    inspector = Inspector(known, looking=progress.thing)
    folders = [places.results, places.releases, places.vault, places.logs, places.snakemake, *of.files, *also]
    passed_over = frozenset({(places.vault / KEPT).resolve()})
    if isinstance(of.who, SourcePeople):
        folders.append(of.who.root)
        passed_over |= source_people.passed_over(of.who, also)
    walk([folder for folder in dict.fromkeys(folders) if folder.exists()], inspector, passed_over, progress)
    naming = [name for name in closure.find(places, of.who.ids).results if closure.rows_naming(Path(name), of.who.ids)]
    told = [{"place": name, "inside": "", "kind": PERSON, "how": "row", "count": 1} for name in naming]
    told += [{"place": "own file", "inside": "", "kind": PERSON, "how": "row", "count": n}
             for n in [own_files.count(of.files)] if n]  # fmt: skip
    return findings.rows(inspector.findings, inspector.searcher) + told
