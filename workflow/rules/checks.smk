"""Checks: what is wrong with an image, said in tables of findings, and one verdict on each image."""

# The findings of a shard that come from looking at single pictures, those of them that come with proposed regions, those
# of checks that gather shards, and the tables of items that are drawn by lot from all of them.
SEEN = ("decode", "known", "annotations", "safety", "personal_data", "consistency")
PROPOSING = ("annotations", "personal_data")
GATHERED = (
    *("duplicates", "crops", "sameness", "patterns", "sampled"),
    *(["flagged"] if config["checks"]["hash_lists"] else []),
)
DRAWN = ("sample_items",)
# What is looked for depends on these settings of `checks` alone.
LOOKED_FOR = (
    *("min_device_year", "min_megapixels", "min_side", "max_aspect", "require_exif"),
    *("max_box_overhang", "max_face_outside", "max_keypoint_distance"),
    *("text_side", "max_nudity", "max_km_abroad", "max_days_apart"),
    *("min_text_score", "min_bystander", "logo_score"),
)
LOOKS = models.read(
    {
        "models": config["evaluate"]["models"],
        "run": sorted(
            {
                config["checks"][of]
                for of in ("picture_model", "face_model", "scene_model")
            }
            - {None}
        ),
    },
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)
LOOKING = {
    "logo": json.loads(
        logo_model.spec(
            config["checks"]["logo_model"],
            config["evaluate"],
            Path(workflow.source_path("../schemas/models.schema.yaml")),
        )
    ),
    **{
        of: json.loads(LOOKS.spec(config["checks"][f"{of}_model"]))
        for of in ("picture", "face", "scene")
        if config["checks"][f"{of}_model"]
    },
}


GALLERY = (
    sorted(
        str(path)
        for path in Path(config["checks"]["logo_gallery"]).iterdir()
        if path.suffix in (".png", ".jpg")
    )
    if config["checks"]["logo_gallery"]
    else []
)


rule checks_look:
    input:
        images="<results>/consent/{shard}/images.parquet",
        bundle="<results>/intake/{shard}/images.tar",
        people="<results>/intake/{shard}/people.parquet",
        keypoints="<results>/intake/{shard}/keypoints.parquet",
        segments="<results>/intake/{shard}/segments.parquet",
        regions="<results>/intake/{shard}/regions.parquet",
        attributes="<results>/intake/{shard}/attributes.parquet",
        permits="<results>/consent/{shard}/permits.parquet",
        lists=local(config["checks"]["hash_lists"]),
        words=local(config["checks"]["offensive_words"]),
        gallery=local(GALLERY),
        brands=local(config["checks"]["brands"]),
    output:
        decode=update("<results>/checks/{shard}/decode.parquet"),
        fingerprints=update("<results>/checks/{shard}/fingerprints.parquet"),
        known=update("<results>/checks/{shard}/known.parquet"),
        cleared=update("<results>/checks/{shard}/cleared.parquet"),
        annotations=update("<results>/checks/{shard}/annotations.parquet"),
        annotations_proposals=update(
            "<results>/checks/{shard}/annotations_proposals.parquet"
        ),
        annotated=update("<results>/checks/{shard}/annotated.parquet"),
        texts=update("<results>/checks/{shard}/texts.parquet"),
        safety=update("<results>/checks/{shard}/safety.parquet"),
        consistency=update("<results>/checks/{shard}/consistency.parquet"),
        personal_data=update("<results>/checks/{shard}/personal_data.parquet"),
        personal_data_proposals=update(
            "<results>/checks/{shard}/personal_data_proposals.parquet"
        ),
        logos_seen=update("<results>/checks/{shard}/logos_seen.parquet"),
        looks=update("<results>/checks/{shard}/looks.parquet"),
        faces=update("<results>/checks/{shard}/faces.parquet"),
        clothes=update("<results>/checks/{shard}/clothes.parquet"),
    log:
        "<logs>/checks/look/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        settings=lambda wildcards: json.dumps(
            {key: config["checks"][key] for key in LOOKED_FOR}
        ),
        models=lambda wildcards: json.dumps(LOOKING, sort_keys=True),
        weights=lookup("evaluate/weights", within=config),
        max_pixels=lookup("intake/max_pixels", within=config),
        vault=lookup("vault", within=config),
    shell:
        step("checks.look")


rule checks_flagged:
    input:
        # Without a name: waited for, and not handed to the step. What videos match is in the vault then.
        collect(
            "<results>/checks/{shard}/video_findings.parquet",
            shard=SHARDS if START["videos"] else [],
        ),
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
        findings=collect("<results>/checks/{shard}/known.parquet", shard=all_shards),
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
        images=collect("<results>/intake/{shard}/images.parquet", shard=all_shards),
        refused=collect("<results>/intake/{shard}/refused.parquet", shard=all_shards),
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
        decisions=collect(
            "<results>/checks/{shard}/decisions.parquet", shard=all_shards
        ),
        pattern_images="<results>/checks/pattern_images.parquet",
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
        images=collect("<results>/consent/{shard}/images.parquet", shard=all_shards),
        people=collect("<results>/intake/{shard}/people.parquet", shard=all_shards),
        attributes=collect(
            "<results>/intake/{shard}/attributes.parquet", shard=all_shards
        ),
        permits=collect("<results>/consent/{shard}/permits.parquet", shard=all_shards),
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
