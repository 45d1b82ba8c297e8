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
        step(
            "checks.decode --images {input.images} --bundle {input.bundle}"
            " --min-device-year {params.min_device_year} --min-megapixels {params.min_megapixels}"
            " --min-side {params.min_side} --max-aspect {params.max_aspect}"
            " --require-exif {params.require_exif} --max-pixels {params.max_pixels}"
            " --out-findings {output.findings} --out-fingerprints {output.fingerprints}"
        )


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
        step(
            "checks.texts --images {input.images} --bundle {input.bundle}"
            " --text-side {params.text_side} --max-pixels {params.max_pixels} --out {output}"
        )


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
        step(
            "checks.annotations --images {input.images} --people {input.people}"
            " --keypoints {input.keypoints} --segments {input.segments} --regions {input.regions}"
            " --max-box-overhang {params.max_box_overhang} --max-face-outside {params.max_face_outside}"
            " --max-keypoint-distance {params.max_keypoint_distance}"
            " --out-findings {output.findings} --out-proposals {output.proposals} --out-annotated {output.annotated}"
        )


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
        step(
            "checks.consistency --images {input.images} --bundle {input.bundle} --people {input.people}"
            " --segments {input.segments} --attributes {input.attributes}"
            " --scene-classifier {params.scene_classifier:q} --weights {params.weights:q}"
            " --max-km-abroad {params.max_km_abroad} --max-days-apart {params.max_days_apart}"
            " --max-pixels {params.max_pixels} --out {output}"
        )


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
        step(
            "checks.personal_data --images {input.images} --bundle {input.bundle} --texts {input.texts}"
            " --people {input.people} --segments {input.segments} --regions {input.regions}"
            " --min-text-score {params.min_text_score} --min-bystander {params.min_bystander}"
            " --max-pixels {params.max_pixels}"
            " --out-findings {output.findings} --out-proposals {output.proposals}"
        )


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
        step(
            "checks.logos --images {input.images} --regions {input.regions} --texts {input.texts}"
            " --answers {input.answers} --bundle {input.bundle} --gallery {input.gallery:q} --brands {input.brands:q}"
            " --min-score {params.min_score} --max-pixels {params.max_pixels}"
            " --model {params.model:q} --weights {params.weights:q}"
            " --out-findings {output.findings} --out-proposals {output.proposals}"
        )


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
        step(
            "checks.known --images {input.images} --bundle {input.bundle} --fingerprints {input.fingerprints}"
            " --lists {input.lists:q} --vault {params.vault:q}"
            " --out-findings {output.findings} --out-cleared {output.cleared}"
        )


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
        listed="--web-list" if config["checks"]["web_list"] else "",
    shell:
        step(
            "checks.web --images {input.images} --fingerprints {input.fingerprints} --answers {input.answers}"
            " {params.listed} {input.web_list:q} --max-distance {params.max_distance} --out {output}"
        )


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
        cleared=lambda wildcards: json.dumps(config["checks"]["cleared_deliveries"]),
        vault=lookup("vault", within=config),
    shell:
        step(
            "checks.flagged --images {input.images} --findings {input.findings}"
            " --cleared {params.cleared:q} --vault {params.vault:q} --out {output}"
        )


rule checks_safety:
    input:
        images="<results>/checks/{shard}/cleared.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        texts="<results>/checks/{shard}/texts.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        words=config["checks"]["offensive_words"],
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
        step(
            "checks.safety --images {input.images} --attributes {input.attributes} --texts {input.texts}"
            " --bundle {input.bundle} --max-nudity {params.max_nudity} --max-pixels {params.max_pixels} --words {input.words:q} --out {output}"
        )


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
        step(
            "checks.vision --images {input.images} --bundle {input.bundle} --cache {params.cache:q}"
            " --features {params.features:q} --agreed {params.agreed:q} --address {params.address:q}"
            " --per-minute {params.per_minute} --most-units {params.most_units}"
            " --out-answers {output.answers} --out-usage {output.usage}"
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
                of=("settled", "subjects", "occasions"),
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
        names=lambda wildcards: json.dumps(config["analyse"]["attributes"]),
        min_subjects=lookup("analyse/min_subjects", within=config),
    shell:
        step(
            "checks.exclusions --images {input.images} --people {input.people} --attributes {input.attributes}"
            " --permits {input.permits} --verdicts {input.verdicts} --names {params.names:q}"
            " --min-subjects {params.min_subjects} --out {output}"
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
