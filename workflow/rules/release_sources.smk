"""Release: pictures of several sources of made and real faces, each with terms of its own."""

SOURCED = ARCHIVE is not None and ARCHIVE.format == formats.COLLECTED
OF_SOURCES = {
    name: update(f"<results>/release/{{shard}}/{name}.parquet")
    for name in (*IMPORTED, "sources", "prints")
}
COLLECT = ARCHIVE.collect if SOURCED else None
FACES_CUT_BY = models.read(
    {**config["evaluate"], "run": [COLLECT["detector"]] if COLLECT else []},
    Path(workflow.source_path("../schemas/models.schema.yaml")),
)


if SOURCED:

    rule release_list_sources:
        input:
            annotations=formats.annotations(ARCHIVE),
        output:
            "<results>/release/sources.json",
            collect("<results>/release/{shard}/listed.parquet", shard=SHARDS),
        log:
            "<logs>/release/list_sources.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            shards=lookup("shards", within=config),
            cut=COLLECT is not None,
            # They see an older file put back, and pictures that changed; they are no part of the command.
            content=START["archive"],
            touched=START["touched"],
        shell:
            step("release.list_sources")

    rule release_source_duplicates:
        input:
            sources=collect(
                "<results>/release/{shard}/sources.parquet", shard=all_shards
            ),
            prints=collect("<results>/release/{shard}/prints.parquet", shard=all_shards),
        output:
            "<results>/release/source_copies.parquet",
        log:
            "<logs>/release/source_duplicates.log",
        conda:
            "../../envs/base.yaml"
        params:
            max_distance=lookup("checks/max_distance", within=config),
        shell:
            step("release.source_duplicates")


if SOURCED and not COLLECT:

    rule release_import_ai_face:
        input:
            listed="<results>/release/{shard}/listed.parquet",
        output:
            **OF_SOURCES,
            files=update("<results>/release/{shard}/files.tar"),
        log:
            "<logs>/release/import_ai_face/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            touched=START["touched"],
        shell:
            step("release.import_ai_face")


if COLLECT:

    rule release_collect_faces:
        input:
            listed="<results>/release/{shard}/listed.parquet",
        output:
            **OF_SOURCES,
            cut=update("<results>/release/{shard}/cut_faces.parquet"),
            files=update("<results>/release/{shard}/files.tar"),
        log:
            "<logs>/release/collect_faces/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            touched=START["touched"],
            detector=lambda wildcards: FACES_CUT_BY.spec(COLLECT["detector"]),
            weights=lookup("evaluate/weights", within=config),
            margin=COLLECT.get("margin", 1.3),
            side=COLLECT.get("side", 256),
        shell:
            step("release.collect_faces")
