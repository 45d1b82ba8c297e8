"""Intake: what vendors handed in, as typed tables and image bundles, per shard; everything refused is listed."""


rule intake_shard:
    input:
        schema=local(os.path.relpath(ROOT / "workflow/schemas/delivery.schema.json")),
    output:
        bundle="<results>/intake/{shard}/images.tar",
        images="<results>/intake/{shard}/images.parquet",
        people="<results>/intake/{shard}/people.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        keypoints="<results>/intake/{shard}/keypoints.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/intake/{shard}/regions.parquet",
        forms="<results>/intake/{shard}/forms.parquet",
        annotators="<results>/intake/{shard}/annotators.parquet",
        checked="<results>/intake/{shard}/checked.parquet",
        refused="<results>/intake/{shard}/refused.parquet",
    log:
        "<logs>/intake/shard/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        # Those that say something of the shard: what is delivered for others doesn't rerun it.
        deliveries=lambda wildcards: START["deliveries"][wildcards.shard],
        max_pixels=lookup("intake/max_pixels", within=config),
        shards=lookup("shards", within=config),
        # Reruns a shard when its part of a delivery changes; it is no part of the command.
        content=lambda wildcards: START["content"][wildcards.shard],
        # Reruns a shard in which something was found that must not be opened again; what, the vault says.
        barred=lambda wildcards: START["barred"][wildcards.shard],
        vault=lookup("vault", within=config),
    shell:
        step("intake.shard", extra="--shard {wildcards.shard}")


if START["videos"]:

    rule intake_videos:
        input:
            schema=local(
                os.path.relpath(ROOT / "workflow/schemas/delivery.schema.json")
            ),
        output:
            bundle="<results>/intake/{shard}/videos.tar",
            videos="<results>/intake/{shard}/videos.parquet",
            people="<results>/intake/{shard}/video_people.parquet",
            boxes="<results>/intake/{shard}/video_boxes.parquet",
            refused="<results>/intake/{shard}/video_refused.parquet",
        log:
            "<logs>/intake/videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            deliveries=lambda wildcards: START["deliveries"][wildcards.shard],
            shards=lookup("shards", within=config),
            # As in intake_shard, these rerun a shard, and are no part of the command.
            content=lambda wildcards: START["content"][wildcards.shard],
            barred=lambda wildcards: START["barred"][wildcards.shard],
            vault=lookup("vault", within=config),
        shell:
            step("intake.videos", extra="--shard {wildcards.shard}")
