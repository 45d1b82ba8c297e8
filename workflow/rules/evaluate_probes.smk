"""Probes: prompts that models of pictures and texts are asked for. A changed prompt encodes no picture again."""

from accord.evaluate.asking import probes

# What is wrong with the file is told before anything runs.
if WITH_TEXTS:
    probes.read(Path(config["evaluate"]["probes"]["file"]))


rule evaluate_texts:
    input:
        file=local(config["evaluate"]["probes"]["file"]),
    output:
        "<results>/evaluate/{model}.texts.parquet",
    log:
        "<logs>/evaluate/{model}.texts.log",
    wildcard_constraints:
        model="|".join(WITH_TEXTS) or models.NO_MODEL,
    conda:
        "../../envs/base.yaml"
    resources:
        gpu=lambda wildcards: gpus.of([MODELS.entries[wildcards.model]]),
    params:
        model=lambda wildcards: MODELS.spec(wildcards.model),
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("evaluate.texts")
