"""Evaluate: tones of skin on Monk's scale, of the faces of an archive of sources."""

TONED_BY = config["evaluate"]["skin_tones"] if SOURCED else None
TONE_PARSER = models.read(
    {**config["evaluate"], "run": [TONED_BY] if TONED_BY else []},
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)
TONES = collect(
    "<results>/evaluate/{shard}/skin_tones.parquet", shard=SHARDS if TONED_BY else []
)


if TONED_BY:

    rule evaluate_skin_tones:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            files="<results>/release/{shard}/files.tar",
        output:
            "<results>/evaluate/{shard}/skin_tones.parquet",
        log:
            "<logs>/evaluate/skin_tones/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(TONE_PARSER.entries.values()),
        params:
            parser=lambda wildcards: TONE_PARSER.spec(TONED_BY),
            weights=lookup("evaluate/weights", within=config),
            kind="downsampled",
            seed=lookup("analyse/seed", within=config),
        shell:
            step("evaluate.skin_tones")
