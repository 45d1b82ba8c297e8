"""Analyse: how often the annotators of this run are right, by what the archive says of people of the test."""

if ANNOTATED:

    rule analyse_annotations:
        input:
            annotations=ANNOTATED,
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            verdicts="<results>/release/verdicts.parquet",
        output:
            "<results>/analyse/annotation_accuracy.parquet",
        log:
            "<logs>/analyse/annotations.log",
        conda:
            "../../envs/base.yaml"
        params:
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("analyse.annotations")


if STUDIED:

    rule analyse_study:
        input:
            studied="<results>/evaluate/studied.parquet",
        output:
            accuracy="<results>/analyse/study_accuracy.parquet",
            agreement="<results>/analyse/study_agreement.parquet",
        log:
            "<logs>/analyse/study.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            # Reruns it when somebody voted; it is no part of the command.
            looked=START["looked"],
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("analyse.study")
