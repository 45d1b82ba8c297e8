"""Scores: how well each model did on each person, one table for each task."""

from accord.protocol import is_api

# FHIBE's public Evaluation API takes a release's own masks of faces for the truth.
MASKED = SHARDS if is_api(config["analyse"]["protocol"]) else []


rule analyse_localisation:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
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
        step(
            "analyse.localisation --predictions {input.predictions} --asked {input.asked}"
            " --people {input.people} --verdicts {input.verdicts} --task {wildcards.task}"
            " --protocol {params.protocol} --out {output}"
        )


rule analyse_parts:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("body_parts_detection"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("body_parts_detection"),
        ),
        keypoints=collect("<results>/release/{shard}/keypoints.parquet", shard=SHARDS),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
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
        step(
            "analyse.parts --predictions {input.predictions} --asked {input.asked} --keypoints {input.keypoints}"
            " --segments {input.segments} --verdicts {input.verdicts} --protocol {params.protocol} --out {output}"
        )


rule analyse_part_rates:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("body_parts_detection"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("body_parts_detection"),
        ),
        keypoints=collect("<results>/release/{shard}/keypoints.parquet", shard=SHARDS),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
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
        step(
            "analyse.part_rates --predictions {input.predictions} --asked {input.asked} --keypoints {input.keypoints}"
            " --segments {input.segments} --verdicts {input.verdicts} --members {input.members}"
            " --min-subjects {params.min_subjects} --protocol {params.protocol} --out {output}"
        )


rule analyse_pose:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("keypoint_estimation"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("keypoint_estimation"),
        ),
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
        keypoints=collect("<results>/release/{shard}/keypoints.parquet", shard=SHARDS),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
        verdicts="<results>/release/verdicts.parquet",
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=SHARDS
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
        step(
            "analyse.pose --predictions {input.predictions} --asked {input.asked} --people {input.people}"
            " --keypoints {input.keypoints} --segments {input.segments} --verdicts {input.verdicts}"
            " --derivatives {input.derivatives} --normaliser {params.normaliser} --points {params.points}"
            " --protocol {params.protocol} --out {output}"
        )


rule analyse_parsing:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("person_parsing"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("person_parsing"),
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
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
        step(
            "analyse.parsing --predictions {input.predictions} --asked {input.asked}"
            " --segments {input.segments} --verdicts {input.verdicts} --protocol {params.protocol} --out {output}"
        )


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
        step(
            "analyse.face_masks --derivatives {input.derivatives} --files {input.files} --out {output}"
        )


rule analyse_labels:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("face_parsing"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("face_parsing"),
        ),
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=SHARDS
        ),
        faces=collect("<results>/release/{shard}/faces.parquet", shard=SHARDS),
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
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
        step(
            "analyse.labels --predictions {input.predictions} --asked {input.asked}"
            " --derivatives {input.derivatives} --faces {input.faces} --people {input.people}"
            " --segments {input.segments} --verdicts {input.verdicts} --masks {input.masks}"
            " --protocol {params.protocol} --out {output}"
        )


rule analyse_likeness:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=lambda wildcards: MODELS.of_task(wildcards.task),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
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
        step(
            "analyse.likeness --predictions {input.predictions} --asked {input.asked} --verdicts {input.verdicts}"
            " --task {wildcards.task} --out {output}"
        )


rule analyse_verification:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
            model=MODELS.of_task("face_verification"),
        ),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=SHARDS,
            model=MODELS.of_task("face_verification"),
        ),
        members="<results>/analyse/members.parquet",
        attributes=collect("<results>/release/{shard}/attributes.parquet", shard=SHARDS),
        verdicts="<results>/release/verdicts.parquet",
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
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
        step(
            "analyse.verification --predictions {input.predictions} --asked {input.asked}"
            " --members {input.members} --attributes {input.attributes} --verdicts {input.verdicts}"
            " --people {input.people} --far {params.far} --min-subjects {params.min_subjects}"
            " --seed {params.seed} --protocol {params.protocol} --out-scores {output.scores} --out-rates {output.rates}"
            " --out-curves {output.curves} --out-pair-errors {output.pair_errors}"
        )
