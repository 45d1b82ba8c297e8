"""Which models are asked what; labels of answers about the class of a person, of FACET's images."""

from accord.evaluate.asking import question_files

# Models whose answers are about people, by open questions.
ASKED = MODELS.of_task("visual_question") if config["evaluate"]["questions"] else []
# Models whose answers are about classes.
CLASSED = (
    MODELS.of_task("visual_question") if ARCHIVE and ARCHIVE.format == "facet" else []
)
for absent in ENCODERS.missing if CLASSED else []:
    logger.warning(f"left out: {absent}")
# What is wrong with their files is told before anything runs.
question_files.check(
    [Path(config["evaluate"]["questions"])] if ASKED else [],
    [Path(config["evaluate"]["class_questions"])] if CLASSED else [],
)


if CLASSED:

    rule evaluate_label_answers:
        input:
            answers=collect(
                "<results>/evaluate/{{shard}}/{model}.parquet", model=CLASSED
            ),
            questions=local(config["evaluate"]["class_questions"]),
        output:
            "<results>/evaluate/{shard}/answer_labels.parquet",
        log:
            "<logs>/evaluate/label_answers/{shard}.log",
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(ENCODERS.entries.values()),
        params:
            encoders=lambda wildcards: json.dumps(ENCODERS.told, sort_keys=True),
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("evaluate.label_answers")
