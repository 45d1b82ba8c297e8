"""Report: pages that people read."""

from accord.report.reading.exported import EXPORTED

# Answers to open questions are scores of a table of their own, and of models of this task.
TASKS = {*SCORED, *(["visual_question"] if ASKED else [])}
TOLD = sorted(name for task in TASKS for name in MODELS.of_task(task))


rule report_index:
    input:
        waterfall="<results>/release/waterfall.parquet",
        video_waterfall=(
            "<results>/release/videos/waterfall.parquet"
            if START["videos"] and not ARCHIVE
            else []
        ),
        composition="<results>/analyse/composition.parquet",
        diversity="<results>/analyse/diversity.parquet",
        groups="<results>/analyse/groups.parquet",
        disparities="<results>/analyse/disparities.parquet",
        verification="<results>/analyse/verification.parquet",
        patterns="<results>/analyse/patterns.parquet",
        pattern_disparities="<results>/analyse/pattern_disparities.parquet",
        causes="<results>/analyse/causes.parquet",
        cause_tree="<results>/analyse/cause_tree.parquet",
        conditioned="<results>/analyse/conditioned.parquet",
        numbers="<results>/analyse/numbers.parquet",
        extremes="<results>/analyse/extremes.parquet",
        intersections="<results>/analyse/intersections.parquet",
        multiverse="<results>/analyse/multiverse.parquet",
        power="<results>/analyse/power.parquet",
        reversals="<results>/analyse/reversals.parquet",
        curves="<results>/analyse/curves.parquet",
        pair_errors="<results>/analyse/pair_errors.parquet",
        compared="<results>/analyse/compared.parquet",
        layout="<results>/analyse/layout.parquet",
        spreads="<results>/analyse/spreads.parquet",
        heat="<results>/analyse/heat.parquet",
        group_sizes="<results>/analyse/group_sizes.parquet",
        attribute_sizes="<results>/analyse/attribute_sizes.parquet",
        references="<results>/analyse/references.parquet",
        recalls="<results>/analyse/recalls.parquet" if CLASSED else [],
        recall_disparities=(
            "<results>/analyse/recall_disparities.parquet" if CLASSED else []
        ),
        false_yes="<results>/analyse/false_yes.parquet" if CLASSED else [],
        readings="<results>/analyse/readings.parquet" if CLASSED else [],
        class_questions=(
            local(config["evaluate"]["class_questions"]) if CLASSED else []
        ),
        texts=collect("<results>/evaluate/{model}.texts.parquet", model=WITH_TEXTS),
        probe_rates="<results>/analyse/probe_rates.parquet" if WITH_TEXTS else [],
        probe_effects="<results>/analyse/probe_effects.parquet" if WITH_TEXTS else [],
        response_rates="<results>/analyse/response_rates.parquet" if ASKED else [],
        answer_rates="<results>/analyse/answer_rates.parquet" if ASKED else [],
        misgendering_ratios=(
            "<results>/analyse/misgendering_ratios.parquet" if ASKED else []
        ),
        occupation_shares=(
            "<results>/analyse/occupation_shares.parquet" if ASKED else []
        ),
        exclusions=([] if ARCHIVE else "<results>/checks/exclusions.parquet"),
        crop_recall=([] if ARCHIVE else "<results>/checks/crop_recall.parquet"),
        edits=collect(
            "<results>/privacy/{shard}/edits.parquet",
            shard=[] if ARCHIVE else all_shards,
        ),
        release="<results>/release/release.json",
        open_wishes=([] if ARCHIVE else "<results>/consent/waiting.parquet"),
    output:
        report(
            "<results>/report/index.html",
            caption="../report/index.rst",
            category="Report",
        ),
        "<results>/report/data.html",
        "<results>/report/foundation.html" if WITH_TEXTS or ASKED or CLASSED else [],
        collect("<results>/report/models/{model}.html", model=TOLD),
        collect("<results>/report/cards/{model}.md", model=TOLD),
        "<results>/report/cards/provenance.json",
        collect(
            "<results>/report/data/{table}.{kind}",
            table=EXPORTED,
            kind=("csv", "parquet"),
        ),
    log:
        "<logs>/report/index.log",
    conda:
        "../../envs/base.yaml"
    params:
        models=lambda wildcards: json.dumps(
            {n: e for n, e in MODELS.told.items() if e["task"] in TASKS},
            sort_keys=True,
        ),
        title=lookup("report/title", within=config),
        caution=lookup("report/caution", within=config),
        protocol=lookup("analyse/protocol", within=config),
        support_of=lookup("analyse/support_of", within=config),
        rapid=bool(SERVICES.specs),
        fakes=bool(SCORED_FAKES or ANNOTATED),
        vendors=not ARCHIVE,
    shell:
        step("report.index")


if not ARCHIVE:

    rule report_vendors:
        input:
            scorecards="<results>/checks/scorecards.parquet",
            suspicions="<results>/checks/suspicions.parquet",
            patterns="<results>/checks/pattern_units.parquet",
            agreement="<results>/checks/agreement.parquet",
            release="<results>/release/release.json",
        output:
            "<results>/report/vendors.html",
        log:
            "<logs>/report/vendors.log",
        conda:
            "../../envs/base.yaml"
        params:
            title=lookup("report/title", within=config),
        shell:
            step("report.vendors")


if SERVICES.specs:

    rule report_rapid:
        input:
            services="<results>/analyse/rapid/services.parquet",
            curves="<results>/analyse/rapid/curves.parquet",
            coverage="<results>/analyse/rapid/coverage.parquet",
            agreement="<results>/analyse/rapid/agreement.parquet",
            accuracy="<results>/analyse/rapid/accuracy.parquet",
            assisted="<results>/analyse/rapid/assisted.parquet",
            changes="<results>/analyse/rapid/changes.parquet",
            references=[] if SEARCHING else "<results>/analyse/references.parquet",
            release="<results>/release/release.json",
        output:
            "<results>/report/rapid.html",
        log:
            "<logs>/report/rapid.log",
        conda:
            "../../envs/base.yaml"
        params:
            title=lookup("report/title", within=config),
            caution=lookup("report/caution", within=config),
            min_subjects=lookup("analyse/min_subjects", within=config),
            by_hand=BY_HAND,
            search=json.dumps(
                {key: ARCHIVE.terms[key] for key in ("basis", "until")}
                if SEARCHING
                else {}
            ),
        shell:
            step("report.rapid")


# Detectors that this run trains under published names -> what is otherwise in their training.
UNLIKE_PUBLISHED = {
    name: planned.unlike_published(TRAINED[trained])
    for name, trained in TRAINED_AS.items()
    if name in MODELS.entries
}


if SCORED_FAKES or ANNOTATED:

    rule report_fakes:
        input:
            fairness="<results>/analyse/fake_fairness.parquet" if SCORED_FAKES else [],
            utility="<results>/analyse/fake_utility.parquet" if SCORED_FAKES else [],
            disparities=(
                "<results>/analyse/fake_disparities.parquet" if SCORED_FAKES else []
            ),
            annotations=(
                "<results>/analyse/annotation_accuracy.parquet" if ANNOTATED else []
            ),
            study="<results>/analyse/study_accuracy.parquet" if STUDIED else [],
            agreement="<results>/analyse/study_agreement.parquet" if STUDIED else [],
            copies="<results>/release/source_copies.parquet" if TRAINED else [],
            references=local(config["analyse"]["references"]),
            release="<results>/release/release.json",
            sources="<results>/release/sources.json",
            cut=collect(
                "<results>/release/{shard}/cut_faces.parquet",
                shard=SHARDS if COLLECT else [],
            ),
        output:
            "<results>/report/fakes.html",
        log:
            "<logs>/report/fakes.log",
        conda:
            "../../envs/base.yaml"
        params:
            title=lookup("report/title", within=config),
            caution=lookup("report/caution", within=config),
            threshold=lookup("analyse/fakes/threshold", within=config),
            min_faces=lookup("analyse/min_subjects", within=config),
            unlike=lambda wildcards: json.dumps(UNLIKE_PUBLISHED, sort_keys=True),
        shell:
            step("report.fakes")
