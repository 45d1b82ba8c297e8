"""Scores: how well each model did on each person, one table for each task."""

from accord.protocol import is_api

# FHIBE's public Evaluation API takes a release's own masks of faces for the truth.
MASKED = SHARDS if is_api(config["analyse"]["protocol"]) else []


rule analyse_localisation:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/scores/{task}.parquet",
    log:
        "<logs>/analyse/{task}.log",
    wildcard_constraints:
        task="face_localization|person_localization",
    conda:
        "../../envs/base.yaml"
    params:
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.localisation", extra="--task {wildcards.task}")


rule analyse_parts:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("body_parts_detection"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("body_parts_detection"),
        ),
        keypoints=collect(
            "<results>/release/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/scores/body_parts_detection.parquet",
    log:
        "<logs>/analyse/body_parts_detection.log",
    conda:
        "../../envs/base.yaml"
    params:
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.parts")


rule analyse_part_rates:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("body_parts_detection"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("body_parts_detection"),
        ),
        keypoints=collect(
            "<results>/release/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
        members="<results>/analyse/members.parquet",
    output:
        "<results>/analyse/part_rates.parquet",
    log:
        "<logs>/analyse/part_rates.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_subjects=lookup("analyse/min_subjects", within=config),
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.part_rates")


rule analyse_pose:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("keypoint_estimation"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("keypoint_estimation"),
        ),
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        keypoints=collect(
            "<results>/release/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=all_shards
        ),
    output:
        "<results>/analyse/scores/keypoint_estimation.parquet",
    log:
        "<logs>/analyse/keypoint_estimation.log",
    conda:
        "../../envs/base.yaml"
    params:
        normaliser=lookup("analyse/pck_normaliser", within=config),
        points=lookup("analyse/keypoints", within=config),
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.pose")


rule analyse_parsing:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("person_parsing"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("person_parsing"),
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/scores/person_parsing.parquet",
    log:
        "<logs>/analyse/person_parsing.log",
    conda:
        "../../envs/base.yaml"
    params:
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.parsing")


rule analyse_face_masks:
    input:
        derivatives="<results>/release/{shard}/derivatives.parquet",
        files="<results>/release/{shard}/files.tar",
    output:
        "<results>/analyse/face_masks/{shard}.parquet",
    log:
        "<logs>/analyse/face_masks/{shard}.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.face_masks")


rule analyse_labels:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("face_parsing"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("face_parsing"),
        ),
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=all_shards
        ),
        faces=collect("<results>/release/{shard}/faces.parquet", shard=all_shards),
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        verdicts="<results>/release/verdicts.parquet",
        masks=collect("<results>/analyse/face_masks/{shard}.parquet", shard=MASKED),
    output:
        "<results>/analyse/scores/face_parsing.parquet",
    log:
        "<logs>/analyse/face_parsing.log",
    conda:
        "../../envs/base.yaml"
    params:
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.labels")


rule analyse_likeness:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/scores/{task}.parquet",
    log:
        "<logs>/analyse/{task}.log",
    wildcard_constraints:
        task="face_encoding|face_super_resolution",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.likeness", extra="--task {wildcards.task}")


rule analyse_verification:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("face_verification"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=MODELS.of_task("face_verification"),
        ),
        members="<results>/analyse/members.parquet",
        attributes=collect(
            "<results>/release/{shard}/attributes.parquet", shard=all_shards
        ),
        verdicts="<results>/release/verdicts.parquet",
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
    output:
        scores="<results>/analyse/scores/face_verification.parquet",
        rates="<results>/analyse/verification.parquet",
        curves="<results>/analyse/curves.parquet",
        pair_errors="<results>/analyse/pair_errors.parquet",
    log:
        "<logs>/analyse/face_verification.log",
    conda:
        "../../envs/base.yaml"
    params:
        far=lookup("analyse/far", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        seed=lookup("analyse/seed", within=config),
        protocol=lookup("analyse/protocol", within=config),
    shell:
        step("analyse.verification", without=["bootstraps"])
