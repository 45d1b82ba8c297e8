"""Shared by every room: validated config, shard names, models, and step(). No rules."""

import json
import os
import re
import sys
from pathlib import Path

from snakemake.logging import logger

ROOT = Path(str(workflow.current_basedir)).resolve().parents[1]
if (ROOT / "workflow/lib").is_dir():
    sys.path.insert(0, str(ROOT / "workflow/lib"))

from accord import queues, shards
from accord.abuse import quarantine
from accord.checks.brands import model as logo_model
from accord.consent.deciding import events, grants
from accord.engine import (
    at_start,
    config_mistakes,
    configuration,
    failed_jobs,
    local_run,
    resources,
    rule_commands,
    shard_count,
    source,
    yaml_files,
)
from accord.evaluate.detecting import degraded
from accord.intake.delivered import digests
from accord.models import encoders, face_services, gpus, tasks
from accord.models import registry as models
from accord.privacy.painting import chosen
from accord.release.archives import formats, raters
from accord.release.reserve import admitted
from accord.release.searching import guards
from accord.review.asking import digests as reviews
from accord.text import days
from accord.train.planning import annotators as annotating
from accord.train.planning import models as planned
from accord.train.planning import pretrained

# Jobs run this code, whatever is installed where they run.
LIB = str(resources.alone(Path(".snakemake/accord")))
KEPT = [
    path
    for path in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if path not in ("", LIB)
]
os.environ["PYTHONPATH"] = os.pathsep.join([LIB, *KEPT])


envvars:
    "PYTHONPATH",


# Whoever uses the workflow as a module sets what he wants to change, and may have keys of his own beside.
GUEST = Path(workflow.main_snakefile).resolve() not in (
    ROOT / "Snakefile",
    ROOT / "workflow/Snakefile",
)
if workflow.is_main_process:
    local_run.read()
yaml_files.refuse_twice(map(Path, workflow.configfiles))
config = configuration.filled(config, ROOT)
if workflow.is_main_process:
    guards.clean_by(config)
config_mistakes.refuse(config, own=GUEST)

# Rules and jobs are told the number itself.
config["shards"] = shard_count.choose(config, keep=workflow.is_main_process)
SHARDS = shards.names(config["shards"])


def all_shards(wildcards) -> list[str]:
    """SHARDS for `collect` in gathers: files are then listed for gathers that run, not whenever Snakemake starts, as each
    job of a cluster does.
    """
    return SHARDS


LISTED = models.read(
    config["evaluate"], Path(workflow.source_path("../schemas/models.schema.yaml"))
)
MODELS = models.available(LISTED, Path(config["evaluate"]["weights"]))
for absent in MODELS.missing:
    logger.warning(f"left out: {'; '.join(map(str, MODELS.missing[absent]))}")
PAINTER = chosen.read(
    config, Path(workflow.source_path("../schemas/models.schema.yaml"))
)
# What a run is made on instead of deliveries; None for deliveries.
ARCHIVE = formats.chosen(config["release"]["archive"])
# Whether raters vote on the skin of its people on the review page.
RATED = raters.are_asked(config["analyse"]["casual"], ARCHIVE.format if ARCHIVE else "")
# Pictures of people who consented to nothing: a run of its own, with guards of its own.
SEARCHING = ARCHIVE is not None and ARCHIVE.format == formats.SEARCHED
SEARCHED = guards.planned(config, SHARDS) if SEARCHING else {}
# What shows such people, or tells them apart, is gone once it was used.
fleeting = temp if SEARCHING else str
if ARCHIVE and not SEARCHING and not Path(ARCHIVE.path).exists():
    logger.warning(
        f"release.archive.path is not there, which would stop this run: {ARCHIVE.path}"
    )
if PAINTER.absent and not ARCHIVE:
    logger.warning(f"regions to paint would stop this run: {PAINTER.absent[0]}")


def found_at_start() -> dict:
    """What was delivered, recorded and decided, for each shard: digests and days, nothing that names anybody."""
    content = digests.read(
        config["intake"]["deliveries"],
        config["shards"],
        at_start.FOLDER / "deliveries.json",
    )
    told = events.digests(
        config["vault"],
        SHARDS,
        lambda: digests.subjects(content, config["shards"]),
        config["consent"],
        at_start.FOLDER / "events.json",
        content.keys,
    )
    as_of, today = config["consent"]["as_of"], days.today()
    return {
        "content": content.digests,
        "deliveries": content.folders,
        "videos": content.has_videos,
        "events": told.shards,
        "inbox": told.inbox,
        "wishes": told.wishes,
        "held_on": {
            shard: grants.held_on(content.ends[shard] | told.ends[shard], as_of, today)
            for shard in SHARDS
        },
        "barred": quarantine.digests(config["vault"], config["shards"]),
        "admitted": admitted.digest(config["vault"]),
        "archive": formats.digest(ARCHIVE),
        "touched": formats.touched(ARCHIVE),
        "decided": reviews.digests(config["vault"], config["shards"]),
        "rated": reviews.of_rated_votes(config["vault"], queues.SKIN),
        "looked": reviews.of_rated_votes(config["vault"], queues.LOOKS),
        "identified": reviews.of_rated_votes(config["vault"], queues.IDENTITIES),
    }


if workflow.is_main_process:
    failed_jobs.call_again()

# Jobs start Snakemake anew: they read what the process that plans them found.
START = at_start.found(
    at_start.FOLDER / "start.json",
    [config[key] for key in ("shards", "vault", "consent")]
    + config["intake"]["deliveries"]
    + [ARCHIVE.path if ARCHIVE else ""],
    found_at_start,
    main=workflow.is_main_process,
)


wildcard_constraints:
    shard=rf"[0-9a-f]{{{len(SHARDS[0])}}}",
    model=r"[a-z0-9_]+",


def as_json(key: str):
    """The setting under a key, for `params`: as a function, since Snakemake would take its braces for wildcards."""
    text = json.dumps(lookup(key, within=config), sort_keys=True)
    return lambda wildcards: text


def given(setting: str, files: list[str]):
    """Files that a setting names, which must be there as a run starts."""
    if workflow.is_main_process:
        configuration.require(setting, files)
    return local(files)


def within_limits(wildcards, threads):
    """What may be spent on services, for `params`. It changes no answer, and those that were paid are replayed, so that
    no job need run again for it: Snakemake reruns none for params that are functions of `threads`.
    """
    return as_json("evaluate/external")(wildcards)


def wishes_at_start(wildcards, threads):
    """The digest of the requests that a run obeys, for `params`. A new one reruns the shards that it concerns, and no
    job for this: as `within_limits`.
    """
    return START["wishes"]


def step(name: str, without=(), extra: str = "") -> str:
    """The shell command that runs one library step, derived from its signature (`accord.engine.rule_commands`).

    The digest of the step's source rides along, so that a change of library
    code is a change of the rule's code, and Snakemake reruns the rule.
    """
    command = rule_commands.command(name, without, extra)
    coded = f"{command} --code {source.digest(name)}"
    if len(SHARDS) > rule_commands.MOST_ON_A_LINE:
        coded = rule_commands.from_file(coded)
    return f"python -m accord {coded} 2> {{log}}"
