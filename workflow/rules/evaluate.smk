"""Evaluate: models in, predictions out; no metric is computed here."""

LIKENESS = config["evaluate"]["likeness"]
# What restored faces are measured by; a measure whose model can't be had is told as missing.
MEASURING = models.read(
    {
        **config["evaluate"],
        "run": [name for name in (LIKENESS["lpips"], LIKENESS["embedder"]) if name],
    },
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)

# What restored faces are compared by.
MEASURED_BY = {
    name: models.spec_or_none(
        MEASURING, LIKENESS[name], Path(config["evaluate"]["weights"])
    )
    for name in ("lpips", "embedder")
}

# Entries of those that are here.
MEASURES = [
    MEASURING.entries[LIKENESS[of]]
    for of, spec in MEASURED_BY.items()
    if spec != "null"
]

# What matches answers with labels; those whose weights aren't here are left out.
ENCODERS = encoders.read(
    config["evaluate"], Path(workflow.source_path("../schemas/models.schema.yaml"))
)

# What a Rapid Test asks; those whose weights aren't here are left out, and that is said.
SERVICES = face_services.asked(
    config["evaluate"]["rapid"],
    config["evaluate"],
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)
for absent in SERVICES.missing.values():
    logger.warning(f"left out: {'; '.join(map(str, absent))}")


WITH_TEXTS = MODELS.of_task(tasks.WITH_TEXTS)
# Models for which people are their segments; for all others they are their boxes.
OUTLINED = WITH_TEXTS if config["evaluate"]["probes"]["region"] == "segments" else []

if MODELS.small:

    rule evaluate_small:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            people="<results>/release/{shard}/people.parquet",
            faces="<results>/release/{shard}/faces.parquet",
            permits=([] if ARCHIVE else "<results>/consent/{shard}/permits.parquet"),
            files="<results>/release/{shard}/files.tar",
            segments=(
                "<results>/release/{shard}/segments.parquet"
                if set(OUTLINED) & set(MODELS.small)
                else []
            ),
        output:
            update(
                collect(
                    "<results>/evaluate/{{shard}}/{model}{of}.parquet",
                    model=MODELS.small,
                    of=("", ".asked"),
                )
            ),
        log:
            "<logs>/evaluate/small/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            entries=lambda wildcards: json.dumps(
                {name: json.loads(MODELS.spec(name)) for name in MODELS.small},
                sort_keys=True,
            ),
            weights=lookup("evaluate/weights", within=config),
            side=lookup("evaluate/likeness/side", within=config),
            factor=lookup("evaluate/likeness/factor", within=config),
            lpips=lambda wildcards: MEASURED_BY["lpips"],
            embedder=lambda wildcards: MEASURED_BY["embedder"],
            protocol=lookup("analyse/protocol", within=config),
        shell:
            step("evaluate.small")


if MODELS.shared:

    rule evaluate_shared:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            people="<results>/release/{shard}/people.parquet",
            faces="<results>/release/{shard}/faces.parquet",
            permits=([] if ARCHIVE else "<results>/consent/{shard}/permits.parquet"),
            files="<results>/release/{shard}/files.tar",
            segments=(
                "<results>/release/{shard}/segments.parquet"
                if set(OUTLINED) & set(MODELS.shared)
                else []
            ),
        output:
            update(
                collect(
                    "<results>/evaluate/{{shard}}/{model}{of}.parquet",
                    model=MODELS.shared,
                    of=("", ".asked"),
                )
            ),
        log:
            "<logs>/evaluate/shared/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(
                [*map(MODELS.entries.get, MODELS.shared), *MEASURES]
            ),
        params:
            entries=lambda wildcards: json.dumps(
                {name: json.loads(MODELS.spec(name)) for name in MODELS.shared},
                sort_keys=True,
            ),
            weights=lookup("evaluate/weights", within=config),
            side=lookup("evaluate/likeness/side", within=config),
            factor=lookup("evaluate/likeness/factor", within=config),
            lpips=lambda wildcards: MEASURED_BY["lpips"],
            embedder=lambda wildcards: MEASURED_BY["embedder"],
            protocol=lookup("analyse/protocol", within=config),
        shell:
            step("evaluate.shared")


rule evaluate_detect:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        faces="<results>/release/{shard}/faces.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("detect"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.detect")


rule evaluate_pose:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("pose"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.pose")


rule evaluate_parse:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("parse"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.parse")


rule evaluate_embed:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        permits=([] if ARCHIVE else "<results>/consent/{shard}/permits.parquet"),
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("embed"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.embed")


rule evaluate_parts:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("parts"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.parts")


rule evaluate_label:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("label"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.label")


rule evaluate_restore:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("restore"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model], *MEASURES]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
        side=lookup("evaluate/likeness/side", within=config),
        factor=lookup("evaluate/likeness/factor", within=config),
        lpips=lambda wildcards: MEASURED_BY["lpips"],
        embedder=lambda wildcards: MEASURED_BY["embedder"],
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("evaluate.restore")


rule evaluate_fetch:
    output:
        "<results>/evaluate/fetched.parquet",
    log:
        "<logs>/evaluate/fetch.log",
    conda:
        "../../envs/base.yaml"
    params:
        entries=json.dumps(
            {
                **LISTED.entries,
                **PAINTER.listed,
                **ENCODERS.entries,
                **SERVICES.entries,
            },
            sort_keys=True,
        ),
        weights=lookup("evaluate/weights", within=config),
        hub=lookup("evaluate/hub", within=config),
    shell:
        step("evaluate.fetch")


# It needs the network, which compute nodes often lack; `all` asks for it nowhere.
localrules:
    evaluate_fetch,


rule evaluate_masked:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        files="<results>/release/{shard}/files.tar",
        segments=collect(
            "<results>/release/{shard}/segments.parquet",
            shard=lambda wildcards: (
                [wildcards.shard] if wildcards.model in OUTLINED else []
            ),
        ),
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("masked"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.masked")


rule evaluate_ask:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
        attributes="<results>/release/{shard}/attributes.parquet",
        terms="<results>/release/{shard}/terms.parquet",
        questions=local(config["evaluate"]["questions"] or []),
        class_questions=local(
            config["evaluate"]["class_questions"]
            if ARCHIVE and ARCHIVE.format == "facet"
            else []
        ),
        files="<results>/release/{shard}/files.tar",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("ask"),
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
        vault=lookup("vault", within=config),
        external=within_limits,
    shell:
        step("evaluate.ask")


rule evaluate_outputs:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        people="<results>/release/{shard}/people.parquet",
    output:
        predictions="<results>/evaluate/{shard}/{model}.parquet",
        asked="<results>/evaluate/{shard}/{model}.asked.parquet",
    log:
        "<logs>/evaluate/{model}/{shard}.log",
    wildcard_constraints:
        model=MODELS.pattern("outputs"),
    conda:
        "../../envs/base.yaml"
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        vault=lookup("vault", within=config),
        archive=ARCHIVE.path if ARCHIVE else [],
    shell:
        step("evaluate.outputs")
