"""Answers per group, where a model that answers questions runs: open ones, and about the class of FACET's people."""

if ASKED:

    rule analyse_answers:
        input:
            answers=collect(
                "<results>/evaluate/{shard}/{model}.parquet",
                shard=all_shards,
                model=ASKED,
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            verdicts="<results>/release/verdicts.parquet",
            questions=local(config["evaluate"]["questions"]),
            known_occupations=local(config["analyse"]["answers"]["occupations"]),
            toxic_words=local(config["analyse"]["answers"]["toxic_words"]),
            references=local(config["analyse"]["references"]),
        output:
            read="<results>/analyse/read_answers.parquet",
            scores="<results>/analyse/scores/open_questions.parquet",
            responses="<results>/analyse/response_rates.parquet",
            rates="<results>/analyse/answer_rates.parquet",
            ratios="<results>/analyse/misgendering_ratios.parquet",
            occupations="<results>/analyse/occupation_shares.parquet",
        log:
            "<logs>/analyse/open_questions.log",
        conda:
            "../../envs/base.yaml"
        params:
            min_subjects=lookup("analyse/min_subjects", within=config),
        shell:
            step("analyse.answers")


if CLASSED:

    rule analyse_recalls:
        input:
            labels=collect(
                "<results>/evaluate/{shard}/answer_labels.parquet", shard=all_shards
            ),
            asked=collect(
                "<results>/evaluate/{shard}/{model}.asked.parquet",
                shard=all_shards,
                model=CLASSED,
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
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
