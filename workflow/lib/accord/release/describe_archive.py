"""The account of an imported archive: all of its images pass, and nothing is published anew."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.checks.deciding.waterfall import waterfall
from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.engine.provenance import portable, sha256
from accord.findings import PASS
from accord.release.archives import formats
from accord.release.disclosure.survey import counts
from accord.release.tables import Derivatives, People, Verdicts, Waterfall


class Described(NamedTuple):
    """Verdicts and waterfall as of a release of ours, and what the archive is."""

    verdicts: DataFrame[Verdicts]
    waterfall: DataFrame[Waterfall]
    release: dict


def run(people: DataFrame[People], derivatives: DataFrame[Derivatives], *, archive: Folder, format: str) -> Described:
    """People and derivatives of all shards -> the archive's account. Its tables' sha256 stand for a manifest's.

    format: the key of formats.FORMATS that it has.
    """
    primary = people[people["is_primary"]].sort_values("image")
    verdicts = table.rows([(p.image, p.subject, PASS, "", "", "") for p in primary.itertuples()], Verdicts)
    release = {
        "dataset": format,
        "version": _version(archive),
        "path": portable(archive),
        "fingerprint": _together(sorted(derivatives["sha256"])),
        "manifest_sha256": _together([sha256(table) for table in formats.tables(format, archive)]),
        **counts(people, derivatives["kind"]),
        "files": len(derivatives),
        "bytes": int(derivatives["size"].sum()),
    }
    return Described(verdicts, waterfall(verdicts), release)


def _version(folder: Path) -> str:
    """The version in the folder's name, as in fhibe.<version>_downsampled_public; else all of the name."""
    return folder.name.removeprefix("fhibe.").removesuffix("_downsampled_public")


def _together(digests: list[str]) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
