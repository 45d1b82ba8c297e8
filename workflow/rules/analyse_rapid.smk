"""Analyse: the Rapid Test of recognition services, from what they said of pairs of faces."""

if SERVICES.specs:

    rule analyse_rapid:
        input:
            queries=collect(
                "<results>/evaluate/{shard}/queries.parquet", shard=all_shards
            ),
            faces=collect(
                "<results>/evaluate/{shard}/service_faces.parquet", shard=all_shards
            ),
            copies=collect(
                "<results>/evaluate/{shard}/query_copies.parquet", shard=all_shards
            ),
            confidences=collect(
                "<results>/evaluate/{model}.confidences.parquet", model=SERVICES.specs
            ),
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            attributes=collect(
                "<results>/release/{shard}/attributes.parquet", shard=all_shards
            ),
            hand="<results>/analyse/rapid/hand_labels.parquet" if BY_HAND else [],
        output:
            services="<results>/analyse/rapid/services.parquet",
            identities="<results>/analyse/rapid/identities.parquet",
            curves="<results>/analyse/rapid/curves.parquet",
            coverage="<results>/analyse/rapid/coverage.parquet",
            agreement="<results>/analyse/rapid/agreement.parquet",
            assisted="<results>/analyse/rapid/assisted.parquet",
            doubles="<results>/analyse/rapid/doubles.parquet",
            accuracy="<results>/analyse/rapid/accuracy.parquet",
            changes="<results>/analyse/rapid/changes.parquet",
        log:
            "<logs>/analyse/rapid.log",
        conda:
            "../../envs/base.yaml"
        params:
            names=as_json("analyse/attributes"),
            rapid=as_json("analyse/rapid"),
            min_faces=lookup("evaluate/rapid/min_faces", within=config),
            min_subjects=lookup("analyse/min_subjects", within=config),
            bootstraps=lookup("analyse/bootstraps", within=config),
            seed=lookup("analyse/seed", within=config),
            known=not SEARCHING,
            by_hand=BY_HAND,
            earlier=json.dumps(FORMER, sort_keys=True),
        shell:
            step("analyse.rapid")


if BY_HAND:

    rule analyse_hand_labels:
        input:
            asked="<results>/evaluate/identity_items.parquet",
        output:
            "<results>/analyse/rapid/hand_labels.parquet",
        log:
            "<logs>/analyse/hand_labels.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            # Reruns it when somebody voted; it is no part of the command.
            identified=START["identified"],
        shell:
            step("analyse.hand_labels")
