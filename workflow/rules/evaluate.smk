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
ARCHIVE = " --archive {params.archive:q}" if config["release"]["fhibe"] else ""


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.detect --derivatives {input.derivatives} --people {input.people} --faces {input.faces}"
            " --files {input.files} --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.pose --derivatives {input.derivatives} --people {input.people} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.parse --derivatives {input.derivatives} --people {input.people} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


rule evaluate_embed:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        permits=(
            []
            if config["release"]["fhibe"]
            else "<results>/consent/{shard}/permits.parquet"
        ),
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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.embed --derivatives {input.derivatives} --permits {input.permits} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.parts --derivatives {input.derivatives} --people {input.people} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.label --derivatives {input.derivatives} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
        side=lookup("evaluate/likeness/side", within=config),
        factor=lookup("evaluate/likeness/factor", within=config),
        lpips=lambda wildcards: models.spec_or_none(
            MEASURING, LIKENESS["lpips"], Path(config["evaluate"]["weights"])
        ),
        embedder=lambda wildcards: models.spec_or_none(
            MEASURING, LIKENESS["embedder"], Path(config["evaluate"]["weights"])
        ),
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step(
            "evaluate.restore --derivatives {input.derivatives} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --side {params.side} --factor {params.factor}"
            " --lpips {params.lpips:q} --embedder {params.embedder:q} --protocol {params.protocol}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


rule evaluate_fetch:
    output:
        "<results>/evaluate/fetched.parquet",
    log:
        "<logs>/evaluate/fetch.log",
    conda:
        "../../envs/base.yaml"
    params:
        entries=json.dumps({**LISTED.entries, **PAINTER.listed}, sort_keys=True),
        weights=lookup("evaluate/weights", within=config),
        hub=lookup("evaluate/hub", within=config),
    shell:
        step(
            "evaluate.fetch --entries {params.entries:q} --weights {params.weights:q}"
            " --hub {params.hub:q} --out {output}"
        )


# It needs the network, which compute nodes often lack; `all` asks for it nowhere.
localrules:
    evaluate_fetch,


rule evaluate_masked:
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
        model=MODELS.pattern("masked"),
    conda:
        "../../envs/base.yaml"
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.masked --derivatives {input.derivatives} --people {input.people} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
        archive=lookup("release/fhibe", within=config),
    shell:
        step(
            "evaluate.outputs --derivatives {input.derivatives} --people {input.people}"
            " --model {params.model:q} --vault {params.vault:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
            + ARCHIVE
        )
