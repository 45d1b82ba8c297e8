"""Release: derivatives, FHIBE layout, manifest and documents: an immutable version."""

OWN_TERMS = given(
    "release.terms", [config["release"]["terms"]] if config["release"]["terms"] else []
)

if not ARCHIVE:

    rule release_derive:
        input:
            bundle="<results>/privacy/{shard}/images.tar",
            pictures="<results>/privacy/{shard}/pictures.parquet",
            people="<results>/intake/{shard}/people.parquet",
            attributes="<results>/intake/{shard}/attributes.parquet",
            keypoints="<results>/intake/{shard}/keypoints.parquet",
            segments="<results>/intake/{shard}/segments.parquet",
            permits="<results>/consent/{shard}/permits.parquet",
            public="<results>/privacy/{shard}/public.parquet",
            checked="<results>/intake/{shard}/checked.parquet",
        output:
            files=update("<results>/release/{shard}/files.tar"),
            derivatives=update("<results>/release/{shard}/derivatives.parquet"),
            faces=update("<results>/release/{shard}/faces.parquet"),
            people=update("<results>/release/{shard}/people.parquet"),
            attributes=update("<results>/release/{shard}/attributes.parquet"),
            keypoints=update("<results>/release/{shard}/keypoints.parquet"),
            segments=update("<results>/release/{shard}/segments.parquet"),
            public=update("<results>/release/{shard}/public.parquet"),
            aggregate=update("<results>/release/{shard}/aggregate.parquet"),
            checked=update("<results>/release/{shard}/checked.parquet"),
            terms=update("<results>/release/{shard}/terms.parquet"),
        log:
            "<logs>/release/derive/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            longest_side=lookup("release/longest_side", within=config),
            aligned_size=lookup("release/aligned_size", within=config),
            warped_size=lookup("release/warped_size", within=config),
        shell:
            step("release.derive")

    rule release_select:
        input:
            verdicts="<results>/checks/verdicts.parquet",
            findings=collect(
                "<results>/privacy/{shard}/settled.parquet", shard=all_shards
            ),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
        output:
            "<results>/release/keys.parquet",
        log:
            "<logs>/release/select.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            reserve=lookup("release/reserve", within=config),
            # Chooses anew when images were admitted; it is no part of the command.
            admitted=START["admitted"],
        shell:
            step("release.select")

    rule release_waterfall:
        input:
            verdicts="<results>/checks/verdicts.parquet",
            findings=collect(
                "<results>/privacy/{shard}/settled.parquet", shard=all_shards
            ),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            selected="<results>/release/keys.parquet",
        output:
            verdicts="<results>/release/verdicts.parquet",
            waterfall="<results>/release/waterfall.parquet",
        log:
            "<logs>/release/waterfall.log",
        conda:
            "../../envs/base.yaml"
        shell:
            step("release.waterfall")

    rule release_gates:
        input:
            verdicts="<results>/release/verdicts.parquet",
            depicted=collect(
                "<results>/intake/{shard}/people.parquet", shard=all_shards
            ),
            permits=collect(
                "<results>/consent/{shard}/permits.parquet", shard=all_shards
            ),
            findings=collect(
                "<results>/consent/{shard}/findings.parquet", shard=all_shards
            ),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            faces=collect("<results>/release/{shard}/faces.parquet", shard=all_shards),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            keypoints=collect(
                "<results>/release/{shard}/keypoints.parquet", shard=all_shards
            ),
            segments=collect(
                "<results>/release/{shard}/segments.parquet", shard=all_shards
            ),
            public=collect("<results>/release/{shard}/public.parquet", shard=all_shards),
            aggregate=collect(
                "<results>/release/{shard}/aggregate.parquet", shard=all_shards
            ),
            checked=collect(
                "<results>/release/{shard}/checked.parquet", shard=all_shards
            ),
        output:
            gates="<results>/release/gates.parquet",
            classes="<results>/release/classes.parquet",
        log:
            "<logs>/release/gates.log",
        conda:
            "../../envs/base.yaml"
        params:
            quasi_identifiers=as_json("release/quasi_identifiers"),
            min_k=lookup("release/min_k", within=config),
        shell:
            step("release.gates")

    rule release_plan:
        input:
            verdicts="<results>/release/verdicts.parquet",
            held="<results>/release/verdicts.parquet",
            waterfall="<results>/release/waterfall.parquet",
            gates=[
                "<results>/release/gates.parquet",
                *(["<results>/release/videos/gates.parquet"] * START["videos"]),
            ],
            classes="<results>/release/classes.parquet",
            edits=collect("<results>/privacy/{shard}/edits.parquet", shard=all_shards),
            conversions=collect(
                "<results>/privacy/{shard}/conversions.parquet", shard=all_shards
            ),
            annotators=collect(
                "<results>/consent/{shard}/annotators.parquet", shard=all_shards
            ),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            faces=collect("<results>/release/{shard}/faces.parquet", shard=all_shards),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            keypoints=collect(
                "<results>/release/{shard}/keypoints.parquet", shard=all_shards
            ),
            segments=collect(
                "<results>/release/{shard}/segments.parquet", shard=all_shards
            ),
            public=collect("<results>/release/{shard}/public.parquet", shard=all_shards),
            aggregate=collect(
                "<results>/release/{shard}/aggregate.parquet", shard=all_shards
            ),
            checked=collect(
                "<results>/release/{shard}/checked.parquet", shard=all_shards
            ),
            delivered=collect(
                "<results>/intake/{shard}/images.parquet", shard=all_shards
            ),
            terms=OWN_TERMS,
            video_verdicts=["<results>/release/videos/verdicts.parquet"]
            * START["videos"],
            video_waterfall=["<results>/release/videos/waterfall.parquet"]
            * START["videos"],
            public_videos=collect(
                "<results>/release/{shard}/public_videos.parquet",
                shard=SHARDS * START["videos"],
            ),
            video_people=collect(
                "<results>/intake/{shard}/video_people.parquet",
                shard=SHARDS * START["videos"],
            ),
        output:
            plan="<results>/release/plan/plan.json",
            images="<results>/release/plan/images.parquet",
            cells="<results>/release/plan/cells.parquet",
            annotators="<results>/release/plan/annotators.parquet",
        log:
            "<logs>/release/plan.log",
        conda:
            "../../envs/base.yaml"
        params:
            releases=lookup("releases", within=config),
            vault=lookup("vault", within=config),
            settings=as_json("release"),
        shell:
            step("release.plan")

    rule release_pack:
        input:
            plan="<results>/release/plan/plan.json",
            verdicts="<results>/release/verdicts.parquet",
            edits="<results>/privacy/{shard}/edits.parquet",
            files="<results>/release/{shard}/files.tar",
            derivatives="<results>/release/{shard}/derivatives.parquet",
            faces="<results>/release/{shard}/faces.parquet",
            people="<results>/release/{shard}/people.parquet",
            attributes="<results>/release/{shard}/attributes.parquet",
            keypoints="<results>/release/{shard}/keypoints.parquet",
            segments="<results>/release/{shard}/segments.parquet",
            public="<results>/release/{shard}/public.parquet",
            aggregate="<results>/release/{shard}/aggregate.parquet",
            checked="<results>/release/{shard}/checked.parquet",
            video_verdicts=["<results>/release/videos/verdicts.parquet"]
            * START["videos"],
            video_files=["<results>/privacy/{shard}/videos.tar"] * START["videos"],
            public_videos=["<results>/release/{shard}/public_videos.parquet"]
            * START["videos"],
            video_people=["<results>/intake/{shard}/video_people.parquet"]
            * START["videos"],
        output:
            packed="<results>/release/packed/{shard}.parquet",
            parts="<results>/release/packed/{shard}.tar",
        log:
            "<logs>/release/pack/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            releases=lookup("releases", within=config),
            vault=lookup("vault", within=config),
        shell:
            step("release.pack")

    rule release_publish:
        input:
            plan="<results>/release/plan/plan.json",
            images="<results>/release/plan/images.parquet",
            cells="<results>/release/plan/cells.parquet",
            annotators="<results>/release/plan/annotators.parquet",
            waterfall="<results>/release/waterfall.parquet",
            selected="<results>/release/keys.parquet",
            classes="<results>/release/classes.parquet",
            edits=collect("<results>/privacy/{shard}/edits.parquet", shard=all_shards),
            conversions=collect(
                "<results>/privacy/{shard}/conversions.parquet", shard=all_shards
            ),
            video_waterfall=["<results>/release/videos/waterfall.parquet"]
            * START["videos"],
            terms=OWN_TERMS,
            packed=collect("<results>/release/packed/{shard}.parquet", shard=all_shards),
            parts=collect("<results>/release/packed/{shard}.tar", shard=all_shards),
        output:
            release="<results>/release/release.json",
        log:
            "<logs>/release/publish.log",
        conda:
            "../../envs/base.yaml"
        params:
            releases=lookup("releases", within=config),
            vault=lookup("vault", within=config),
            settings=as_json("release"),
            inbox=local(
                [config["consent"]["inbox"]] if config["consent"]["inbox"] else []
            ),
            proof_required=lookup("consent/proof_required", within=config),
            wishes=wishes_at_start,
        shell:
            step("release.publish")
