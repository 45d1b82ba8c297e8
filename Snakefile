configfile: "config/config.yaml"


module accord:
    snakefile:
        "workflow/Snakefile"
    config:
        config


use rule * from accord


# Handlers of a module aren't run: Snakefile and workflow/Snakefile have these each.
onstart:
    from accord.engine import local_run
    from accord.privacy.painting import at_start

    at_start.check(workflow, config)
    local_run.begin(workflow)


onsuccess:
    shell(
        "python -m accord audit --attest --if-due --results {config[pathvars][results]:q}"
        " --releases {config[releases]:q} --vault {config[vault]:q}"
    )
