"""Casual Conversations: votes on skin, the mini set, precision of age and gender, submissions of deepfake detectors."""

VIDEOS = (
    bool(CASUAL["votes"] or CASUAL["predictions"])
    or ARCHIVE is not None
    and ARCHIVE.format == "ccv1"
)


if VIDEOS:

    rule analyse_videos:
        input:
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            members="<results>/analyse/members.parquet",
            verdicts="<results>/release/verdicts.parquet",
            references=local(config["analyse"]["references"]),
            voted=given(
                "analyse.casual.votes", [CASUAL["votes"]] if CASUAL["votes"] else []
            ),
            asked=(
                collect(
                    "<results>/evaluate/{shard}/skin_items.parquet", shard=all_shards
                )
                if RATED
                else []
            ),
            predicted=given("analyse.casual.predictions", CASUAL["predictions"]),
            looked=collect(
                "<results>/evaluate/{shard}/{model}.parquet",
                shard=all_shards,
                model=AGE_GENDER,
            ),
        output:
            types="<results>/analyse/skin_types.parquet",
            agreement="<results>/analyse/vote_agreement.parquet",
            members="<results>/analyse/voted_members.parquet",
            mini="<results>/analyse/mini_set.parquet",
            counts="<results>/analyse/mini_counts.parquet",
            looks="<results>/analyse/video_looks.parquet",
            scores="<results>/analyse/scores/age_gender.parquet",
            precision="<results>/analyse/precision.parquet",
        log:
            "<logs>/analyse/videos.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            # Reruns it when somebody voted; it is no part of the command.
            rated=START["rated"] if RATED else "",
            scale=lookup("analyse/casual/scale", within=config),
            min_subjects=lookup("analyse/min_subjects", within=config),
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("analyse.videos")


if CASUAL["submissions"]:

    rule analyse_deepfakes:
        input:
            submitted=given(
                "analyse.casual.submissions.files", CASUAL["submissions"]["files"]
            ),
            truth=given(
                "analyse.casual.submissions.truth", [CASUAL["submissions"]["truth"]]
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            members=GROUPED,
            verdicts="<results>/release/verdicts.parquet",
            references=local(config["analyse"]["references"]),
        output:
            scores="<results>/analyse/scores/fake_detection.parquet",
            members="<results>/analyse/submitted_members.parquet",
            figures="<results>/analyse/detection_figures.parquet",
            curves="<results>/analyse/detection_curves.parquet",
        log:
            "<logs>/analyse/deepfakes.log",
        conda:
            "../../envs/base.yaml"
        params:
            threshold=lookup("analyse/casual/threshold", within=config),
            min_subjects=lookup("analyse/min_subjects", within=config),
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("analyse.deepfakes")
