"""Train: detectors of generated faces, and annotators, learnt from pictures of the release whose terms allow it."""

# Name -> all that a training depends on besides its pictures; those that experiments derive are among them.
TRAINED = planned.specs(
    config["train"],
    pretrained.read(
        config, Path(workflow.source_path("../schemas/models.schema.yaml"))
    ),
)
planned.check_trained(MODELS.entries, TRAINED)
planned.check_groups(TRAINED, config["train"]["groups"])

# Annotators by name, and the encoders by which they see pictures.
ANNOTATORS = annotating.read(
    config, Path(workflow.source_path("../schemas/models.schema.yaml")), TRAINED
)
for absent in ANNOTATORS.missing:
    logger.warning(f"left out: {absent}")
# Name -> which pictures are drawn for it, and by which seed.
DRAWN_FOR = {
    **{name: (spec["data"], spec["seed"]) for name, spec in TRAINED.items()},
    **{
        name: (annotating.data_of(spec), spec["seed"])
        for name, spec in ANNOTATORS.specs.items()
    },
}
if ARCHIVE:
    planned.check_subsets(
        {name: data for name, (data, _) in DRAWN_FOR.items()}, Path(ARCHIVE.path)
    )


if DRAWN_FOR:

    rule train_split:
        input:
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            terms=collect("<results>/release/{shard}/terms.parquet", shard=all_shards),
        output:
            pictures="<results>/train/{model}/pictures.parquet",
            left_out="<results>/train/{model}/left_out.parquet",
        log:
            "<logs>/train/split/{model}.log",
        conda:
            "../../envs/base.yaml"
        params:
            model=lambda wildcards: wildcards.model,
            data=lambda wildcards: json.dumps(
                DRAWN_FOR[wildcards.model][0], sort_keys=True
            ),
            groups=as_json("train/groups"),
            seed=lambda wildcards: DRAWN_FOR[wildcards.model][1],
        shell:
            step("train.split")


if TRAINED:

    # What was trained before is there when it runs again: of the same pictures, settings and code it isn't done twice.
    # A job that was killed goes on from its checkpoint, which lies beside the model and is no output.
    rule train_detector:
        input:
            pictures="<results>/train/{model}/pictures.parquet",
            terms=collect("<results>/release/{shard}/terms.parquet", shard=all_shards),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            files=collect("<results>/release/{shard}/files.tar", shard=all_shards),
        output:
            model=update("<results>/train/{model}/model.safetensors"),
            history=update("<results>/train/{model}/history.parquet"),
            card="<results>/train/{model}/card.json",
            described="<results>/train/{model}/card.md",
        log:
            "<logs>/train/detector/{model}.log",
        wildcard_constraints:
            model="|".join(TRAINED),
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of_processes(
                TRAINED[wildcards.model]["processes"]
            ),
        params:
            detector=lambda wildcards: planned.as_json(TRAINED[wildcards.model]),
            on_withdrawal=lookup("train/on_withdrawal", within=config),
            vault=lookup("vault", within=config),
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("train.detector")


if ANNOTATORS.specs:

    # Vectors of pictures that are still there are taken over from what was there before.
    rule train_features:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            sources="<results>/release/{shard}/sources.parquet",
            people="<results>/release/{shard}/people.parquet",
            terms="<results>/release/{shard}/terms.parquet",
            files="<results>/release/{shard}/files.tar",
        output:
            features=update("<results>/train/features/{model}/{shard}.parquet"),
        log:
            "<logs>/train/features/{model}/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of([ANNOTATORS.encoders[wildcards.model]]),
        params:
            encoder=lambda wildcards: planned.as_json(
                ANNOTATORS.encoders[wildcards.model]
            ),
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("train.features")

    # As train_detector: not done twice, and gone on with from its checkpoint.
    rule train_annotator:
        input:
            pictures="<results>/train/{model}/pictures.parquet",
            terms=collect("<results>/release/{shard}/terms.parquet", shard=all_shards),
            features=lambda wildcards: collect(
                "<results>/train/features/{model}/{shard}.parquet",
                model=ANNOTATORS.specs[wildcards.model]["encoder"]["name"],
                shard=all_shards,
            ),
        output:
            model=update("<results>/train/{model}/model.safetensors"),
            history=update("<results>/train/{model}/history.parquet"),
            card="<results>/train/{model}/card.json",
            described="<results>/train/{model}/card.md",
        log:
            "<logs>/train/annotator/{model}.log",
        wildcard_constraints:
            model="|".join(ANNOTATORS.specs),
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of_processes(1),
        params:
            annotator=lambda wildcards: planned.as_json(
                ANNOTATORS.specs[wildcards.model]
            ),
            on_withdrawal=lookup("train/on_withdrawal", within=config),
            vault=lookup("vault", within=config),
        shell:
            step("train.annotator")
