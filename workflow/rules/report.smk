"""Report: pages that people read."""


rule report_index:
    input:
        waterfall="<results>/release/waterfall.parquet",
        composition="<results>/analyse/composition.parquet",
        diversity="<results>/analyse/diversity.parquet",
        groups="<results>/analyse/groups.parquet",
        disparities="<results>/analyse/disparities.parquet",
        verification="<results>/analyse/verification.parquet",
        edits=collect(
            "<results>/privacy/{shard}/edits.parquet",
            shard=[] if config["release"]["fhibe"] else SHARDS,
        ),
        release="<results>/release/release.json",
    output:
        report(
            "<results>/report/index.html",
            caption="../report/index.rst",
            category="Report",
        ),
    log:
        "<logs>/report/index.log",
    conda:
        "../../envs/base.yaml"
    params:
        models=lambda wildcards: json.dumps(MODELS.told, sort_keys=True),
        title=lookup("report/title", within=config),
        caution=lookup("report/caution", within=config),
    shell:
        step(
            "report.index --waterfall {input.waterfall} --composition {input.composition}"
            " --diversity {input.diversity} --groups {input.groups}"
            " --disparities {input.disparities} --verification {input.verification}"
            " --edits {input.edits} --release {input.release} --models {params.models:q}"
            " --title {params.title:q} --caution={params.caution:q} --out {output}"
        )
