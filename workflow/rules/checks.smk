"""Checks: what is wrong with an image, said in tables of findings, and one verdict on each image."""

# The findings of a shard that need no other findings, those of them that come with proposed regions, the findings of
# checks that gather shards, and the tables of items that are drawn by lot from all of them.
SEEN = (
    "decode",
    "known",
    "annotations",
    "safety",
    "logos",
    "personal_data",
    "consistency",
    "web",
)
PROPOSING = ("annotations", "logos", "personal_data")
GATHERED = (
    *("duplicates", "crops", "sameness", "patterns", "sampled"),
    *(["flagged"] if config["checks"]["hash_lists"] else []),
)
DRAWN = ("sample_items",)
LOGO_MODEL = logo_model.spec(
    config["checks"]["logo_model"],
    config["evaluate"],
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
        step("checks.decode")


rule checks_texts:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        bundle="<results>/intake/{shard}/images.tar",
    output:
        "<results>/checks/{shard}/texts.parquet",
    log:
        "<logs>/checks/texts/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        text_side=lookup("checks/text_side", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step("checks.texts")


rule checks_annotations:
    input:
        images="<results>/consent/{shard}/images.parquet",
        people="<results>/intake/{shard}/people.parquet",
        keypoints="<results>/intake/{shard}/keypoints.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/intake/{shard}/regions.parquet",
    output:
        findings="<results>/checks/{shard}/annotations.parquet",
        proposals="<results>/checks/{shard}/annotations_proposals.parquet",
        annotated="<results>/checks/{shard}/annotated.parquet",
    log:
        "<logs>/checks/annotations/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_box_overhang=lookup("checks/max_box_overhang", within=config),
        max_face_outside=lookup("checks/max_face_outside", within=config),
        max_keypoint_distance=lookup("checks/max_keypoint_distance", within=config),
    shell:
        step("checks.annotations")


rule checks_consistency:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        people="<results>/intake/{shard}/people.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
    output:
        "<results>/checks/{shard}/consistency.parquet",
    log:
        "<logs>/checks/consistency/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        scene_classifier=lambda wildcards: (
            LOOKS.spec(config["checks"]["scene_model"])
            if config["checks"]["scene_model"]
            else "null"
        ),
        weights=lookup("evaluate/weights", within=config),
        max_km_abroad=lookup("checks/max_km_abroad", within=config),
        max_days_apart=lookup("checks/max_days_apart", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step("checks.consistency")


rule checks_personal_data:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        texts="<results>/checks/{shard}/texts.parquet",
        people="<results>/intake/{shard}/people.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/intake/{shard}/regions.parquet",
    output:
        findings="<results>/checks/{shard}/personal_data.parquet",
        proposals="<results>/checks/{shard}/personal_data_proposals.parquet",
    log:
        "<logs>/checks/personal_data/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_text_score=lookup("checks/min_text_score", within=config),
        min_bystander=lookup("checks/min_bystander", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step("checks.personal_data")


rule checks_logos:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        regions="<results>/intake/{shard}/regions.parquet",
        texts="<results>/checks/{shard}/texts.parquet",
        answers=(
            ["<results>/checks/{shard}/vision.parquet"]
            if config["checks"]["vision"]
            else []
        ),
        bundle="<results>/intake/{shard}/images.tar",
        gallery=local(
            sorted(
                str(path)
                for path in Path(config["checks"]["logo_gallery"]).iterdir()
                if path.suffix in (".png", ".jpg")
            )
            if config["checks"]["logo_gallery"]
            else []
        ),
        brands=local(config["checks"]["brands"]),
    output:
        findings="<results>/checks/{shard}/logos.parquet",
        proposals="<results>/checks/{shard}/logos_proposals.parquet",
    log:
        "<logs>/checks/logos/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        min_score=lookup("checks/logo_score", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
        model=LOGO_MODEL,
        weights=lookup("evaluate/weights", within=config),
    shell:
        step("checks.logos")


rule checks_known:
    input:
        images="<results>/consent/{shard}/images.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
        lists=local(config["checks"]["hash_lists"]),
    output:
        findings="<results>/checks/{shard}/known.parquet",
        cleared="<results>/checks/{shard}/cleared.parquet",
    log:
        "<logs>/checks/known/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
    shell:
        step("checks.known")


rule checks_web:
    input:
        images="<results>/consent/{shard}/images.parquet",
        fingerprints="<results>/checks/{shard}/fingerprints.parquet",
        web_list=local(config["checks"]["web_list"] or []),
        answers=(
            ["<results>/checks/{shard}/vision.parquet"]
            if config["checks"]["vision"]
            else []
        ),
    output:
        "<results>/checks/{shard}/web.parquet",
    log:
        "<logs>/checks/web/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_distance=lookup("checks/max_distance", within=config),
    shell:
        step("checks.web")


rule checks_flagged:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=SHARDS),
        findings=collect("<results>/checks/{shard}/known.parquet", shard=SHARDS),
    output:
        "<results>/checks/flagged.parquet",
    log:
        "<logs>/checks/flagged.log",
    conda:
        "../../envs/base.yaml"
    params:
        cleared=as_json("checks/cleared_deliveries"),
        vault=lookup("vault", within=config),
    shell:
        step("checks.flagged")


rule checks_safety:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        texts="<results>/checks/{shard}/texts.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        words=local(config["checks"]["offensive_words"]),
    output:
        "<results>/checks/{shard}/safety.parquet",
    log:
        "<logs>/checks/safety/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        max_nudity=lookup("checks/max_nudity", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
    shell:
        step("checks.safety")


# It needs network, and compute nodes have none: it runs where Snakemake runs, and only where settings ask for it.
localrules:
    checks_vision,


rule checks_vision:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        bundle="<results>/intake/{shard}/images.tar",
    output:
        answers="<results>/checks/{shard}/vision.parquet",
        usage="<results>/checks/{shard}/vision.json",
    log:
        "<logs>/checks/vision/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        # What was paid for stays when the rule runs again, so it is no output.
        cache=subpath(output.usage, strip_suffix=".json"),
        features=lambda wildcards: json.dumps(config["checks"]["vision"]["features"]),
        agreed=lambda wildcards: config["checks"]["vision"]["agreed"],
        address=lambda wildcards: config["checks"]["vision"]["address"],
        per_minute=lambda wildcards: config["checks"]["vision"]["per_minute"],
        most_units=lambda wildcards: config["checks"]["vision"]["most_units"]
        // len(SHARDS),
    shell:
        step("checks.vision")


rule checks_verdicts:
    input:
        images=collect("<results>/intake/{shard}/images.parquet", shard=SHARDS),
        refused=collect("<results>/intake/{shard}/refused.parquet", shard=SHARDS),
        findings=[
            *collect("<results>/consent/{shard}/findings.parquet", shard=SHARDS),
            *collect(
                "<results>/checks/{shard}/{of}.parquet",
                shard=SHARDS,
                of=("settled", "subjects", "occasions"),
            ),
            *collect("<results>/checks/{of}.parquet", of=GATHERED),
        ],
        review_items="<results>/checks/items.parquet",
        decisions=collect("<results>/checks/{shard}/decisions.parquet", shard=SHARDS),
    output:
        verdicts="<results>/checks/verdicts.parquet",
        settled="<results>/checks/settled.parquet",
    log:
        "<logs>/checks/verdicts.log",
    conda:
        "../../envs/base.yaml"
    params:
        policies=as_json("checks/policies"),
    shell:
        step("checks.verdicts")


rule checks_exclusions:
    input:
        images=collect("<results>/consent/{shard}/images.parquet", shard=SHARDS),
        people=collect("<results>/intake/{shard}/people.parquet", shard=SHARDS),
        attributes=collect("<results>/intake/{shard}/attributes.parquet", shard=SHARDS),
        permits=collect("<results>/consent/{shard}/permits.parquet", shard=SHARDS),
        verdicts="<results>/checks/verdicts.parquet",
    output:
        "<results>/checks/exclusions.parquet",
    log:
        "<logs>/checks/exclusions.log",
    conda:
        "../../envs/base.yaml"
    params:
        names=as_json("analyse/attributes"),
        min_subjects=lookup("analyse/min_subjects", within=config),
    shell:
        step("checks.exclusions")


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
        step("checks.local")
