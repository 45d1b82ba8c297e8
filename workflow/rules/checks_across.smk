"""Checks across images: what shows only where many are held against one another."""


rule checks_duplicates:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=all_shards),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=all_shards
        ),
        delivered=collect("<results>/intake/{shard}/images.parquet", shard=all_shards),
        consented=collect(
            "<results>/consent/{shard}/findings.parquet", shard=all_shards
        ),
    output:
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/copies.parquet",
    log:
        "<logs>/checks/duplicates.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_distance=lookup("checks/max_distance", within=config),
    shell:
        step("checks.duplicates")


rule checks_crops:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=all_shards),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=all_shards
        ),
        looks=collect("<results>/checks/{shard}/looks.parquet", shard=all_shards),
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/copies.parquet",
    output:
        findings="<results>/checks/crops.parquet",
        pairs="<results>/checks/copies_and_crops.parquet",
        recall="<results>/checks/crop_recall.parquet",
    log:
        "<logs>/checks/crops.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_inliers=lookup("checks/min_inliers", within=config),
        min_correlation=lookup("checks/min_correlation", within=config),
        all_pairs_up_to=lookup("checks/all_pairs_up_to", within=config),
    shell:
        step("checks.crops")


rule checks_sameness:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=all_shards),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=all_shards
        ),
        looks=collect("<results>/checks/{shard}/looks.parquet", shard=all_shards),
        faces=collect("<results>/checks/{shard}/faces.parquet", shard=all_shards),
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/copies_and_crops.parquet",
    output:
        findings="<results>/checks/sameness.parquet",
        pairs="<results>/checks/pairs.parquet",
        rates="<results>/checks/face_rates.parquet",
    log:
        "<logs>/checks/sameness.log",
    conda:
        "../../envs/base.yaml"
    params:
        same_subject_cosine=lookup("checks/same_subject_cosine", within=config),
        cross_subject_cosine=lookup("checks/cross_subject_cosine", within=config),
        min_face_side=lookup("checks/min_face_side", within=config),
        min_face_sharpness=lookup("checks/min_face_sharpness", within=config),
        min_face_brightness=lookup("checks/min_face_brightness", within=config),
    shell:
        step("checks.sameness")


rule checks_patterns:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
        left=collect("<results>/checks/{shard}/images.parquet", shard=all_shards),
        people=collect("<results>/intake/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/intake/{shard}/attributes.parquet", shard=all_shards
        ),
        findings=[
            *collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=SHARDS,
                of=("settled", "subjects"),
            ),
            "<results>/checks/duplicates.parquet",
        ],
        forms=collect("<results>/intake/{shard}/forms.parquet", shard=all_shards),
    output:
        findings="<results>/checks/patterns.parquet",
        patterns="<results>/checks/pattern_units.parquet",
        pattern_images="<results>/checks/pattern_images.parquet",
    log:
        "<logs>/checks/patterns.log",
    conda:
        "../../envs/base.yaml"
    params:
        pattern_thresholds=as_json("checks/pattern_thresholds"),
    shell:
        step("checks.patterns")


rule checks_annotation_agreement:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
        people=collect("<results>/intake/{shard}/people.parquet", shard=all_shards),
        keypoints=collect(
            "<results>/intake/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/intake/{shard}/segments.parquet", shard=all_shards),
        attributes=collect(
            "<results>/intake/{shard}/attributes.parquet", shard=all_shards
        ),
        drawn="<results>/checks/sample.parquet",
        decisions=collect(
            "<results>/checks/{shard}/decisions.parquet", shard=all_shards
        ),
        passes=local(config["checks"]["passes"]),
    output:
        "<results>/checks/agreement.parquet",
    log:
        "<logs>/checks/annotation_agreement.log",
    conda:
        "../../envs/base.yaml"
    params:
        names=as_json("analyse/attributes"),
        min_subjects=lookup("analyse/min_subjects", within=config),
        bootstraps=lookup("analyse/bootstraps", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("checks.annotation_agreement")
