"""Evaluate: recognition services of a Rapid Test, asked about queries that are made of the release."""

SERVICE = models.any_of(SERVICES.specs)
# Who makes templates of single faces; all others are shown two pictures at a time.
MAKES_TEMPLATES = models.any_of(SERVICES.that_compare(face_services.TEMPLATES))
SHOWN_PAIRS = models.any_of(
    SERVICES.that_compare(face_services.FACES, face_services.PICTURES)
)
# Who finds no faces for itself.
BLIND = SERVICES.that_compare(face_services.PICTURES)
# Service -> its version of an earlier test, which is compared with it and votes on nothing.
FORMER = {
    name: before
    for name, before in config["evaluate"]["rapid"]["earlier"].items()
    if before in SERVICES.specs
}
TESTED = [name for name in SERVICES.specs if name not in FORMER.values()]
# Whether people label faces on the review page.
BY_HAND = bool(SERVICES.specs and config["evaluate"]["rapid"]["hand"]["share"])

if SERVICES.specs:

    rule evaluate_queries:
        input:
            people="<results>/release/{shard}/people.parquet",
            verdicts="<results>/release/verdicts.parquet",
            permits=([] if ARCHIVE else "<results>/consent/{shard}/permits.parquet"),
        output:
            "<results>/evaluate/{shard}/mixed_queries.parquet",
        log:
            "<logs>/evaluate/queries/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            impostors=lookup("evaluate/rapid/impostors", within=config),
            min_faces=lookup("evaluate/rapid/min_faces", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("evaluate.queries")

    rule evaluate_query_copies:
        input:
            mixed="<results>/evaluate/{shard}/mixed_queries.parquet",
            people="<results>/release/{shard}/people.parquet",
            derivatives="<results>/release/{shard}/derivatives.parquet",
            files="<results>/release/{shard}/files.tar",
        output:
            queries="<results>/evaluate/{shard}/queries.parquet",
            copies="<results>/evaluate/{shard}/query_copies.parquet",
        log:
            "<logs>/evaluate/query_copies/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            max_distance=lookup("evaluate/rapid/max_distance", within=config),
        shell:
            step("evaluate.query_copies")

    rule evaluate_service_boxes:
        input:
            queries="<results>/evaluate/{shard}/queries.parquet",
            derivatives="<results>/release/{shard}/derivatives.parquet",
            terms="<results>/release/{shard}/terms.parquet",
            files="<results>/release/{shard}/files.tar",
        output:
            boxes="<results>/evaluate/{shard}/{model}.boxes.parquet",
            unseen="<results>/evaluate/{shard}/{model}.unseen.parquet",
        log:
            "<logs>/evaluate/{model}/{shard}.boxes.log",
        wildcard_constraints:
            model=SERVICE,
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(SERVICES.parts(wildcards.model)),
        params:
            service=lambda wildcards: SERVICES.specs[wildcards.model],
            weights=lookup("evaluate/weights", within=config),
            vault=lookup("vault", within=config),
            external=within_limits,
        shell:
            step("evaluate.service_boxes")

    rule evaluate_service_faces:
        input:
            queries="<results>/evaluate/{shard}/queries.parquet",
            boxes=collect(
                "<results>/evaluate/{{shard}}/{model}.boxes.parquet",
                model=SERVICES.specs,
            ),
            unseen=collect(
                "<results>/evaluate/{{shard}}/{model}.unseen.parquet",
                model=SERVICES.specs,
            ),
        output:
            "<results>/evaluate/{shard}/service_faces.parquet",
        log:
            "<logs>/evaluate/service_faces/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            services=json.dumps(TESTED),
            earlier=json.dumps(FORMER, sort_keys=True),
            blind=json.dumps(BLIND),
            keep=lookup("evaluate/rapid/keep", within=config),
            iou=lookup("evaluate/rapid/iou", within=config),
        shell:
            step("evaluate.service_faces")

    rule evaluate_service_templates:
        input:
            faces="<results>/evaluate/{shard}/service_faces.parquet",
            derivatives="<results>/release/{shard}/derivatives.parquet",
            files="<results>/release/{shard}/files.tar",
        output:
            fleeting("<results>/evaluate/{shard}/{model}.templates.parquet"),
        log:
            "<logs>/evaluate/{model}/{shard}.templates.log",
        wildcard_constraints:
            model=MAKES_TEMPLATES,
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(SERVICES.parts(wildcards.model)),
        params:
            service=lambda wildcards: SERVICES.specs[wildcards.model],
            weights=lookup("evaluate/weights", within=config),
        shell:
            step("evaluate.service_templates")

    rule evaluate_service_pairs:
        input:
            faces=collect(
                "<results>/evaluate/{shard}/service_faces.parquet", shard=all_shards
            ),
            queries=collect(
                "<results>/evaluate/{shard}/queries.parquet", shard=all_shards
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
        output:
            "<results>/evaluate/service_pairs.parquet",
        log:
            "<logs>/evaluate/service_pairs.log",
        conda:
            "../../envs/base.yaml"
        params:
            names=as_json("analyse/attributes"),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("evaluate.service_pairs")

    rule evaluate_service_confidences:
        input:
            pairs="<results>/evaluate/service_pairs.parquet",
            templates=collect(
                "<results>/evaluate/{shard}/{model}.templates.parquet",
                shard=all_shards,
                model=lambda wildcards: wildcards.model,
            ),
        output:
            "<results>/evaluate/{model}.confidences.parquet",
        log:
            "<logs>/evaluate/{model}/confidences.log",
        wildcard_constraints:
            model=MAKES_TEMPLATES,
        conda:
            "../../envs/base.yaml"
        params:
            service=lambda wildcards: SERVICES.specs[wildcards.model],
        shell:
            step("evaluate.service_confidences")

    rule evaluate_service_comparisons:
        input:
            pairs="<results>/evaluate/service_pairs.parquet",
            faces=collect(
                "<results>/evaluate/{shard}/service_faces.parquet", shard=all_shards
            ),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
            files=collect("<results>/release/{shard}/files.tar", shard=all_shards),
        output:
            "<results>/evaluate/{model}.confidences.parquet",
        log:
            "<logs>/evaluate/{model}/comparisons.log",
        wildcard_constraints:
            model=SHOWN_PAIRS,
        conda:
            "../../envs/base.yaml"
        resources:
            gpu=lambda wildcards: gpus.of(SERVICES.parts(wildcards.model)),
        params:
            service=lambda wildcards: SERVICES.specs[wildcards.model],
            weights=lookup("evaluate/weights", within=config),
            seed=lookup("analyse/seed", within=config),
            vault=lookup("vault", within=config),
            external=within_limits,
        shell:
            step("evaluate.service_comparisons")


if BY_HAND:

    rule evaluate_identity_items:
        input:
            faces=collect(
                "<results>/evaluate/{shard}/service_faces.parquet", shard=all_shards
            ),
        output:
            "<results>/evaluate/identity_items.parquet",
        log:
            "<logs>/evaluate/identity_items.log",
        conda:
            "../../envs/base.yaml"
        params:
            share=lookup("evaluate/rapid/hand/share", within=config),
            seed=lookup("analyse/seed", within=config),
        shell:
            step("evaluate.identity_items")
