"""Analyse: predictions into scores, groups, disparities and diversity; never touches a GPU or an image."""

CASUAL = config["analyse"]["casual"]

SCORED = (
    "face_localization",
    "person_localization",
    "keypoint_estimation",
    "person_parsing",
    "face_verification",
    # Tasks of which no shipped model may run: they are scored where there is one.
    *(
        task
        for task in (
            "body_parts_detection",
            "face_parsing",
            "face_encoding",
            "face_super_resolution",
            "image_text",
        )
        if MODELS.of_task(task)
    ),
    *(["visual_question"] if CLASSED else []),
    *(["open_questions"] if ASKED else []),
    *(["age_gender"] if CASUAL["predictions"] or AGE_GENDER else []),
    *(["fake_detection"] if CASUAL["submissions"] else []),
)
# Groups of people in images, those by votes too; and of the videos of submissions.
GROUPED = [
    "<results>/analyse/members.parquet",
    *(["<results>/analyse/voted_members.parquet"] if CASUAL["votes"] or RATED else []),
]
MEMBERS = [
    *GROUPED,
    *(["<results>/analyse/submitted_members.parquet"] if CASUAL["submissions"] else []),
]


rule analyse_members:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/release/{shard}/attributes.parquet", shard=all_shards
        ),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/members.parquet",
    log:
        "<logs>/analyse/members.log",
    conda:
        "../../envs/base.yaml"
    params:
        names=as_json("analyse/attributes"),
        crossed=as_json("analyse/crossed"),
        most=lookup("analyse/intersections", within=config),
    shell:
        step("analyse.members")


rule analyse_numbers:
    input:
        tables=local(config["analyse"]["numbers"]),
    output:
        "<results>/analyse/numbers.parquet",
    log:
        "<logs>/analyse/numbers.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.numbers")


rule analyse_features:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/release/{shard}/attributes.parquet", shard=all_shards
        ),
        public=collect("<results>/release/{shard}/public.parquet", shard=all_shards),
        keypoints=collect(
            "<results>/release/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=all_shards
        ),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet",
            shard=[] if ARCHIVE else all_shards,
        ),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/features.parquet",
    log:
        "<logs>/analyse/features.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.features")


rule analyse_composition:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        members=GROUPED,
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/composition.parquet",
    log:
        "<logs>/analyse/composition.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.composition")


rule analyse_diversity:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=MODELS.of_task("image_embedding"),
        ),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/diversity.parquet",
    log:
        "<logs>/analyse/diversity.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.diversity")


rule analyse_layout:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=all_shards
        ),
        keypoints=collect(
            "<results>/release/{shard}/keypoints.parquet", shard=all_shards
        ),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=all_shards),
        members="<results>/analyse/members.parquet",
        verdicts="<results>/release/verdicts.parquet",
        diversity="<results>/analyse/diversity.parquet",
        references=local(config["analyse"]["references"]),
    output:
        layout="<results>/analyse/layout.parquet",
        spreads="<results>/analyse/spreads.parquet",
        heat="<results>/analyse/heat.parquet",
        group_sizes="<results>/analyse/group_sizes.parquet",
        attribute_sizes="<results>/analyse/attribute_sizes.parquet",
        references="<results>/analyse/references.parquet",
    log:
        "<logs>/analyse/layout.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.layout")


rule analyse_groups:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members=MEMBERS,
        rates="<results>/analyse/verification.parquet",
    output:
        "<results>/analyse/groups.parquet",
    log:
        "<logs>/analyse/groups.log",
    conda:
        "../../envs/base.yaml"
    params:
        far=lookup("analyse/far", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
    shell:
        step("analyse.groups")


rule analyse_disparities:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members=MEMBERS,
    output:
        "<results>/analyse/disparities.parquet",
    log:
        "<logs>/analyse/disparities.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_subjects=lookup("analyse/min_subjects", within=config),
        bootstraps=lookup("analyse/bootstraps", within=config),
        seed=lookup("analyse/seed", within=config),
        correction=lookup("analyse/correction", within=config),
    shell:
        step("analyse.disparities", without=["lower_is_better"])


rule analyse_differences:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members=MEMBERS,
    output:
        "<results>/analyse/differences.parquet",
    log:
        "<logs>/analyse/differences.log",
    conda:
        "../../envs/base.yaml"
    params:
        resamples=lookup("analyse/resamples", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.differences")


rule analyse_extremes:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members=MEMBERS,
    output:
        extremes="<results>/analyse/extremes.parquet",
        intersections="<results>/analyse/intersections.parquet",
    log:
        "<logs>/analyse/extremes.log",
    conda:
        "../../envs/base.yaml"
    params:
        crossed=lambda wildcards: json.dumps(
            config["analyse"]["crossed"] or config["analyse"]["attributes"]
        ),
        most=lookup("analyse/intersections", within=config),
        correction=lookup("analyse/correction", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        bootstraps=lookup("analyse/bootstraps", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.extremes", without=["lower_is_better"])


rule analyse_robustness:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members=MEMBERS,
        features="<results>/analyse/features.parquet",
        disparities="<results>/analyse/disparities.parquet",
    output:
        multiverse="<results>/analyse/multiverse.parquet",
        power="<results>/analyse/power.parquet",
        reversals="<results>/analyse/reversals.parquet",
    log:
        "<logs>/analyse/robustness.log",
    conda:
        "../../envs/base.yaml"
    params:
        resamples=lookup("analyse/resamples", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.robustness")


rule analyse_patterns:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        features="<results>/analyse/features.parquet",
        members=MEMBERS,
    output:
        patterns="<results>/analyse/patterns.parquet",
        disparities="<results>/analyse/pattern_disparities.parquet",
    log:
        "<logs>/analyse/patterns.log",
    conda:
        "../../envs/base.yaml"
    params:
        quantile=lookup("analyse/error_share", within=config),
        support=lookup("analyse/pattern_support", within=config),
        most=lookup("analyse/pattern_items", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        bootstraps=lookup("analyse/bootstraps", within=config),
        support_of=lookup("analyse/support_of", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.patterns")


rule analyse_causes:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        features="<results>/analyse/features.parquet",
    output:
        causes="<results>/analyse/causes.parquet",
        tree="<results>/analyse/cause_tree.parquet",
    log:
        "<logs>/analyse/causes.log",
    conda:
        "../../envs/base.yaml"
    params:
        trees=lookup("analyse/trees", within=config),
        resamples=lookup("analyse/resamples", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        importance=lookup("analyse/importance", within=config),
        tree_features=lookup("analyse/tree_features", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.causes")


rule analyse_conditioning:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        features="<results>/analyse/features.parquet",
        members=MEMBERS,
        disparities="<results>/analyse/disparities.parquet",
        causes="<results>/analyse/causes.parquet",
    output:
        "<results>/analyse/conditioned.parquet",
    log:
        "<logs>/analyse/conditioning.log",
    conda:
        "../../envs/base.yaml"
    params:
        resamples=lookup("analyse/resamples", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.conditioning")


rule analyse_compared:
    input:
        before=local(config["analyse"]["before"]),
        after=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
    output:
        "<results>/analyse/compared.parquet",
    log:
        "<logs>/analyse/compared.log",
    conda:
        "../../envs/base.yaml"
    params:
        margin=lookup("analyse/margin", within=config),
        bootstraps=lookup("analyse/bootstraps", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step("analyse.compared")
