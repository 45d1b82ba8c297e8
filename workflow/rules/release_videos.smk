"""Release, of videos: those of deliveries that no check stopped, measured, selected, and held against gates."""

if START["videos"] and not ARCHIVE:

    rule release_measure_videos:
        input:
            videos="<results>/privacy/{shard}/videos.parquet",
            bundle="<results>/privacy/{shard}/videos.tar",
        output:
            "<results>/release/{shard}/public_videos.parquet",
        log:
            "<logs>/release/measure_videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        shell:
            step("release.measure_videos")

    rule release_select_videos:
        input:
            verdicts="<results>/privacy/videos/verdicts.parquet",
            depicted=collect(
                "<results>/intake/{shard}/video_people.parquet", shard=all_shards
            ),
            selected="<results>/release/keys.parquet",
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        output:
            verdicts="<results>/release/videos/verdicts.parquet",
            waterfall="<results>/release/videos/waterfall.parquet",
        log:
            "<logs>/release/select_videos.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            reserve=lookup("release/reserve", within=config),
        shell:
            step("release.select_videos")

    rule release_video_gates:
        input:
            verdicts="<results>/release/videos/verdicts.parquet",
            depicted=collect(
                "<results>/intake/{shard}/video_people.parquet", shard=all_shards
            ),
            permits=collect(
                "<results>/consent/{shard}/video_permits.parquet", shard=all_shards
            ),
            findings=collect(
                "<results>/consent/{shard}/video_findings.parquet", shard=all_shards
            ),
            taken=collect("<results>/consent/{shard}/videos.parquet", shard=all_shards),
            proofs=collect(
                "<results>/privacy/{shard}/video_findings.parquet", shard=all_shards
            ),
            painted=collect(
                "<results>/privacy/{shard}/videos.parquet", shard=all_shards
            ),
        output:
            "<results>/release/videos/gates.parquet",
        log:
            "<logs>/release/video_gates.log",
        conda:
            "../../envs/base.yaml"
        shell:
            step("release.video_gates")
