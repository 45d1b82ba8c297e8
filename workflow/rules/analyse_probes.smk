"""Probes: what models of pictures and texts call people and scenes. Only where such a model runs."""


rule analyse_probes:
    input:
        predictions=collect(
            "<results>/evaluate/{shard}/{model}.parquet",
            shard=all_shards,
            model=WITH_TEXTS,
        ),
        texts=collect("<results>/evaluate/{model}.texts.parquet", model=WITH_TEXTS),
        asked=collect(
            "<results>/evaluate/{shard}/{model}.asked.parquet",
            shard=all_shards,
            model=WITH_TEXTS,
        ),
        people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/release/{shard}/attributes.parquet", shard=all_shards
        ),
        verdicts="<results>/release/verdicts.parquet",
        file=local(config["evaluate"]["probes"]["file"]),
        references=local(config["analyse"]["references"]),
    output:
        probed="<results>/analyse/probed.parquet",
        scores="<results>/analyse/scores/image_text.parquet",
        rates="<results>/analyse/probe_rates.parquet",
        effects="<results>/analyse/probe_effects.parquet",
    log:
        "<logs>/analyse/image_text.log",
    conda:
        "../../envs/base.yaml"
    params:
        pool=lookup("evaluate/probes/pool", within=config),
        min_subjects=lookup("analyse/min_subjects", within=config),
    shell:
        step("analyse.probes")
