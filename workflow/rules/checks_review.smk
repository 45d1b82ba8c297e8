"""Checks by people: what they are asked, and what becomes of their decisions."""


rule checks_settle:
    input:
        images="<results>/consent/{shard}/images.parquet",
        cleared="<results>/checks/{shard}/cleared.parquet",
        drawn="<results>/intake/{shard}/regions.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        findings=collect("<results>/checks/{{shard}}/{of}.parquet", of=SEEN),
        proposals=collect(
            "<results>/checks/{{shard}}/{of}_proposals.parquet", of=PROPOSING
        ),
        logos_seen="<results>/checks/{shard}/logos_seen.parquet",
        answers=(
            ["<results>/checks/{shard}/vision.parquet"]
            if config["checks"]["vision"]
            else []
        ),
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
        looks="<results>/checks/{shard}/looks.parquet",
        clothes="<results>/checks/{shard}/clothes.parquet",
        web_list=local(config["checks"]["web_list"] or []),
    output:
        logos="<results>/checks/{shard}/logos.parquet",
        logos_proposals="<results>/checks/{shard}/logos_proposals.parquet",
        web="<results>/checks/{shard}/web.parquet",
        review_items="<results>/checks/{shard}/items.parquet",
        decisions="<results>/checks/{shard}/decisions.parquet",
        settled="<results>/checks/{shard}/settled.parquet",
        regions="<results>/checks/{shard}/regions.parquet",
        subjects="<results>/checks/{shard}/subjects.parquet",
        images="<results>/checks/{shard}/images.parquet",
        occasions="<results>/checks/{shard}/occasions.parquet",
        occasion_pairs="<results>/checks/{shard}/occasion_pairs.parquet",
    log:
        "<logs>/checks/settle/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        # Reruns the shards that a decision concerns; it is no part of the command.
        decided=lambda wildcards: START["decided"][wildcards.shard]["checks"],
        logo_score=lookup("checks/logo_score", within=config),
        see_all=lookup("checks/see_all", within=config),
        policies=as_json("checks/policies"),
        max_distance=lookup("checks/max_distance", within=config),
        max_images_per_subject=lookup("checks/max_images_per_subject", within=config),
        min_days_between=lookup("checks/min_days_between", within=config),
        occasion_limits=as_json("checks/occasions"),
        min_inliers=lookup("checks/min_inliers", within=config),
    shell:
        step("checks.settle")


rule checks_queue:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
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
            "<results>/checks/{shard}/occasion_pairs.parquet", shard=all_shards
        ),
        review_items=[
            *collect("<results>/checks/{shard}/items.parquet", shard=SHARDS),
            *collect("<results>/checks/{of}.parquet", of=DRAWN),
        ],
        decisions=collect(
            "<results>/checks/{shard}/decisions.parquet", shard=all_shards
        ),
        pattern_images="<results>/checks/pattern_images.parquet",
    output:
        "<results>/checks/items.parquet",
    log:
        "<logs>/checks/queue.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("checks.queue")


rule checks_sample:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=all_shards),
        people=collect("<results>/intake/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/intake/{shard}/attributes.parquet", shard=all_shards
        ),
        annotated=collect(
            "<results>/checks/{shard}/annotated.parquet", shard=all_shards
        ),
        findings="<results>/checks/duplicates.parquet",
    output:
        review_items="<results>/checks/sample_items.parquet",
        drawn="<results>/checks/sample.parquet",
        strata="<results>/checks/sample_strata.parquet",
    log:
        "<logs>/checks/sample.log",
    conda:
        "../../envs/base.yaml"
    params:
        sample=as_json("checks/sample"),
    shell:
        step("checks.sample")


rule checks_estimates:
    input:
        drawn="<results>/checks/sample.parquet",
        strata="<results>/checks/sample_strata.parquet",
        decisions=collect(
            "<results>/checks/{shard}/decisions.parquet", shard=all_shards
        ),
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
        annotated=collect(
            "<results>/checks/{shard}/annotated.parquet", shard=all_shards
        ),
    output:
        estimates="<results>/checks/estimates.parquet",
        findings="<results>/checks/sampled.parquet",
    log:
        "<logs>/checks/estimates.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("checks.estimates")


rule checks_scorecards:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=all_shards),
        refused=collect("<results>/intake/{shard}/refused.parquet", shard=all_shards),
        verdicts="<results>/checks/verdicts.parquet",
        suspicious="<results>/checks/patterns.parquet",
    output:
        scorecards="<results>/checks/scorecards.parquet",
        suspicions="<results>/checks/suspicions.parquet",
    log:
        "<logs>/checks/scorecards.log",
    conda:
        "../../envs/base.yaml"
    params:
        image_cost=(
            []
            if config["checks"]["image_cost"] is None
            else config["checks"]["image_cost"]
        ),
    shell:
        step("checks.scorecards")
