configfile: "config/config.yaml"


module accord:
    snakefile:
        "workflow/Snakefile"
    config:
        config


use rule * from accord


# Handlers of a module aren't run: Snakefile and workflow/Snakefile have these each.
onstart:
    from accord.engine import fork_server

    if workflow.local_exec:
        # Limiting jobs in a time leaves a thread for each that ends, all of which have the scheduler plan anew.
        workflow.scheduler.job_rate_limiter = None
        fork_server.start()


onsuccess:
    shell(
        "python -m accord audit --attest --if-due --results {config[pathvars][results]:q}"
        " --releases {config[releases]:q} --vault {config[vault]:q}"
    )
