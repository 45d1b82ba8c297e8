"""Evaluate: models in, predictions out; no metric is computed here."""


rule evaluate_detect:
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
        model=MODELS.pattern("detect"),
    conda:
        "../../envs/base.yaml"
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step(
            "evaluate.detect --derivatives {input.derivatives} --people {input.people} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
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
            "evaluate.embed --derivatives {input.derivatives} --files {input.files}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-predictions {output.predictions} --out-asked {output.asked}"
        )


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
