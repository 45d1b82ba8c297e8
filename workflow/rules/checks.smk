"""Checks: what is wrong with an image, said in tables of findings, and one verdict on each image."""

# The findings of a shard that need no other findings.
SEEN = ("decode", "annotations", "web")
# The findings of gathers that hold images of all shards against each other.
COMPARED = ("duplicates", "crops", "sameness")

LOOKS = models.read(
    {
        "models": config["evaluate"]["models"],
        "run": [config["checks"]["picture_model"], config["checks"]["face_model"]],
    },
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)


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
        findings=collect(
            "<results>/checks/{{shard}}/{of}.parquet",
            of=SEEN,
        ),
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
            of=(*SEEN, "subjects"),
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
        pairs="<results>/checks/copies.parquet",
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
                of=(*SEEN, "subjects"),
            ),
            *collect("<results>/checks/{of}.parquet", of=COMPARED),
        ],
    output:
        "<results>/checks/verdicts.parquet",
    log:
        "<logs>/checks/verdicts.log",
    conda:
        "../../envs/base.yaml"
    shell:
        step(
            "checks.verdicts --images {input.images} --refused {input.refused}"
            " --findings {input.findings} --out {output}"
        )


rule checks_embeddings:
    input:
        images="<results>/consent/{shard}/images.parquet",
        permits="<results>/consent/{shard}/permits.parquet",
        people="<results>/intake/{shard}/people.parquet",
        bundle="<results>/intake/{shard}/images.tar",
    output:
        looks="<results>/checks/{shard}/looks.parquet",
        faces="<results>/checks/{shard}/faces.parquet",
    log:
        "<logs>/checks/embeddings/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        picture_embedder=LOOKS.spec(config["checks"]["picture_model"]),
        face_embedder=LOOKS.spec(config["checks"]["face_model"]),
        weights=lookup("evaluate/weights", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step(
            "checks.embeddings --images {input.images} --bundle {input.bundle} --people {input.people}"
            " --permits {input.permits} --picture-embedder {params.picture_embedder:q}"
            " --face-embedder {params.face_embedder:q} --weights {params.weights:q} --max-pixels {params.max_pixels}"
            " --out-looks {output.looks} --out-faces {output.faces}"
        )


rule checks_crops:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=SHARDS),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=SHARDS
        ),
        looks=collect("<results>/checks/{shard}/looks.parquet", shard=SHARDS),
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/copies.parquet",
    output:
        findings="<results>/checks/crops.parquet",
        pairs="<results>/checks/copies_and_crops.parquet",
    log:
        "<logs>/checks/crops.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_inliers=lookup("checks/min_inliers", within=config),
        min_correlation=lookup("checks/min_correlation", within=config),
    shell:
        step(
            "checks.crops --images {input.images} --fingerprints {input.fingerprints} --looks {input.looks}"
            " --findings {input.findings} --pairs {input.pairs} --min-inliers {params.min_inliers}"
            " --min-correlation {params.min_correlation}"
            " --out-findings {output.findings} --out-pairs {output.pairs}"
        )


rule checks_sameness:
    input:
        images=collect("<results>/checks/{shard}/images.parquet", shard=SHARDS),
        fingerprints=collect(
            "<results>/checks/{shard}/fingerprints.parquet", shard=SHARDS
        ),
        looks=collect("<results>/checks/{shard}/looks.parquet", shard=SHARDS),
        faces=collect("<results>/checks/{shard}/faces.parquet", shard=SHARDS),
        findings="<results>/checks/duplicates.parquet",
        pairs="<results>/checks/copies_and_crops.parquet",
    output:
        findings="<results>/checks/sameness.parquet",
        pairs="<results>/checks/pairs.parquet",
        rates="<results>/checks/face_rates.parquet",
    log:
        "<logs>/checks/sameness.log",
    conda:
        "../../envs/base.yaml"
    params:
        same_subject_cosine=lookup("checks/same_subject_cosine", within=config),
        cross_subject_cosine=lookup("checks/cross_subject_cosine", within=config),
        min_face_side=lookup("checks/min_face_side", within=config),
        min_face_sharpness=lookup("checks/min_face_sharpness", within=config),
        min_face_brightness=lookup("checks/min_face_brightness", within=config),
    shell:
        step(
            "checks.sameness --images {input.images} --fingerprints {input.fingerprints} --looks {input.looks}"
            " --faces {input.faces} --findings {input.findings} --pairs {input.pairs}"
            " --same-subject-cosine {params.same_subject_cosine}"
            " --cross-subject-cosine {params.cross_subject_cosine}"
            " --min-face-side {params.min_face_side} --min-face-sharpness {params.min_face_sharpness}"
            " --min-face-brightness {params.min_face_brightness}"
            " --out-findings {output.findings} --out-pairs {output.pairs} --out-rates {output.rates}"
        )
