"""Evaluate: what the annotators of this run say of each face of an archive of sources."""

ANNOTATED = collect(
    "<results>/evaluate/{shard}/annotations.parquet",
    shard=SHARDS if ANNOTATORS.specs and SOURCED else [],
)

# Whether people are asked what they take faces for, on the review page.
STUDIED = bool(ANNOTATED and config["evaluate"]["study"])


if ANNOTATED:

    rule evaluate_annotations:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            sources="<results>/release/{shard}/sources.parquet",
            people="<results>/release/{shard}/people.parquet",
            features=collect(
                "<results>/train/features/{model}/{{shard}}.parquet",
                model=ANNOTATORS.encoders,
            ),
            learnt=collect(
                "<results>/train/{model}/pictures.parquet", model=ANNOTATORS.specs
            ),
            trained=collect(
                "<results>/train/{model}/model.safetensors", model=ANNOTATORS.specs
            ),
            files="<results>/release/{shard}/files.tar",
        output:
            "<results>/evaluate/{shard}/annotations.parquet",
        log:
            "<logs>/evaluate/annotations/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(ANNOTATORS.encoders.values()),
        params:
            frozen=lambda wildcards: json.dumps(
                list(ANNOTATORS.encoders.values()), sort_keys=True
            ),
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("evaluate.annotations")


if STUDIED:

    rule evaluate_look_items:
        input:
            annotations=ANNOTATED,
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
        output:
            review_items="<results>/evaluate/look_items.parquet",
            studied="<results>/evaluate/studied.parquet",
        log:
            "<logs>/evaluate/look_items.log",
        conda:
            "../../envs/base.yaml"
        params:
            study=lookup("evaluate/study", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("evaluate.look_items")
