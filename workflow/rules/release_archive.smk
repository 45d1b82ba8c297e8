"""Release: an archive of a public dataset instead of deliveries, read by the importer of its format."""

# The tables that an importer writes of a shard, by their names.
IMPORTED = {
    name: f"<results>/release/{{shard}}/{name}.parquet"
    for name in (
        *("derivatives", "faces", "people", "attributes", "keypoints", "segments"),
        *("public", "aggregate", "checked", "terms"),
    )
}


if ARCHIVE and ARCHIVE.format == "fhibe":

    rule release_import_fhibe:
        output:
            **IMPORTED,
            files="<results>/release/{shard}/files.tar",
        log:
            "<logs>/release/import_fhibe/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            shards=lookup("shards", within=config),
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            # It sees that the archive changed; it is no part of the command.
            content=START["archive"],
        shell:
            step("release.import_fhibe", extra="--shard {wildcards.shard}")


if ARCHIVE and ARCHIVE.format == "facet":

    rule release_import_facet:
        output:
            **IMPORTED,
            files="<results>/release/{shard}/files.tar",
        log:
            "<logs>/release/import_facet/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            shards=lookup("shards", within=config),
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            # It sees that the archive changed; it is no part of the command.
            content=START["archive"],
        shell:
            step("release.import_facet", extra="--shard {wildcards.shard}")


if ARCHIVE and ARCHIVE.format == "ccv1":

    rule release_import_ccv1:
        output:
            **IMPORTED,
            videos="<results>/release/{shard}/videos.parquet",
            files="<results>/release/{shard}/files.tar",
        log:
            "<logs>/release/import_ccv1/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            shards=lookup("shards", within=config),
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            # It sees that the archive changed; it is no part of the command.
            content=START["archive"],
        shell:
            step("release.import_ccv1", extra="--shard {wildcards.shard}")


if SEARCHING:

    # It needs the network, which compute nodes often lack.
    localrules:
        release_import_search,

    rule release_import_search:
        output:
            **IMPORTED | {"derivatives": temp(IMPORTED["derivatives"])},
            files=temp("<results>/release/{shard}/files.tar"),
        log:
            "<logs>/release/import_search/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            queries=lambda wildcards: json.dumps(SEARCHED[wildcards.shard]),
            terms=lambda wildcards: json.dumps(ARCHIVE.terms, sort_keys=True),
            search=as_json("release/archive/search"),
            vault=lookup("vault", within=config),
        shell:
            step("release.import_search")


if ARCHIVE:

    rule release_describe_archive:
        input:
            people=collect("<results>/release/{shard}/people.parquet", shard=all_shards),
            derivatives=collect(
                "<results>/release/{shard}/derivatives.parquet", shard=all_shards
            ),
        output:
            verdicts="<results>/release/verdicts.parquet",
            waterfall="<results>/release/waterfall.parquet",
            release="<results>/release/release.json",
        log:
            "<logs>/release/describe_archive.log",
        conda:
            "../../envs/base.yaml"
        params:
            archive=ARCHIVE.path,
            format=ARCHIVE.format,
        shell:
            step("release.describe_archive")
