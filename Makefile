# The two commands: `make run` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
.DELETE_ON_ERROR:
# What a target needs comes before it: with -j two of them would set up at once. The compiler takes all processors anyway.
.NOTPARALLEL:
SETUPS := setup-build setup-run setup-test setup-docs setup-bench setup-oracle setup-cluster setup-pictures setup-screenshots setup-deb
.PHONY: help setup $(SETUPS) build run test check-cluster check-long bench bench-operations bench-transfers bench-codecs bench-filters \
	bench-catalog bench-pipeline bench-browse bench-run bench-cluster bench-scroll docs screenshots lint format deb install uninstall clean

PREFIX ?= /usr/local
# Asked anew for each recipe, because set-up may have installed GTK.
export CLASSICPHOTOS_GTK = $(shell pkg-config --exists gtk4 libadwaita-1 libsoup-3.0 2>/dev/null && echo 1 || echo 0)
# Set-up writes GTK's flags there without those that SwiftPM does not know.
export PKG_CONFIG_PATH := $(CURDIR)/build/pkgconfig:$(PKG_CONFIG_PATH)
SOURCES := Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources
# Some hundred at a time: swift format holds all files of one call open, and a person's shell may have 1024 open in all.
SWIFT_FILES := find $(SOURCES) -name '*.swift' -print0 | LC_ALL=C sort -z | xargs -0 -n 400

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (Debian and Ubuntu)
	@Scripts/setup

$(SETUPS): setup-%:
	@Scripts/setup $*

build: setup-build ## the programs, optimised
	@swift build -c release --product classicphotos
	@if [ "$$CLASSICPHOTOS_GTK" = 1 ]; then swift build -c release --product classicphotos-app; fi
	@Scripts/translations

run: setup-run build ## develop real photographs into build/demo, and show them where there is a display
	@Scripts/demo

test: setup-test ## the form of the sources, and the tests
	@Scripts/test

check-cluster: setup-cluster ## tasks of plans on Slurm, GNU parallel, Dask and an object store, with workers killed and nodes lost
	@Scripts/check-cluster

check-long: setup-test setup-bench setup-oracle setup-deb ## long runs: the engine 200 times, sanitizers, broken files, Chromium, fuzzing
	@Scripts/check-long

bench: bench-operations bench-filters bench-codecs bench-transfers bench-catalog bench-pipeline bench-browse bench-run bench-cluster bench-scroll ## all of the measurements

bench-operations bench-filters bench-codecs bench-transfers bench-catalog bench-pipeline bench-browse bench-run bench-cluster bench-scroll: bench-%: setup-bench ## one measurement, beside its peers
	@Scripts/bench $*

docs: setup-docs ## the documentation of the libraries, into build/site (DOCS_BASE_PATH: its path on a server)
	@Scripts/docs

screenshots: setup-screenshots ## the app in every state, light and dark, in three languages, into build/screenshots
	@Scripts/screenshots

lint: ## check the form of the sources
	@$(SWIFT_FILES) swift format lint --strict --parallel

format: ## put the sources into that form
	@$(SWIFT_FILES) swift format --in-place --parallel

deb: setup-build setup-deb ## the Debian packages of both programs, into build/deb
	@Scripts/deb

install: setup-build ## build the programs for other machines too, and install them under PREFIX (and DESTDIR)
	@Scripts/install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## remove what was installed under PREFIX (and DESTDIR)
	@Scripts/install --remove "$(PREFIX)" "$(DESTDIR)"

clean: ## remove everything that was built
	@rm -rf .build build Benchmarks/.build Fuzz/.build
