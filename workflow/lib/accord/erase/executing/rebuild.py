"""Rebuild: the workflow runs without the person; then the newest release must be whole, and no result names them."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from accord.engine import failures, resources, run_lock
from accord.erase.cases import person
from accord.erase.cases.case import PERSON, REBUILT, Case
from accord.erase.cases.places import Places
from accord.erase.executing.effects import Effects
from accord.erase.planning import closure
from accord.errors import AccordError, Problem
from accord.release.seal import versions
from accord.release.seal.verification import verify
from accord.sealing import signing

RECORD = Path("release") / "release.json"
FORGOTTEN = "indexes forgot"


def command(places: Places, given: str | None) -> list[str]:
    """The command that runs the workflow: the one that was given, or that of the Makefile's `run`."""
    if given:
        return shlex.split(given)
    beside = Path(sys.executable).with_name("snakemake")
    # Of a Snakemake elsewhere nobody knows what displays it has.
    program, display = (str(beside), ["--logger", "accord"]) if beside.is_file() else ("snakemake", [])
    cores = str(os.cpu_count() or 1)
    configs = [str(config) for config in places.configs] or ["config/config.yaml"]
    profile = str(resources.own_or_shipped("workflow/profiles/default"))
    return [program, "--profile", profile, "--cores", cores, *display, "--quiet", "host", "--configfile", *configs]


def start(words: list[str], places: Places) -> None:
    """Run the workflow. Raises AccordError where another run goes on, and where it fails: it printed why."""
    run_lock.refuse(places.snakemake)
    begun = int(time.time())
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        code = subprocess.run(words, env={**os.environ, **threads, "PATH": path}, check=False).returncode
    except OSError as error:
        raise AccordError(Problem("rebuild", f"can't be started ({error.strerror})", "see --rebuild-command")) from None
    if code and not failures.awaits_review(failures.failures(Path(), begun)):
        hint = "resolve the error above, then run `accord erase run` again: it continues here"
        raise AccordError(Problem("rebuild", f"the workflow failed with exit code {code}", hint))


def settle(case: Case, places: Places, effects: Effects) -> None:
    """Check the rebuilt project, then take the case's ids out of the vault's indexes.

    The indexes come after the run: what a version held decides what the next one is called, and which aggregates may
    change. Raises AccordError where the newest release isn't whole, or results are missing or still name the person.
    """
    who = person.of(case.read(PERSON))
    _check_release(places)
    named = [str(path) for path in sorted(places.results.rglob("*")) if path.is_file() and _names(path, who.ids)]
    if named:
        hint = "they were erased and have reappeared: find out what wrote them, delete them, and run again"
        raise AccordError([Problem(path, "contains erased data", hint) for path in named])
    if not case.has(FORGOTTEN):
        effects.forget(places.vault, who.images, frozenset({who.subject}))
        case.note(FORGOTTEN, effects.now())
    case.note(REBUILT, effects.now())


def _names(path: Path, ids: frozenset[str]) -> bool:
    return closure.rows_naming(path, ids) > 0


def _check_release(places: Places) -> None:
    record = places.results / RECORD
    if not versions.history(places.vault):
        return  # nothing was ever published: a first version may wait for reviews
    if not record.is_file():
        hint = "run the workflow (`make run`), then `accord erase run` again"
        raise AccordError(Problem(str(record), "is missing: the release has not been rebuilt yet", hint))
    folder = places.releases / json.loads(record.read_text())["version"]
    verdict = verify(folder)
    key = signing.fingerprint(signing.signing_key(places.vault).public_key())
    if not verdict.problems and verdict.key != key:
        raise AccordError(Problem(str(folder), "was not signed with the vault's key", "restore the vault"))
    if verdict.problems:
        raise AccordError(verdict.problems)
