"""Privacy: bystanders and personal data are painted out, metadata is gone, times and places are coarse; proven."""


rule privacy_permitted:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=all_shards),
        regions=collect("<results>/intake/{shard}/regions.parquet", shard=all_shards),
    output:
        "<results>/privacy/permitted.parquet",
    log:
        "<logs>/privacy/permitted.log",
    # What can't be painted is told as soon as it is known, not after hours of other work.
    priority: 100
    conda:
        "../../envs/base.yaml"
    params:
        model=PAINTER.called,
        entry=PAINTER.spec,
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("privacy.permitted")


rule privacy_paint:
    input:
        images="<results>/checks/{shard}/images.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        people="<results>/intake/{shard}/people.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/checks/{shard}/regions.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        prompts=local(config["privacy"]["prompts"]),
    output:
        files=update("<results>/privacy/{shard}/images.tar"),
        decisions=update("<results>/privacy/{shard}/decisions.parquet"),
        painted=update("<results>/privacy/{shard}/painted.parquet"),
        edits=update("<results>/privacy/{shard}/edits.parquet"),
        conversions=update("<results>/privacy/{shard}/conversions.parquet"),
        pictures=update("<results>/privacy/{shard}/pictures.parquet"),
        findings=update("<results>/privacy/{shard}/findings.parquet"),
        review_items=update("<results>/privacy/{shard}/items.parquet"),
        settled=update("<results>/privacy/{shard}/settled.parquet"),
        public=update("<results>/privacy/{shard}/public.parquet"),
    log:
        "<logs>/privacy/paint/{shard}.log",
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of(PAINTER.entries),
    params:
        vault=lookup("vault", within=config),
        model=PAINTER.called,
        entry=PAINTER.spec,
        weights=lookup("evaluate/weights", within=config),
        guidance=as_json("privacy/guidance"),
        steps=lookup("privacy/steps", within=config),
        attempts=lookup("privacy/attempts", within=config),
        candidates=lookup("privacy/candidates", within=config),
        batch=lookup("privacy/batch", within=config),
        max_seam=lookup("privacy/max_seam", within=config),
        max_detail=lookup("privacy/max_detail", within=config),
        max_outline=lookup("privacy/max_outline", within=config),
        review=lookup("privacy/review", within=config),
        columns=as_json("privacy/columns"),
        policies=as_json("privacy/policies"),
        # Reruns the shards that a decision concerns; it is no part of the command.
        decided=lambda wildcards: START["decided"][wildcards.shard]["privacy"],
    shell:
        step("privacy.paint")


if START["videos"]:

    rule privacy_paint_videos:
        input:
            videos="<results>/checks/{shard}/videos.parquet",
            boxes="<results>/intake/{shard}/video_boxes.parquet",
            bundle="<results>/intake/{shard}/videos.tar",
        output:
            painted=update("<results>/privacy/{shard}/videos.tar"),
            videos=update("<results>/privacy/{shard}/videos.parquet"),
            passages=update("<results>/privacy/{shard}/video_passages.parquet"),
            findings=update("<results>/privacy/{shard}/video_findings.parquet"),
        log:
            "<logs>/privacy/paint_videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            smallest_face=lookup("privacy/videos/smallest_face", within=config),
            every=lookup("privacy/videos/every", within=config),
            gap=lookup("privacy/videos/gap", within=config),
            pad=lookup("privacy/videos/pad", within=config),
        shell:
            step("privacy.paint_videos")

    rule privacy_settle_videos:
        input:
            videos="<results>/consent/{shard}/videos.parquet",
            painted="<results>/privacy/{shard}/videos.parquet",
            findings=[
                "<results>/checks/{shard}/video_findings.parquet",
                "<results>/privacy/{shard}/video_findings.parquet",
                *(
                    ["<results>/checks/flagged_videos.parquet"]
                    if config["checks"]["hash_lists"]
                    else []
                ),
            ],
            seen="<results>/checks/{shard}/frames_seen.parquet",
            passages="<results>/privacy/{shard}/video_passages.parquet",
        output:
            review_items="<results>/privacy/{shard}/video_items.parquet",
            decisions="<results>/privacy/{shard}/video_decisions.parquet",
            settled="<results>/privacy/{shard}/video_settled.parquet",
            moments="<results>/privacy/{shard}/video_moments.parquet",
        log:
            "<logs>/privacy/settle_videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            review=lookup("privacy/videos/review", within=config),
            policies=as_json("privacy/policies"),
            # Reruns the shards that a decision concerns; it is no part of the command.
            decided=lambda wildcards: START["decided"][wildcards.shard]["videos"],
        shell:
            step("privacy.settle_videos")

    rule privacy_video_waterfall:
        input:
            videos=collect("<results>/intake/{shard}/videos.parquet", shard=all_shards),
            people=collect(
                "<results>/intake/{shard}/video_people.parquet", shard=all_shards
            ),
            refused=collect(
                "<results>/intake/{shard}/video_refused.parquet", shard=all_shards
            ),
            findings=[
                *collect(
                    "<results>/consent/{shard}/video_findings.parquet", shard=SHARDS
                ),
                *collect(
                    "<results>/privacy/{shard}/video_settled.parquet", shard=SHARDS
                ),
            ],
            painted=collect(
                "<results>/privacy/{shard}/videos.parquet", shard=all_shards
            ),
        output:
            verdicts="<results>/privacy/videos/verdicts.parquet",
            waterfall="<results>/privacy/videos/waterfall.parquet",
        log:
            "<logs>/privacy/video_waterfall.log",
        conda:
            "../../envs/base.yaml"
        shell:
            step("privacy.video_waterfall")
