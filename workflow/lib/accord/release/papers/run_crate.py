"""The Provenance Run Crate of a release: how it came about, as JSON-LD.

RO-Crate 1.1, with the profiles Process, Workflow and Provenance Run Crate 0.5 and Workflow RO-Crate 1.0. It speaks of
shards, not of images: each job with the digest of its step's code, its parameters, and the files that it read and made,
by path and sha256. Those files stay with the publisher, so they are no data entities of the crate. Times, hosts and
places are left out, also where the profiles recommend them (startTime, endTime, url).
"""

import json
from typing import Any, NamedTuple

from accord.release.papers import run_actions
from accord.release.papers.jobs import Job
from accord.release.papers.run_actions import JOB, ORCHESTRATION, RUN, TEAM, Entity

NAME = "ro-crate-metadata.json"
WORKFLOW = "workflow/Snakefile"
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
LANGUAGE = {
    "@id": SNAKEMAKE,
    "@type": "ComputerLanguage",
    "name": "Snakemake",
    "identifier": {"@id": "https://snakemake.github.io"},
    "url": {"@id": "https://snakemake.github.io"},
}
DOCUMENTS = {
    "manifest.jsonl": ("path, size and sha256 of each file of the release", "application/jsonl"),
    "datasheet.md": ("the datasheet", "text/markdown"),
    "CHANGES.md": ("what changed since the previous version", "text/markdown"),
    "terms.txt": ("the terms of use", "text/plain"),
    "terms.odrl.json": ("the terms of use, as an offer in ODRL", "application/ld+json"),
    "croissant.json": ("the tables and pictures, in Croissant", "application/ld+json"),
}


class Facts(NamedTuple):
    """Of a release: dataset, version, the day that its consents are of ("" if nothing says so), what it holds, and who
    made it ("" for the team that collected it)."""

    dataset: str
    version: str
    day: str
    things: str = "Photographs"
    creator: str = ""


def crate(facts: Facts, jobs: list[Job], published: Job, rules: list[str]) -> str:
    """The crate. `published`: the job that writes the release; `rules`: the workflow's files, as paths."""
    every = [*jobs, published]
    ids = {job: f"{JOB}{number}" for number, job in enumerate(every, 1)}
    graph = [
        *_root(facts, rules, list(ids.values())),
        *_workflow(every, rules),
        *run_actions.tools(every),
        *run_actions.jobs_of(every, ids, published),
        *run_actions.run(f"{facts.dataset} {facts.version}", every, ids, {"@id": WORKFLOW}),
    ]
    told = {"@context": ["https://w3id.org/ro/crate/1.1/context", TERMS], "@graph": graph}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _root(facts: Facts, rules: list[str], jobs: list[str]) -> list[Entity]:
    name = f"{facts.dataset} {facts.version}"
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": name,
        "description": f"{facts.things} of people, with their consent, to evaluate how fairly vision models treat "
        "people.",
        "version": facts.version,
        "license": {"@id": "terms.txt"},
        "author": {"@id": TEAM},
        "conformsTo": [{"@id": profile} for profile in PROFILES],
        "mainEntity": {"@id": WORKFLOW},
        "hasPart": [{"@id": path} for path in [*rules, *DOCUMENTS]],
        "mentions": [{"@id": name} for name in (RUN, ORCHESTRATION, *jobs)],
    }
    about: dict[str, Any] = {"@id": NAME, "@type": "CreativeWork", "about": {"@id": "./"}, "version": "1.1"}
    about["conformsTo"] = [{"@id": "https://w3id.org/ro/crate/1.1"}, {"@id": [*PROFILES][-1]}]
    return [
        about,
        root | ({"datePublished": facts.day} if facts.day else {}),
        *({"@id": i, "@type": "CreativeWork", "name": n, "version": i.split("/")[-1]} for i, n in PROFILES.items()),
        *(_document(path, *told) for path, told in DOCUMENTS.items()),
        {"@id": WORKFLOW_PROFILE, "@type": "CreativeWork", "name": "Bioschemas ComputationalWorkflow"},
        {"@id": TEAM, "@type": "Organization", "name": facts.creator or f"The team that collected {facts.dataset}"},
    ]


def _workflow(jobs: list[Job], rules: list[str]) -> list[Entity]:
    steps = run_actions.steps(jobs)
    parts = [path for path in rules if path != WORKFLOW]
    main = {
        "@id": WORKFLOW,
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "name": "Accord",
        "description": "Curates, releases, evaluates and audits consented photographs of people.",
        "version": jobs[-1].code,
        "conformsTo": {"@id": WORKFLOW_PROFILE},
        "encodingFormat": "text/plain",
        "programmingLanguage": {"@id": SNAKEMAKE},
        "hasPart": [{"@id": f"#tool/{step}"} for step in steps],
        "step": [{"@id": f"#step/{step}"} for step in steps],
    }
    return [
        main,
        *(_document(path, "rules of the workflow", "text/plain") for path in parts),
        LANGUAGE,
    ]


def _document(path: str, what: str, media: str) -> Entity:
    return {"@id": path, "@type": "File", "name": path, "description": what, "encodingFormat": media}
