"""Train: detectors of generated faces, learnt from pictures of the release whose terms allow it."""

# Name -> all that a training depends on besides its pictures; those that experiments derive are among them.
TRAINED = planned.specs(config["train"])
planned.check_trained(MODELS.entries, TRAINED)


if TRAINED:

    rule train_split:
        input:
            sources=collect("<results>/release/{shard}/sources.parquet", shard=SHARDS),
            people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=SHARDS
            ),
            terms=collect("<results>/release/{shard}/terms.parquet", shard=SHARDS),
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
                TRAINED[wildcards.model]["data"], sort_keys=True
            ),
            groups=as_json("train/groups"),
            seed=lambda wildcards: TRAINED[wildcards.model]["seed"],
        shell:
            step("train.split")

    # What was trained before is there when it runs again: of the same pictures, settings and code it isn't done twice.
    # A job that was killed goes on from its checkpoint, which lies beside the model and is no output.
    rule train_detector:
        input:
            pictures="<results>/train/{model}/pictures.parquet",
            terms=collect("<results>/release/{shard}/terms.parquet", shard=SHARDS),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=SHARDS
            ),
            files=collect("<results>/release/{shard}/files.tar", shard=SHARDS),
        output:
            model=update("<results>/train/{model}/model.safetensors"),
            history=update("<results>/train/{model}/history.parquet"),
            card="<results>/train/{model}/card.json",
            described="<results>/train/{model}/card.md",
        log:
            "<logs>/train/detector/{model}.log",
        conda:
            "../../envs/base.yaml"
        params:
            detector=lambda wildcards: planned.as_json(TRAINED[wildcards.model]),
            on_withdrawal=lookup("train/on_withdrawal", within=config),
            vault=lookup("vault", within=config),
        shell:
            step("train.detector")
