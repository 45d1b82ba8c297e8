"""Consent: the ledger says who and what may pass; nothing of a person who withdrew leaves this room."""


# Of each shard, and no input of a gather: were it behind one (even as ancient), a run in which the gather runs would
# not see that the events of a shard have changed.
rule consent_record:
    input:
        forms="<results>/intake/{shard}/forms.parquet",
        people=[
            "<results>/intake/{shard}/people.parquet",
            *(["<results>/intake/{shard}/video_people.parquet"] * START["videos"]),
        ],
        annotators="<results>/intake/{shard}/annotators.parquet",
        refused="<results>/intake/{shard}/refused.parquet",
    output:
        "<results>/consent/{shard}/import.json",
    log:
        "<logs>/consent/record/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        inbox=local([config["consent"]["inbox"]] if config["consent"]["inbox"] else []),
        proof_required=lookup("consent/proof_required", within=config),
        # Reruns the shards that a wish concerns; it is no part of the command.
        events=lambda wildcards: START["events"][wildcards.shard],
    shell:
        step("consent.record")


rule consent_receive:
    output:
        "<results>/consent/inbox.json",
    log:
        "<logs>/consent/receive.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        inbox=lookup("consent/inbox", within=config),
        proof_required=lookup("consent/proof_required", within=config),
        events=START["inbox"],
    shell:
        step("consent.receive")


rule consent_waiting:
    input:
        # Without a name: waited for, and not handed to the step.
        "<results>/consent/inbox.json" if config["consent"]["inbox"] else [],
        imported=collect("<results>/consent/{shard}/import.json", shard=all_shards),
    output:
        "<results>/consent/waiting.parquet",
    log:
        "<logs>/consent/waiting.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        # Counts again when a wish is recorded or settled; it is no part of the command.
        wishes=START["wishes"],
    shell:
        step("consent.waiting")


rule consent_apply:
    input:
        # The ledger has what this wrote into it.
        "<results>/consent/{shard}/import.json",
        images="<results>/intake/{shard}/images.parquet",
        people="<results>/intake/{shard}/people.parquet",
        forms="<results>/intake/{shard}/forms.parquet",
        annotators="<results>/intake/{shard}/annotators.parquet",
        refused="<results>/intake/{shard}/refused.parquet",
    output:
        images="<results>/consent/{shard}/images.parquet",
        findings="<results>/consent/{shard}/findings.parquet",
        permits="<results>/consent/{shard}/permits.parquet",
        annotators="<results>/consent/{shard}/annotators.parquet",
    log:
        "<logs>/consent/apply/{shard}.log",
    conda:
        "../../envs/base.yaml"
    params:
        vault=lookup("vault", within=config),
        as_of=lookup("consent/as_of", within=config),
        # Changes on the day on which a consent of the shard ends.
        held_on=lambda wildcards: START["held_on"][wildcards.shard],
        min_age=lookup("consent/min_age", within=config),
        events=lambda wildcards: START["events"][wildcards.shard],
    shell:
        step("consent.apply")


if START["videos"]:

    rule consent_videos:
        input:
            # The ledger has what this wrote into it.
            "<results>/consent/{shard}/import.json",
            videos="<results>/intake/{shard}/videos.parquet",
            people="<results>/intake/{shard}/video_people.parquet",
            forms="<results>/intake/{shard}/forms.parquet",
            # People who are unknown are told by the first.
            refused=[
                "<results>/intake/{shard}/refused.parquet",
                "<results>/intake/{shard}/video_refused.parquet",
            ],
        output:
            videos="<results>/consent/{shard}/videos.parquet",
            findings="<results>/consent/{shard}/video_findings.parquet",
            permits="<results>/consent/{shard}/video_permits.parquet",
        log:
            "<logs>/consent/videos/{shard}.log",
        conda:
            "../../envs/base.yaml"
        params:
            vault=lookup("vault", within=config),
            as_of=lookup("consent/as_of", within=config),
            held_on=lambda wildcards: START["held_on"][wildcards.shard],
            min_age=lookup("consent/min_age", within=config),
            events=lambda wildcards: START["events"][wildcards.shard],
        shell:
            step("consent.videos")
