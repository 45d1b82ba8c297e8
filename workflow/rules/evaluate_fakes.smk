"""Evaluate: detectors of generated faces, on pictures of the test as they are and degraded."""

# Models that experiments train are evaluated without an entry in models.yaml.
FAKE_DETECTORS = {
    **{
        name: json.loads(MODELS.spec(name))
        for name in MODELS.of_task("fake_detection")
        if "outputs" not in MODELS.entries[name]
    },
    **{name: planned.as_evaluated(name) for name in planned.derived(config["train"])},
}
# Models of experiments are shown pictures as they are.
DEGRADED = {
    name: degraded.names(
        config["evaluate"]["fakes"]["degradations"] if name in MODELS.entries else {}
    )
    for name in FAKE_DETECTORS
}
# Table Fakes of all shards and detectors.
FAKES = collect(
    "<results>/evaluate/{shard}/fakes/{model}.parquet",
    shard=SHARDS,
    model=FAKE_DETECTORS,
)
# Those that this run trains -> what they are trained as.
TRAINED_AS = {
    name: entry["trained"]
    for name, entry in FAKE_DETECTORS.items()
    if "trained" in entry
}


if FAKE_DETECTORS:

    rule evaluate_fakes:
        input:
            derivatives="<results>/release/{shard}/derivatives.parquet",
            sources="<results>/release/{shard}/sources.parquet",
            people="<results>/release/{shard}/people.parquet",
            files="<results>/release/{shard}/files.tar",
            learnt=lambda wildcards: (
                f"<results>/train/{TRAINED_AS[wildcards.model]}/pictures.parquet"
                if wildcards.model in TRAINED_AS
                else []
            ),
            trained=lambda wildcards: (
                f"<results>/train/{TRAINED_AS[wildcards.model]}/model.safetensors"
                if wildcards.model in TRAINED_AS
                else []
            ),
        output:
            "<results>/evaluate/{shard}/fakes/{model}.parquet",
        log:
            "<logs>/evaluate/fakes/{model}/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(
                [MODELS.entries.get(wildcards.model, {"trained": wildcards.model})]
            ),
        params:
            model=lambda wildcards: json.dumps(
                FAKE_DETECTORS[wildcards.model], sort_keys=True
            ),
            weights=lookup("evaluate/weights", within=config),
            degradations=lambda wildcards: json.dumps(DEGRADED[wildcards.model]),
            seed=lookup("evaluate/fakes/seed", within=config),
        shell:
            step("evaluate.fakes")
