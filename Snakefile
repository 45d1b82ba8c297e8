configfile: "config/config.yaml"


module accord:
    snakefile:
        "workflow/Snakefile"
    config:
        config


use rule * from accord
