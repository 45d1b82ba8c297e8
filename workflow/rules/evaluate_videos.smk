"""Evaluate: faces of videos, and models of age and gender that look at them."""

# Models of age and gender, which are shown faces of videos alone.
AGE_GENDER = (
    MODELS.of_task("age_gender") if ARCHIVE and ARCHIVE.format == "ccv1" else []
)
VIDEO_FACES = models.read(
    {**config["evaluate"], "run": [config["evaluate"]["videos"]["detector"]]},
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)


if AGE_GENDER or RATED:

    rule evaluate_video_faces:
        input:
            videos="<results>/release/{shard}/videos.parquet",
        output:
            frames=update("<results>/evaluate/{shard}/video_faces.parquet"),
            crops=update("<results>/evaluate/{shard}/video_faces.tar"),
        log:
            "<logs>/evaluate/video_faces/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(VIDEO_FACES.entries.values()),
        params:
            archive=ARCHIVE.path,
            detector=lambda wildcards: VIDEO_FACES.spec(
                config["evaluate"]["videos"]["detector"]
            ),
            weights=lookup("evaluate/weights", within=config),
            times=lookup("evaluate/videos/times", within=config),
            margin=lookup("evaluate/videos/margin", within=config),
            side=lookup("evaluate/videos/side", within=config),
            mini=lookup("evaluate/videos/mini", within=config),
        shell:
            step("evaluate.video_faces")


if AGE_GENDER:

    rule evaluate_looks:
        input:
            frames="<results>/evaluate/{shard}/video_faces.parquet",
            crops="<results>/evaluate/{shard}/video_faces.tar",
        output:
            predictions=update("<results>/evaluate/{shard}/{model}.parquet"),
            asked=update("<results>/evaluate/{shard}/{model}.asked.parquet"),
        log:
            "<logs>/evaluate/{model}/{shard}.log",
        wildcard_constraints:
            model=MODELS.pattern("looks"),
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
        params:
            model=lambda wildcards: MODELS.spec(wildcards.model),
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("evaluate.looks")


if RATED:

    rule evaluate_skin_items:
        input:
            videos="<results>/release/{shard}/videos.parquet",
            frames="<results>/evaluate/{shard}/video_faces.parquet",
        output:
            review_items="<results>/evaluate/{shard}/skin_items.parquet",
            faces="<results>/evaluate/{shard}/skin_faces.parquet",
        log:
            "<logs>/evaluate/skin_items/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            scale=lookup("analyse/casual/scale", within=config),
        shell:
            step("evaluate.skin_items")
