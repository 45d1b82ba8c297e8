"""Analyse: how often the annotators of this run are right, by what the archive says of people of the test."""

if ANNOTATED:

    rule analyse_annotations:
        input:
            annotations=ANNOTATED,
            sources=collect("<results>/release/{shard}/sources.parquet", shard=SHARDS),
            people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=SHARDS
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
