# Habits, one word each. `make help` lists them.

PREFIX ?= /usr/local

.PHONY: help build install test lint format docs bench fuzz simulate soak check clean

help: ## list these targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

build: ## build everything in release
	swift build -c release

install: ## put beck into PREFIX/bin (/usr/local/bin)
	swift build -c release --product beck
	install -D .build/release/beck $(DESTDIR)$(PREFIX)/bin/beck

test: ## run the suite in debug
	swift test

lint: ## say what is not formatted
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzz

format: ## format everything
	swift format -i --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzz

docs: ## build the reference pages of SocketStreams into .build-doc/
	scripts/docs

bench: ## measure the server, the floor and a peer in one run; nothing else busy
	scripts/bench

fuzz: ## fuzz every reader for a minute each
	scripts/fuzz 60

simulate: ## 500 seeds of the simulation
	swift build -c release --product Simulate
	.build/release/Simulate

soak: ## the full counts of the faults, the suite under the address sanitizer, 10,000 seeds, fuzzing
	swift build -c release
	swift build --build-tests
	BECK_SOAK_KILLS=200 BECK_SOAK_TERMS=50 BECK_SOAK_CUTS=20 BECK_SOAK_STOPPED_SECONDS=60 BECK_SOAK_PAGES=1000 BECK_SOAK_NOISE=40 swift test --disable-xctest --skip-build --filter "Kill|CutLink|StoppedReader|Damage"
	BECK_SOAK_MEMBERS=5000 BECK_PROGRAM=$(CURDIR)/.build/release/beck swift test --disable-xctest --skip-build --filter LargeRoom
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks.txt:print_suppressions=0 swift test --disable-xctest --sanitize=address --scratch-path .build-asan
	.build/release/Simulate --seeds 10000 --from 1000
	scripts/fuzz 300

check: ## what CI runs
	./test

clean: ## remove what was built
	rm -rf .build .build-*
