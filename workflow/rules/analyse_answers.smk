"""Answers about the class of a person, per group: of FACET's images, where a model that answers questions runs."""

if CLASSED:

    rule analyse_recalls:
        input:
            labels=collect(
                "<results>/evaluate/{shard}/answer_labels.parquet", shard=SHARDS
            ),
            asked=collect(
                "<results>/evaluate/{shard}/{model}.asked.parquet",
                shard=SHARDS,
                model=CLASSED,
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=SHARDS),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=SHARDS
            ),
            members="<results>/analyse/members.parquet",
            verdicts="<results>/release/verdicts.parquet",
            questions=local(config["evaluate"]["class_questions"]),
        output:
            scores="<results>/analyse/scores/visual_question.parquet",
            recalls="<results>/analyse/recalls.parquet",
            false_yes="<results>/analyse/false_yes.parquet",
            disparities="<results>/analyse/recall_disparities.parquet",
            readings="<results>/analyse/readings.parquet",
        log:
            "<logs>/analyse/visual_question.log",
        conda:
            "../../envs/base.yaml"
        params:
            min_subjects=lookup("analyse/min_subjects", within=config),
        shell:
            step("analyse.recalls")
