# The tasks of Tenure's developers. Each target first installs the missing packages that it needs.

CONFIG ?= release
# Extra flags for the Swift build and the tests, such as FLAGS="-j 2".
FLAGS ?=
SHOW = swift build --show-bin-path $(FLAGS)
# The program and the sample apps.
TESTED = tenure notes-cli lessons-cli
BUILD = swift build --explicit-target-dependency-import-check error $(FLAGS)
# Builds an optimised program, which looks for libraries in the system's folders only.
PROGRAM = $(BUILD) -c $(CONFIG) --disable-local-rpath --product
SWIFT_SOURCES = $(wildcard Package.swift Sources Tests Benchmarks Examples)

.PHONY: help setup build release release-check run test try check budgets bench docs format fuzz fleet soak check-deep

help:
	@echo "make build    build the program and the sample app, optimised, in .build/release"
	@echo "make release  a tarball and a Debian package of the version that the tag of this commit names, in .build/releases"
	@echo "make release-check  make a release of this commit twice and try it in empty systems of Debian (root; half an hour)"
	@echo "make run      build, start a server with a demo tenant, and print lines to try"
	@echo "make test     build and run every test"
	@echo "make try      build and test a part: F=FEATURE or F=TARGET (Swift tests), T=PATH::TEST (a Python test or scenario)"
	@echo "make check    formatting, warnings as errors, architecture, adapters for Apple, purity of the law"
	@echo "make check-deep  tests under ThreadSanitizer and AddressSanitizer, in builds of their own"
	@echo "make budgets  count what a request takes: allocations, bytes, calls of the system"
	@echo "make bench    measure speed and memory (QUICK=1: the most frequent requests; BASE=COMMIT: beside another version)"
	@echo "make docs     one static site of all pages and the products' reference, in .build/docs"
	@echo "make format   format all Swift files in place"
	@echo "make fuzz     feed damaged input to the parsers (FUZZ_SECONDS=60 for each, or FUZZ_INPUTS in all; F=TARGET)"
	@echo "make fleet    10,000 simulated devices in 120 virtual days (FLEET_COUNT, FLEET_DAYS, FLEET_SVG=FILE)"
	@echo "make soak     mixed load with faults on both engines for an hour (SOAK_SECONDS, SOAK_SEED, SOAK_SVG=FILE)"
	@echo "make setup    install the distribution's packages that building needs"

setup:
	@Scripts/setup

# Embeds the commit in the build.
build run: export TENURE_BUILD ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)

build:
	@Scripts/setup run
	$(PROGRAM) tenure
	$(PROGRAM) notes-cli

release:
	@Scripts/setup release
	@Scripts/release

release-check:
	@Scripts/setup test release release-check
	@Scripts/check-release

run:
	@Scripts/setup run
	$(PROGRAM) tenure
	@TENURE_PROGRAM="$$(swift build -c $(CONFIG) --show-bin-path)/tenure" Scripts/demo

# Tests run the optimised program, because that is what ships. Tests with hostile input also run the debug build; the
# server that runs the tests' own jobs exists only there.
test:
	@Scripts/setup test
	$(BUILD) --build-tests
	@TENURE_PROGRAM="$$($(SHOW) -c release)/tenure" DEBUG_PROGRAM="$$($(SHOW))/tenure" \
		TEST_BUILD="for product in $(TESTED); do $(PROGRAM) \$$product; done" Scripts/test-suites
	@folder="$$($(SHOW) -c release)" && Scripts/check-program "$$folder/tenure" "$$folder/notes-cli"
	@TENURE_PROGRAM="$$($(SHOW) -c release)/tenure" Scripts/readme
	@Scripts/check-app

# For quick iterations: builds what a change affects and runs the named tests.
try:
	@Scripts/setup test
	@FLAGS="$(FLAGS)" Scripts/try "$(F)" "$(T)"

check:
	@Scripts/setup check
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@Scripts/check-architecture
	@Scripts/check-doors
	@Scripts/check-privacy
	@Scripts/check-workflows
	@Scripts/check-warnings $(FLAGS)
	@Scripts/check-api
	@Scripts/docs --check
	@Scripts/check-glossary
	@Scripts/check-promises
	@Scripts/check-links
	@Scripts/architecture --check
	@Scripts/check-apple
	@Scripts/check-purity

check-deep:
	@Scripts/setup test
	@Scripts/check-deep

budgets:
	@Scripts/setup test
	$(PROGRAM) tenure
	@TENURE_PROGRAM="$$($(SHOW) -c $(CONFIG))/tenure" PYTHONDONTWRITEBYTECODE=1 \
		.build/python/bin/python -m pytest -q -p no:cacheprovider --rootdir Tests/System/Budgets Tests/System/Budgets

bench:
	@Scripts/setup bench
	@BASE="$(BASE)" QUICK="$(QUICK)" LARGE="$(LARGE)" Benchmarks/run

docs:
	@Scripts/setup check
	@Scripts/check-warnings $(FLAGS)
	@Scripts/docs

format:
	@Scripts/setup
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

fuzz:
	@Scripts/setup
	@Scripts/fuzz $(F)

fleet:
	@Scripts/setup run
	$(PROGRAM) tenure
	@TENURE_PROGRAM="$$(swift build -c $(CONFIG) --show-bin-path)/tenure" Scripts/fleet

# The fault of a full disk needs root.
soak:
	@Scripts/setup test
	$(PROGRAM) tenure
	@TENURE_PROGRAM="$$($(SHOW) -c $(CONFIG))/tenure" Scripts/soak
