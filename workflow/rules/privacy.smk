"""Privacy: bystanders and personal data are painted out, metadata is gone, times and places are coarse; proven."""


rule privacy_permitted:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=SHARDS),
        regions=collect("<results>/intake/{shard}/regions.parquet", shard=SHARDS),
    output:
        "<results>/privacy/permitted.parquet",
    log:
        "<logs>/privacy/permitted.log",
    # What can't be painted is told as soon as it is known, not after hours of other work.
    priority: 100
    conda:
        "../../envs/base.yaml"
    params:
        model=PAINTER.called,
        entry=PAINTER.spec,
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("privacy.permitted")


rule privacy_inpaint:
    input:
        images="<results>/checks/{shard}/images.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/checks/{shard}/regions.parquet",
        decisions="<results>/privacy/{shard}/decisions.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        prompts=local(config["privacy"]["prompts"]),
    output:
        painted="<results>/privacy/{shard}/images.tar",
        pictures="<results>/privacy/{shard}/painted.parquet",
        edits="<results>/privacy/{shard}/edits.parquet",
        conversions="<results>/privacy/{shard}/conversions.parquet",
    log:
        "<logs>/privacy/inpaint/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        model=PAINTER.called,
        entry=PAINTER.spec,
        weights=lookup("evaluate/weights", within=config),
        guidance=as_json("privacy/guidance"),
        steps=lookup("privacy/steps", within=config),
        attempts=lookup("privacy/attempts", within=config),
        candidates=lookup("privacy/candidates", within=config),
        batch=lookup("privacy/batch", within=config),
    shell:
        step("privacy.inpaint")


rule privacy_verify:
    input:
        pictures="<results>/privacy/{shard}/painted.parquet",
        edits="<results>/privacy/{shard}/edits.parquet",
        regions="<results>/checks/{shard}/regions.parquet",
        decisions="<results>/privacy/{shard}/decisions.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        images="<results>/checks/{shard}/images.parquet",
        bundle="<results>/privacy/{shard}/images.tar",
        originals="<results>/intake/{shard}/images.tar",
    output:
        pictures="<results>/privacy/{shard}/pictures.parquet",
        findings="<results>/privacy/{shard}/findings.parquet",
    log:
        "<logs>/privacy/verify/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        model=PAINTER.called,
        max_seam=lookup("privacy/max_seam", within=config),
        max_detail=lookup("privacy/max_detail", within=config),
        max_outline=lookup("privacy/max_outline", within=config),
    shell:
        step("privacy.verify")


rule privacy_coarsen:
    input:
        images="<results>/checks/{shard}/images.parquet",
    output:
        "<results>/privacy/{shard}/public.parquet",
    log:
        "<logs>/privacy/coarsen/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        columns=as_json("privacy/columns"),
    shell:
        step("privacy.coarsen")


rule privacy_decisions:
    input:
        images="<results>/checks/{shard}/images.parquet",
    output:
        "<results>/privacy/{shard}/decisions.parquet",
    log:
        "<logs>/privacy/decisions/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        # Reruns the shards that a decision concerns; it is no part of the command.
        decided=lambda wildcards: START["decided"][wildcards.shard]["privacy"],
    shell:
        step("privacy.decisions")


rule privacy_items:
    input:
        images="<results>/checks/{shard}/images.parquet",
        regions="<results>/checks/{shard}/regions.parquet",
        edits="<results>/privacy/{shard}/edits.parquet",
        findings="<results>/privacy/{shard}/findings.parquet",
    output:
        "<results>/privacy/{shard}/items.parquet",
    log:
        "<logs>/privacy/items/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        review=lookup("privacy/review", within=config),
        model=PAINTER.called,
    shell:
        step("privacy.items")


rule privacy_settle:
    input:
        findings="<results>/privacy/{shard}/findings.parquet",
        review_items="<results>/privacy/{shard}/items.parquet",
        decisions="<results>/privacy/{shard}/decisions.parquet",
    output:
        "<results>/privacy/{shard}/settled.parquet",
    log:
        "<logs>/privacy/settle/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=as_json("privacy/policies"),
    shell:
        step("privacy.settle")
