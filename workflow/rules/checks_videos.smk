"""Checks of videos: frames of each are looked at as pictures are, before anything is painted in them."""

if START["videos"]:

    rule checks_look_videos:
        input:
            videos="<results>/consent/{shard}/videos.parquet",
            bundle="<results>/intake/{shard}/videos.tar",
            lists=local(config["checks"]["hash_lists"]),
            words=local(config["checks"]["offensive_words"]),
            gallery=local(GALLERY),
            brands=local(config["checks"]["brands"]),
        output:
            videos=update("<results>/checks/{shard}/videos.parquet"),
            seen=update("<results>/checks/{shard}/frames_seen.parquet"),
            findings=update("<results>/checks/{shard}/video_findings.parquet"),
        log:
            "<logs>/checks/look_videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            video_frames=lookup("checks/video_frames", within=config),
            text_side=lookup("checks/text_side", within=config),
            min_text_score=lookup("checks/min_text_score", within=config),
            max_nudity=lookup("checks/max_nudity", within=config),
            logo_score=lookup("checks/logo_score", within=config),
            models=lambda wildcards: json.dumps(
                {"logo": LOOKING["logo"]}, sort_keys=True
            ),
            weights=lookup("evaluate/weights", within=config),
            vault=lookup("vault", within=config),
            # What is known of a subject since reruns the shard; it is no part of the command.
            barred=lambda wildcards: START["barred"][wildcards.shard],
        shell:
            step("checks.look_videos")

    rule checks_flagged_videos:
        input:
            videos=collect("<results>/consent/{shard}/videos.parquet", shard=all_shards),
            findings=collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=all_shards,
                of=("known", "video_findings"),
            ),
        output:
            "<results>/checks/flagged_videos.parquet",
        log:
            "<logs>/checks/flagged_videos.log",
        conda:
            "../../envs/base.yaml"
        params:
            cleared=as_json("checks/cleared_deliveries"),
            vault=lookup("vault", within=config),
        shell:
            step("checks.flagged_videos")
