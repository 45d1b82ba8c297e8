"""Checks: what is wrong with an image, said in tables of findings, and one verdict on each image."""

# The findings of a shard that need no other findings, those of them that come with proposed regions, and the findings
# of checks that gather shards.
SEEN = ("decode", "annotations", "web")
PROPOSING = ()
GATHERED = ("duplicates",)


rule checks_decode:
    input:
        images="<results>/consent/{shard}/images.parquet",
        bundle="<results>/intake/{shard}/images.tar",
    output:
        findings="<results>/checks/{shard}/decode.parquet",
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
    log:
        "<logs>/checks/decode/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_device_year=lookup("checks/min_device_year", within=config),
        min_megapixels=lookup("checks/min_megapixels", within=config),
        min_side=lookup("checks/min_side", within=config),
        max_aspect=lookup("checks/max_aspect", within=config),
        require_exif=lookup("checks/require_exif", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step(
            "checks.decode --images {input.images} --bundle {input.bundle}"
            " --min-device-year {params.min_device_year} --min-megapixels {params.min_megapixels}"
            " --min-side {params.min_side} --max-aspect {params.max_aspect}"
            " --require-exif {params.require_exif} --max-pixels {params.max_pixels}"
            " --out-findings {output.findings} --out-fingerprints {output.fingerprints}"
        )


rule checks_annotations:
    input:
        images="<results>/consent/{shard}/images.parquet",
        people="<results>/intake/{shard}/people.parquet",
        keypoints="<results>/intake/{shard}/keypoints.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
    output:
        "<results>/checks/{shard}/annotations.parquet",
    log:
        "<logs>/checks/annotations/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_box_overhang=lookup("checks/max_box_overhang", within=config),
        max_face_outside=lookup("checks/max_face_outside", within=config),
        max_keypoint_distance=lookup("checks/max_keypoint_distance", within=config),
    shell:
        step(
            "checks.annotations --images {input.images} --people {input.people}"
            " --keypoints {input.keypoints} --segments {input.segments}"
            " --max-box-overhang {params.max_box_overhang} --max-face-outside {params.max_face_outside}"
            " --max-keypoint-distance {params.max_keypoint_distance} --out {output}"
        )


rule checks_web:
    input:
        images="<results>/consent/{shard}/images.parquet",
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
        web_list=config["checks"]["web_list"] or [],
    output:
        "<results>/checks/{shard}/web.parquet",
    log:
        "<logs>/checks/web/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_distance=lookup("checks/max_distance", within=config),
        listed="--web-list" if config["checks"]["web_list"] else "",
    shell:
        step(
            "checks.web --images {input.images} --fingerprints {input.fingerprints}"
            " {params.listed} {input.web_list:q} --max-distance {params.max_distance} --out {output}"
        )


rule checks_subjects:
    input:
        images="<results>/consent/{shard}/images.parquet",
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
        findings="<results>/checks/{shard}/settled.parquet",
    output:
        "<results>/checks/{shard}/subjects.parquet",
    log:
        "<logs>/checks/subjects/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_images_per_subject=lookup("checks/max_images_per_subject", within=config),
        min_days_between=lookup("checks/min_days_between", within=config),
        max_distance=lookup("checks/max_distance", within=config),
    shell:
        step(
            "checks.subjects --images {input.images} --fingerprints {input.fingerprints}"
            " --findings {input.findings} --max-images-per-subject {params.max_images_per_subject}"
            " --min-days-between {params.min_days_between} --max-distance {params.max_distance} --out {output}"
        )


rule checks_local:
    input:
        images="<results>/consent/{shard}/images.parquet",
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=("settled", "subjects"),
        ),
    output:
        "<results>/checks/{shard}/images.parquet",
    log:
        "<logs>/checks/local/{shard}.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.local --images {input.images} --findings {input.findings} --out {output}"
        )


rule checks_duplicates:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=SHARDS),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=SHARDS
        ),
    output:
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/pairs.parquet",
    log:
        "<logs>/checks/duplicates.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_distance=lookup("checks/max_distance", within=config),
    shell:
        step(
            "checks.duplicates --images {input.images} --fingerprints {input.fingerprints}"
            " --max-distance {params.max_distance} --out-findings {output.findings} --out-pairs {output.pairs}"
        )


rule checks_verdicts:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=SHARDS),
        refused=collect("<results>/intake/{shard}/refused.parquet", shard=SHARDS),
        findings=[
            *collect("<results>/consent/{shard}/findings.parquet", shard=SHARDS),
            *collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=SHARDS,
                of=("settled", "subjects"),
            ),
            *collect("<results>/checks/{of}.parquet", of=GATHERED),
        ],
        asked="<results>/checks/items.parquet",
        decisions=collect("<results>/checks/{shard}/decisions.parquet", shard=SHARDS),
    output:
        verdicts="<results>/checks/verdicts.parquet",
        settled="<results>/checks/settled.parquet",
    log:
        "<logs>/checks/verdicts.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["checks"]["policies"]),
    shell:
        step(
            "checks.verdicts --images {input.images} --refused {input.refused} --findings {input.findings}"
            " --items {input.asked} --decisions {input.decisions} --policies {params.policies:q}"
            " --out-verdicts {output.verdicts} --out-settled {output.settled}"
        )


rule checks_items:
    input:
        images="<results>/consent/{shard}/images.parquet",
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=SEEN,
        ),
        proposals=collect(
            "<results>/checks/{{shard}}/{of}_proposals.parquet",
            of=PROPOSING,
        ),
    output:
        "<results>/checks/{shard}/items.parquet",
    log:
        "<logs>/checks/items/{shard}.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.items --images {input.images} --findings {input.findings}"
            " --proposals {input.proposals} --out {output}"
        )


rule checks_decisions:
    input:
        images="<results>/consent/{shard}/images.parquet",
    output:
        "<results>/checks/{shard}/decisions.parquet",
    log:
        "<logs>/checks/decisions/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        # Reruns the shards that a decision concerns; it is no part of the command.
        decided=lambda wildcards: DECIDED[wildcards.shard]["checks"],
    shell:
        step(
            "checks.decisions --images {input.images} --vault {params.vault:q} --out {output}"
        )


rule checks_settle:
    input:
        images="<results>/consent/{shard}/images.parquet",
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=SEEN,
        ),
        asked="<results>/checks/{shard}/items.parquet",
        decisions="<results>/checks/{shard}/decisions.parquet",
    output:
        "<results>/checks/{shard}/settled.parquet",
    log:
        "<logs>/checks/settle/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["checks"]["policies"]),
    shell:
        step(
            "checks.settle --images {input.images} --findings {input.findings} --items {input.asked}"
            " --decisions {input.decisions} --policies {params.policies:q} --out {output}"
        )


rule checks_regions:
    input:
        regions="<results>/intake/{shard}/regions.parquet",
        asked="<results>/checks/{shard}/items.parquet",
        decisions="<results>/checks/{shard}/decisions.parquet",
    output:
        "<results>/checks/{shard}/regions.parquet",
    log:
        "<logs>/checks/regions/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=lambda wildcards: json.dumps(config["checks"]["policies"]),
    shell:
        step(
            "checks.regions --regions {input.regions} --items {input.asked} --decisions {input.decisions}"
            " --policies {params.policies:q} --out {output}"
        )


rule checks_queue:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=SHARDS),
        findings=[
            *collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=SHARDS,
                of=("settled", "subjects"),
            ),
            *collect("<results>/checks/{of}.parquet", of=GATHERED),
        ],
        pairs="<results>/checks/pairs.parquet",
        asked=collect("<results>/checks/{shard}/items.parquet", shard=SHARDS),
        decisions=collect("<results>/checks/{shard}/decisions.parquet", shard=SHARDS),
    output:
        "<results>/checks/items.parquet",
    log:
        "<logs>/checks/queue.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.queue --images {input.images} --findings {input.findings} --pairs {input.pairs}"
            " --items {input.asked} --decisions {input.decisions} --out {output}"
        )
