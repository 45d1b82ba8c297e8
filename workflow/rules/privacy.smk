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
        step(
            "privacy.permitted --images {input.images} --regions {input.regions} --model {params.model:q}"
            " --entry {params.entry:q} --weights {params.weights:q} --out {output}"
        )


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
        bundle="<results>/privacy/{shard}/images.tar",
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
        guidance=lookup("privacy/guidance", within=config),
        steps=lookup("privacy/steps", within=config),
        attempts=lookup("privacy/attempts", within=config),
        candidates=lookup("privacy/candidates", within=config),
        batch=lookup("privacy/batch", within=config),
    shell:
        step(
            "privacy.inpaint --images {input.images} --attributes {input.attributes} --segments {input.segments}"
            " --regions {input.regions} --decisions {input.decisions} --bundle {input.bundle}"
            " --prompts {input.prompts} --pictures {output.bundle}"
            " --model {params.model:q} --entry {params.entry:q} --weights {params.weights:q}"
            " --guidance '[{params.guidance[0]}, {params.guidance[1]}]'"
            " --steps {params.steps} --attempts {params.attempts} --candidates {params.candidates}"
            " --batch {params.batch}"
            " --out-pictures {output.pictures} --out-edits {output.edits}"
            " --out-conversions {output.conversions}"
        )


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
        step(
            "privacy.verify --pictures {input.pictures} --edits {input.edits} --regions {input.regions}"
            " --decisions {input.decisions} --segments {input.segments} --images {input.images}"
            " --bundle {input.bundle} --originals {input.originals} --model {params.model:q}"
            " --max-seam {params.max_seam} --max-detail {params.max_detail} --max-outline {params.max_outline}"
            " --out-pictures {output.pictures} --out-findings {output.findings}"
        )


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
        columns=lambda wildcards: json.dumps(config["privacy"]["columns"]),
    shell:
        step(
            "privacy.coarsen --images {input.images} --columns {params.columns:q} --out {output}"
        )


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
        decided=lambda wildcards: DECIDED[wildcards.shard]["privacy"],
    shell:
        step(
            "privacy.decisions --images {input.images} --vault {params.vault:q} --out {output}"
        )


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
        step(
            "privacy.items --images {input.images} --regions {input.regions} --edits {input.edits}"
            " --findings {input.findings} --review {params.review} --model {params.model:q} --out {output}"
        )


rule privacy_settle:
    input:
        findings="<results>/privacy/{shard}/findings.parquet",
        asked="<results>/privacy/{shard}/items.parquet",
        decisions="<results>/privacy/{shard}/decisions.parquet",
    output:
        "<results>/privacy/{shard}/settled.parquet",
    log:
        "<logs>/privacy/settle/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["privacy"]["policies"]),
    shell:
        step(
            "privacy.settle --findings {input.findings} --items {input.asked} --decisions {input.decisions}"
            " --policies {params.policies:q} --out {output}"
        )
