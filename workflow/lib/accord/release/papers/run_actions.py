"""The part of a Provenance Run Crate that tells of a run: steps, parameters, jobs, files, and who did which."""

from hashlib import sha256
from importlib.metadata import version
from typing import Any

from accord.release.papers.jobs import File, Job

RUN, ENGINE, TEAM, ORCHESTRATION = "#run", "#engine", "#team", "#orchestration"
JOB = "#job/"
Entity = dict[str, Any]


def jobs_of(every: list[Job], ids: dict[Job, str], published: Job) -> list[Entity]:
    """A CreateAction for each job, with the id that it was given, and the files and parameters that they name."""
    files = sorted({file for job in every for file in (*job.inputs, *job.outputs)})
    actions = [_action(job, ids[job], [{"@id": "./"}] if job is published else _ids(job.outputs)) for job in every]
    return [*_parameters(every), *actions, *map(_file, files)]


def tools(jobs: list[Job]) -> list[Entity]:
    """Each step as a tool and as a step of the workflow; two kinds of things to the profile."""
    found = []
    for number, (step, code) in enumerate(steps(jobs).items(), 1):
        names = sorted({name for job in jobs if job.step == step for name, _ in job.params})
        tool = {"@id": f"#tool/{step}", "@type": "SoftwareApplication", "name": step, "softwareVersion": code}
        inputs = [{"@id": f"#parameter/{step}/{name}"} for name in names]
        how = {"@id": f"#step/{step}", "@type": "HowToStep", "position": str(number)}
        found += [tool | ({"input": _one(inputs)} if inputs else {}), how | {"workExample": {"@id": tool["@id"]}}]
    return found


def steps(jobs: list[Job]) -> dict[str, str]:
    """Step -> digest of its code, in the order in which data flow; digests of shards that differ are joined."""
    last = {job.step: job.position for job in jobs}
    codes = {step: ",".join(sorted({job.code for job in jobs if job.step == step})) for step in last}
    return {step: codes[step] for step in sorted(last, key=lambda step: (last[step], step))}


def _parameters(jobs: list[Job]) -> list[Entity]:
    """Each parameter of a step, and each value that it was given in some job."""
    values = sorted({(job.step, name, value) for job in jobs for name, value in job.params})
    found: list[Entity] = []
    for step, name in dict.fromkeys((step, name) for step, name, _ in values):
        theirs = [value for s, n, value in values if (s, n) == (step, name)]
        place = f"#parameter/{step}/{name}"
        examples = [{"@id": _value_id(step, name, value)} for value in theirs]
        formal = {"@id": place, "@type": "FormalParameter", "name": name, "additionalType": "Text"}
        found.append(formal | {"workExample": _one(examples)})
        for value in theirs:
            one: Entity = {"@id": _value_id(step, name, value), "@type": "PropertyValue", "name": name, "value": value}
            found.append(one | {"exampleOfWork": {"@id": place}})
    return found


def _action(job: Job, place: str, result: list[Entity]) -> Entity:
    objects = [*_ids(job.inputs), *({"@id": _value_id(job.step, name, value)} for name, value in job.params)]
    return {
        "@id": place,
        "@type": "CreateAction",
        "name": job.step,
        "description": f"A run of {job.step}, code {job.code}",
        "instrument": {"@id": f"#tool/{job.step}"},
        "agent": {"@id": TEAM},
        "result": _one(result),
    } | ({"object": _one(objects)} if objects else {})


def run(name: str, every: list[Job], ids: dict[Job, str], workflow: Entity) -> list[Entity]:
    """The run of the workflow, and its orchestration by the engine: which job was which step."""
    outside = _ids(_outside(every))
    whole = {"@id": RUN, "@type": "CreateAction", "name": f"The run that made {name}", "instrument": workflow}
    whole |= {"description": "From deliveries to this release", "agent": {"@id": TEAM}, "result": {"@id": "./"}}
    engine = {
        "@id": ENGINE,
        "@type": "SoftwareApplication",
        "name": "Snakemake",
        "softwareVersion": version("snakemake"),
    }
    controls = [_control(ids[job], job.step) for job in every]
    organized = {
        "@id": ORCHESTRATION,
        "@type": "OrganizeAction",
        "instrument": {"@id": ENGINE},
        "object": _one([{"@id": control["@id"]} for control in controls]),
        "result": {"@id": RUN},
    }
    return [whole | ({"object": _one(outside)} if outside else {}), engine, organized, *controls]


def _control(job: str, step: str) -> Entity:
    place = f"#control/{job.removeprefix(JOB)}"
    return {"@id": place, "@type": "ControlAction", "instrument": {"@id": f"#step/{step}"}, "object": {"@id": job}}


def _outside(jobs: list[Job]) -> list[File]:
    made = {file for job in jobs for file in job.outputs}
    return sorted({file for job in jobs for file in job.inputs} - made)


def _file(file: File) -> Entity:
    return {"@id": _file_id(file), "@type": "CreativeWork", "name": file.path, "sha256": file.sha256}


def _ids(files: tuple[File, ...] | list[File]) -> list[Entity]:
    return [{"@id": _file_id(file)} for file in files]


def _file_id(file: File) -> str:
    return f"#file/{file.sha256[:16]}/{file.path}"


def _value_id(step: str, name: str, value: str) -> str:
    return f"#value/{step}/{name}/{sha256(value.encode()).hexdigest()[:8]}"


def _one(entities: list[Entity]) -> Entity | list[Entity]:
    """A list; of one thing, the thing itself, as flattened and compacted JSON-LD has it."""
    return entities[0] if len(entities) == 1 else entities
