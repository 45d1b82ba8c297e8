"""Analyse: predictions into scores, groups, disparities and diversity; never touches a GPU or an image."""

SCORED = (
    "face_localization",
    "person_localization",
    "keypoint_estimation",
    "person_parsing",
    "face_verification",
)


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
    shell:
        step(
            "analyse.localisation --predictions {input.predictions} --asked {input.asked}"
            " --people {input.people} --verdicts {input.verdicts} --task {wildcards.task} --out {output}"
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
    output:
        "<results>/analyse/scores/keypoint_estimation.parquet",
    log:
        "<logs>/analyse/keypoint_estimation.log",
    conda:
        "../../envs/base.yaml"
    params:
        normaliser=lookup("analyse/pck_normaliser", within=config),
    shell:
        step(
            "analyse.pose --predictions {input.predictions} --asked {input.asked} --people {input.people}"
            " --keypoints {input.keypoints} --segments {input.segments} --verdicts {input.verdicts}"
            " --normaliser {params.normaliser} --out {output}"
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
    shell:
        step(
            "analyse.parsing --predictions {input.predictions} --asked {input.asked}"
            " --segments {input.segments} --verdicts {input.verdicts} --out {output}"
        )


rule analyse_members:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
        attributes=collect("<results>/release/{shard}/attributes.parquet", shard=SHARDS),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/members.parquet",
    log:
        "<logs>/analyse/members.log",
    conda:
        "../../envs/base.yaml"
    params:
        names=lambda wildcards: json.dumps(config["analyse"]["attributes"]),
        crossed=lambda wildcards: json.dumps(config["analyse"]["crossed"]),
        most=lookup("analyse/intersections", within=config),
    shell:
        step(
            "analyse.members --people {input.people} --attributes {input.attributes}"
            " --verdicts {input.verdicts} --names {params.names:q} --crossed {params.crossed:q}"
            " --most {params.most} --out {output}"
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
    shell:
        step(
            "analyse.verification --predictions {input.predictions} --asked {input.asked}"
            " --members {input.members} --attributes {input.attributes} --verdicts {input.verdicts}"
            " --far {params.far} --min-subjects {params.min_subjects}"
            " --seed {params.seed} --out-scores {output.scores} --out-rates {output.rates}"
            " --out-curves {output.curves} --out-pair-errors {output.pair_errors}"
        )


rule analyse_groups:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members="<results>/analyse/members.parquet",
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
        bootstraps=lookup("analyse/bootstraps", within=config),
        seed=lookup("analyse/seed", within=config),
    shell:
        step(
            "analyse.groups --scores {input.scores} --members {input.members} --rates {input.rates}"
            " --far {params.far} --min-subjects {params.min_subjects} --bootstraps {params.bootstraps}"
            " --seed {params.seed} --out {output}"
        )


rule analyse_disparities:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members="<results>/analyse/members.parquet",
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
        step(
            "analyse.disparities --scores {input.scores} --members {input.members}"
            " --min-subjects {params.min_subjects} --bootstraps {params.bootstraps} --seed {params.seed}"
            " --correction {params.correction} --out {output}"
        )


rule analyse_diversity:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=SHARDS,
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
        step(
            "analyse.diversity --predictions {input.predictions} --verdicts {input.verdicts} --out {output}"
        )


rule analyse_composition:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
        members="<results>/analyse/members.parquet",
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/composition.parquet",
    log:
        "<logs>/analyse/composition.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "analyse.composition --people {input.people} --members {input.members}"
            " --verdicts {input.verdicts} --out {output}"
        )


rule analyse_features:
    input:
        people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
        attributes=collect("<results>/release/{shard}/attributes.parquet", shard=SHARDS),
        public=collect("<results>/release/{shard}/public.parquet", shard=SHARDS),
        keypoints=collect("<results>/release/{shard}/keypoints.parquet", shard=SHARDS),
        segments=collect("<results>/release/{shard}/segments.parquet", shard=SHARDS),
        derivatives=collect(
            "<results>/release/{shard}/derivatives.parquet", shard=SHARDS
        ),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet",
            shard=[] if config["release"]["fhibe"] else SHARDS,
        ),
        verdicts="<results>/release/verdicts.parquet",
    output:
        "<results>/analyse/features.parquet",
    log:
        "<logs>/analyse/features.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "analyse.features --people {input.people} --attributes {input.attributes} --public {input.public}"
            " --keypoints {input.keypoints} --segments {input.segments} --derivatives {input.derivatives}"
            " --fingerprints {input.fingerprints} --verdicts {input.verdicts} --out {output}"
        )


rule analyse_patterns:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        features="<results>/analyse/features.parquet",
        members="<results>/analyse/members.parquet",
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
        seed=lookup("analyse/seed", within=config),
    shell:
        step(
            "analyse.patterns --scores {input.scores} --features {input.features} --members {input.members}"
            " --quantile {params.quantile} --support {params.support} --most {params.most}"
            " --min-subjects {params.min_subjects} --bootstraps {params.bootstraps} --seed {params.seed}"
            " --out-patterns {output.patterns} --out-disparities {output.disparities}"
        )


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
        seed=lookup("analyse/seed", within=config),
    shell:
        step(
            "analyse.causes --scores {input.scores} --features {input.features} --trees {params.trees}"
            " --resamples {params.resamples} --min-subjects {params.min_subjects} --seed {params.seed}"
            " --out-causes {output.causes} --out-tree {output.tree}"
        )


rule analyse_conditioning:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        features="<results>/analyse/features.parquet",
        members="<results>/analyse/members.parquet",
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
        step(
            "analyse.conditioning --scores {input.scores} --features {input.features} --members {input.members}"
            " --disparities {input.disparities} --causes {input.causes} --resamples {params.resamples}"
            " --min-subjects {params.min_subjects} --seed {params.seed} --out {output}"
        )


rule analyse_numbers:
    input:
        tables=lookup("analyse/numbers", within=config),
    output:
        "<results>/analyse/numbers.parquet",
    log:
        "<logs>/analyse/numbers.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step("analyse.numbers --tables {input.tables:q} --out {output}")


rule analyse_extremes:
    input:
        scores=collect("<results>/analyse/scores/{task}.parquet", task=SCORED),
        members="<results>/analyse/members.parquet",
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
        step(
            "analyse.extremes --scores {input.scores} --members {input.members} --crossed {params.crossed:q}"
            " --most {params.most} --correction {params.correction} --min-subjects {params.min_subjects}"
            " --bootstraps {params.bootstraps} --seed {params.seed} --out-extremes {output.extremes}"
            " --out-intersections {output.intersections}"
        )


rule analyse_compared:
    input:
        before=lookup("analyse/before", within=config),
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
        step(
            "analyse.compared --before {input.before:q} --after {input.after} --margin {params.margin}"
            " --bootstraps {params.bootstraps} --seed {params.seed} --out {output}"
        )
