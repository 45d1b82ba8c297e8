"""Analyse: AI-Face's benchmark of detectors of made faces, on the test of an archive of sources."""

SCORED_FAKES = (
    [*given("analyse.fakes.scores", config["analyse"]["fakes"]["scores"]), *FAKES]
    if SOURCED
    else []
)


if SCORED_FAKES:

    rule analyse_fakes:
        input:
            fakes=SCORED_FAKES,
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            members="<results>/analyse/members.parquet",
            tones=TONES,
            verdicts="<results>/release/verdicts.parquet",
        output:
            fairness="<results>/analyse/fake_fairness.parquet",
            utility="<results>/analyse/fake_utility.parquet",
        log:
            "<logs>/analyse/fakes.log",
        conda:
            "../../envs/base.yaml"
        params:
            threshold=lookup("analyse/fakes/threshold", within=config),
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("analyse.fakes", without=["pairs"])

    rule analyse_fake_disparities:
        input:
            fakes=SCORED_FAKES,
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            members="<results>/analyse/members.parquet",
            tones=TONES,
            verdicts="<results>/release/verdicts.parquet",
        output:
            "<results>/analyse/fake_disparities.parquet",
        log:
            "<logs>/analyse/fake_disparities.log",
        conda:
            "../../envs/base.yaml"
        params:
            threshold=lookup("analyse/fakes/threshold", within=config),
            min_subjects=lookup("analyse/min_subjects", within=config),
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
            correction=lookup("analyse/correction", within=config),
        shell:
            step("analyse.fake_disparities")
