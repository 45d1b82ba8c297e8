"""Checks by people: what they are asked, and what becomes of their decisions."""


rule checks_items:
    input:
        images="<results>/consent/{shard}/images.parquet",
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=SEEN,
        ),
        proposals=collect(
            "<results>/checks/{{shard}}/{of}_proposals.parquet",
            of=PROPOSING,
        ),
    output:
        "<results>/checks/{shard}/items.parquet",
    log:
        "<logs>/checks/items/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        see_all=lookup("checks/see_all", within=config),
    shell:
        step(
            "checks.items --images {input.images} --findings {input.findings}"
            " --proposals {input.proposals} --see-all {params.see_all} --out {output}"
        )


rule checks_queue:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=SHARDS),
        findings=[
            *collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=SHARDS,
                of=("settled", "subjects", "occasions"),
            ),
            *collect("<results>/checks/{of}.parquet", of=GATHERED),
        ],
        pairs="<results>/checks/pairs.parquet",
        occasions=collect(
            "<results>/checks/{shard}/occasion_pairs.parquet", shard=SHARDS
        ),
        asked=[
            *collect("<results>/checks/{shard}/items.parquet", shard=SHARDS),
            *collect("<results>/checks/{of}.parquet", of=DRAWN),
        ],
        decisions=collect("<results>/checks/{shard}/decisions.parquet", shard=SHARDS),
    output:
        "<results>/checks/items.parquet",
    log:
        "<logs>/checks/queue.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.queue --images {input.images} --findings {input.findings} --pairs {input.pairs}"
            " --occasions {input.occasions} --items {input.asked} --decisions {input.decisions} --out {output}"
        )


rule checks_decisions:
    input:
        images="<results>/consent/{shard}/images.parquet",
    output:
        "<results>/checks/{shard}/decisions.parquet",
    log:
        "<logs>/checks/decisions/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        # Reruns the shards that a decision concerns; it is no part of the command.
        decided=lambda wildcards: DECIDED[wildcards.shard]["checks"],
    shell:
        step(
            "checks.decisions --images {input.images} --vault {params.vault:q} --out {output}"
        )


rule checks_settle:
    input:
        images="<results>/consent/{shard}/images.parquet",
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=SEEN,
        ),
        asked="<results>/checks/{shard}/items.parquet",
        decisions="<results>/checks/{shard}/decisions.parquet",
    output:
        "<results>/checks/{shard}/settled.parquet",
    log:
        "<logs>/checks/settle/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["checks"]["policies"]),
    shell:
        step(
            "checks.settle --images {input.images} --findings {input.findings} --items {input.asked}"
            " --decisions {input.decisions} --policies {params.policies:q} --out {output}"
        )


rule checks_regions:
    input:
        regions="<results>/intake/{shard}/regions.parquet",
        asked="<results>/checks/{shard}/items.parquet",
        decisions="<results>/checks/{shard}/decisions.parquet",
    output:
        "<results>/checks/{shard}/regions.parquet",
    log:
        "<logs>/checks/regions/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["checks"]["policies"]),
    shell:
        step(
            "checks.regions --regions {input.regions} --items {input.asked} --decisions {input.decisions}"
            " --policies {params.policies:q} --out {output}"
        )


rule checks_sample:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=SHARDS),
        people=collect("<results>/intake/{shard}/people.parquet", shard=SHARDS),
        attributes=collect("<results>/intake/{shard}/attributes.parquet", shard=SHARDS),
        annotated=collect("<results>/checks/{shard}/annotated.parquet", shard=SHARDS),
        findings="<results>/checks/duplicates.parquet",
    output:
        asked="<results>/checks/sample_items.parquet",
        drawn="<results>/checks/sample.parquet",
        strata="<results>/checks/sample_strata.parquet",
    log:
        "<logs>/checks/sample.log",
    conda:
        "../../envs/base.yaml"
    params:
        sample=lambda wildcards: json.dumps(config["checks"]["sample"], sort_keys=True),
    shell:
        step(
            "checks.sample --images {input.images} --people {input.people} --attributes {input.attributes}"
            " --annotated {input.annotated} --findings {input.findings} --sample {params.sample:q} --out-items {output.asked}"
            " --out-drawn {output.drawn} --out-strata {output.strata}"
        )


rule checks_estimates:
    input:
        drawn="<results>/checks/sample.parquet",
        strata="<results>/checks/sample_strata.parquet",
        decisions=collect("<results>/checks/{shard}/decisions.parquet", shard=SHARDS),
        images=collect("<results>/consent/{shard}/images.parquet", shard=SHARDS),
        annotated=collect("<results>/checks/{shard}/annotated.parquet", shard=SHARDS),
    output:
        estimates="<results>/checks/estimates.parquet",
        findings="<results>/checks/sampled.parquet",
    log:
        "<logs>/checks/estimates.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.estimates --drawn {input.drawn} --strata {input.strata} --decisions {input.decisions}"
            " --images {input.images} --annotated {input.annotated} --out-estimates {output.estimates} --out-findings {output.findings}"
        )


rule checks_scorecards:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=SHARDS),
        refused=collect("<results>/intake/{shard}/refused.parquet", shard=SHARDS),
        verdicts="<results>/checks/verdicts.parquet",
        suspicious="<results>/checks/patterns.parquet",
        patterns="<results>/checks/pattern_units.parquet",
        agreement="<results>/checks/agreement.parquet",
    output:
        scorecards="<results>/checks/scorecards.parquet",
        page="<results>/checks/scorecards.md",
    log:
        "<logs>/checks/scorecards.log",
    conda:
        "../../envs/base.yaml"
    params:
        cost=(
            []
            if config["checks"]["image_cost"] is None
            else ["--image-cost", config["checks"]["image_cost"]]
        ),
    shell:
        step(
            "checks.scorecards --images {input.images} --refused {input.refused} --verdicts {input.verdicts}"
            " --suspicious {input.suspicious} --patterns {input.patterns} --agreement {input.agreement}"
            " {params.cost} --out-scorecards {output.scorecards} --out-page {output.page}"
        )
