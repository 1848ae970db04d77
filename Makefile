# ecpredict: one Makefile for every action; `make help` lists them.
PROFILE ?= host
OPT     ?= -O2
SAN     ?=
CROSS_COMPILE ?=
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
# builds what runs during the build, whatever CC builds for
HOSTCC ?= $(firstword $(shell command -v cc gcc clang 2>/dev/null) cc)
BUILD ?= build
# V=1 shows the commands
Q := $(if $(V),,@)

WARN := -Wall -Wextra -Werror -Wconversion -Wdouble-promotion -Wundef -Wmissing-prototypes \
        -Wstrict-prototypes -Wshadow -pedantic
# the same bits everywhere: no contraction, no errno path around sqrt
FLOAT := -ffp-contract=off -fno-math-errno
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
CPPFLAGS_ALL := -Iconfig -Icore -DECP_PROFILE=$(PROFILE) $(CPPFLAGS)
CFLAGS_ALL := -std=c11 $(OPT) $(WARN) $(FLOAT) $(SANFLAGS) $(CFLAGS)
LDFLAGS_ALL := $(SANFLAGS) $(LDFLAGS)

CORE_SRC  := $(sort $(wildcard core/*/*.c))
TOOL_SRC  := $(filter-out tools/ecp/main.c,$(sort $(wildcard tools/ecp/*.c))) \
             firmware/common/scene_data.c firmware/common/hash.c
UNIT_SRC  := $(sort $(wildcard host_tests/unit/*.c host_tests/physics/*.c))
CORE_OBJ  := $(CORE_SRC:%.c=$(BUILD)/%.o)
TOOL_OBJ  := $(TOOL_SRC:%.c=$(BUILD)/%.o) $(BUILD)/tools/ecp/assets.o $(BUILD)/tools/ecp/builtin.o
ASSETS    := report.html report.css scene.js plots.js report.js index.html
FIGURE_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tools/figures/*.c)))
TEST_BIN  := $(UNIT_SRC:%.c=$(BUILD)/%)
EXAMPLES  := $(BUILD)/examples/one_step $(patsubst tools/examples/%.c,$(BUILD)/examples/%,$(sort $(wildcard tools/examples/*.c)))
SCENARIOS := $(sort $(wildcard tools/scenarios/*.toml))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

## Build the library build/libecp.a and the command build/ecp
all: $(BUILD)/libecp.a $(BUILD)/ecp

## Run every scenario and print one table of figures
demo: all
	@$(BUILD)/ecp demo tools/scenarios --out $(BUILD)/demo

## The published figures again, from runs made now: SVG files and one page in build/figures
figures: $(BUILD)/figures-tool
	@mkdir -p $(BUILD)/figures
	@$(BUILD)/figures-tool $(BUILD)/figures tools/scenarios host_tests/data

## Make the pictures of README again
pictures: $(BUILD)/figures-tool
	@mkdir -p tools/pictures
	$(BUILD)/figures-tool --picture tools/scenarios/cube_tumble.toml 210 > tools/pictures/cube_tumble.svg

## Build and run every host test (PROFILE=host|m7|m4f|tiny, UNITY_DIR=path for the real Unity)
test: $(TEST_BIN:=.passed) $(BUILD)/cli.passed $(BUILD)/examples.passed
	@cat $(TEST_BIN:=.passed) $(BUILD)/cli.passed $(BUILD)/examples.passed | awk '/ Tests .* Failures /{n+=$$1; f+=$$3; g+=$$5} \
	  END{printf "%d passed, %d failed\n", n-f-g, f}'

## The pages in a real browser: needs node and Chromium (CHROMIUM=program); PICTURES=dir keeps screenshots
test-browser: all
	@$(if $(PICTURES),mkdir -p $(PICTURES))
	@node host_tests/browser/test_report.js $(BUILD)/ecp $(PICTURES)

## The same tests under the address and undefined-behaviour sanitizers
test-san:
	$(MAKE) test BUILD=$(BUILD)/san OPT="-O1 -g" SAN=address,undefined

FUZZ_CC      ?= clang
FUZZ_SECONDS ?= 20
FUZZ := $(BUILD)/fuzz
FUZZ_SRC := host_tests/fuzz/fuzz_scenario.c $(CORE_SRC) firmware/common/scene_data.c \
            $(wildcard tools/ecp/scenario*.c) \
            $(addprefix tools/ecp/,toml.c hull.c geometry.c loads.c suggest.c fault.c supported.c common.c)
## Fuzz the scenario reader and the public API, FUZZ_SECONDS each (needs clang and libclang-rt-*-dev)
fuzz:
	@mkdir -p $(FUZZ)/corpus
	@echo 'CC $(FUZZ)/fuzz_scenario'
	$(Q)$(FUZZ_CC) $(CPPFLAGS_ALL) -std=c11 -O1 -g $(FLOAT) -Itools/ecp -Ifirmware/common \
	  -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(FUZZ_SRC) -lm -o $(FUZZ)/fuzz_scenario
	@$(FUZZ)/fuzz_scenario -max_total_time=$(FUZZ_SECONDS) -timeout=20 -max_len=4096 -verbosity=0 \
	  -dict=host_tests/fuzz/scenario.dict -artifact_prefix=$(FUZZ)/ -print_final_stats=1 \
	  $(FUZZ)/corpus host_tests/fuzz/seeds tools/scenarios
	@mkdir -p $(FUZZ)/calls
	@echo 'CC $(FUZZ)/fuzz_api'
	$(Q)$(FUZZ_CC) $(CPPFLAGS_ALL) -std=c11 -O1 -g $(FLOAT) -fsanitize=fuzzer,address,undefined \
	  -fno-sanitize-recover=all host_tests/fuzz/fuzz_api.c $(CORE_SRC) -lm -o $(FUZZ)/fuzz_api
	@$(FUZZ)/fuzz_api -max_total_time=$(FUZZ_SECONDS) -timeout=20 -max_len=2048 -verbosity=0 \
	  -artifact_prefix=$(FUZZ)/ -print_final_stats=1 $(FUZZ)/calls

## Two worlds in two threads, and rollouts from one world, under the thread sanitizer
test-tsan:
	@$(MAKE) $(BUILD)/tsan/host_tests/physics/test_threads.passed BUILD=$(BUILD)/tsan OPT="-O1 -g" SAN=thread

## Complementarity problems: iterations from five starts, fraction solved from 200 random ones
mncp-starts: $(BUILD)/host_tests/support/mncp_starts
	@$<

## Random worlds, every step checked: 200,000 steps in double and as many in float
soak: all
	@for seed in 1 2 3 2026; do $(BUILD)/ecp soak --seed $$seed --trials 505 --steps 100 || exit 1; done
	@$(MAKE) -s BUILD=$(BUILD)/float CFLAGS="$(CFLAGS) -DECP_REAL_BITS=32"
	@for seed in 1 2 3 2026; do $(BUILD)/float/ecp soak --seed $$seed --trials 505 --steps 100 || exit 1; done

## Degraded steps of the random set for six iteration caps, double and float
ladder: all
	@sh tools/check/ladder.sh $(BUILD)

## Lines and branches of core that the host tests reach, by file, against a gate
coverage:
	@rm -rf $(BUILD)/coverage
	@$(MAKE) -s test BUILD=$(BUILD)/coverage OPT="-O0 -g" CFLAGS="--coverage -fprofile-update=atomic" LDFLAGS=--coverage
	@sh tools/check/coverage.sh $(BUILD)/coverage 95 85

## Time per step and iterations of the standard scenes
bench: all
	@$(BUILD)/ecp bench

## Check the rules of core: layers, no heap, no writable data, no mixed builds, header alone in C and C++
lint: $(BUILD)/libecp.a
	@sh tools/check/layers.sh
	@sh tools/check/symbols.sh $(BUILD)/libecp.a
	@sh tools/check/mix.sh "$(CC)" $(BUILD)/libecp.a $(PROFILE)
	@sh tools/check/header.sh "$(CC)" $(BUILD)/libecp.a $(PROFILE)
	@sh tools/check/config.sh "$(CC)"

## Remove everything that was built
clean:
	rm -rf $(BUILD)

## Show this help
help:
	@awk '/^## /{d=substr($$0,4); getline; sub(/:.*/,""); printf "  %-12s %s\n",$$0,d}' $(MAKEFILE_LIST)

# a change of compiler, profile or flags rebuilds everything below $(BUILD)
FLAGS_NOW := $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(UNITY_DIR)
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' > $@
FORCE:

$(BUILD)/tools/%.o: EXTRA_INC = -Ifirmware/common
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "CC $<")
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(EXTRA_INC) -MMD -MP -c $< -o $@

# the pages' HTML, CSS and JavaScript become arrays of the command
$(BUILD)/embed: tools/embed/embed.c
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O1 -o $@ $<
$(BUILD)/tools/ecp/assets.c: $(BUILD)/embed $(ASSETS:%=tools/ecp/%)
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed $(foreach a,$(ASSETS),asset_$(subst .,_,$(a))=tools/ecp/$(a)) > $@
# and the scenario files the list of those that the command has built in
$(BUILD)/tools/ecp/builtin.c: $(BUILD)/embed $(SCENARIOS)
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed --list builtin_scenarios $(foreach s,$(SCENARIOS),$(basename $(notdir $(s)))=$(s)) > $@
$(BUILD)/tools/ecp/assets.o $(BUILD)/tools/ecp/builtin.o: %.o: %.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -Itools/ecp -c $< -o $@

$(BUILD)/libecp.a: $(CORE_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/libecptool.a: $(TOOL_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/ecp: $(BUILD)/tools/ecp/main.o $(BUILD)/libecptool.a $(BUILD)/libecp.a
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -o $@

$(BUILD)/tools/figures/%.o: EXTRA_INC = -Itools/ecp -Ifirmware/common
$(BUILD)/figures-tool: $(FIGURE_OBJ) $(BUILD)/libecptool.a $(BUILD)/libecp.a
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -o $@

# tests: our own small header, or the real Unity with the same macro names
ifdef UNITY_DIR
UNITY_INC := -I$(UNITY_DIR) $(if $(wildcard $(UNITY_DIR)/src/unity.h),-I$(UNITY_DIR)/src) -DECP_REAL_UNITY -DUNITY_INCLUDE_DOUBLE
UNITY_OBJ := $(BUILD)/unity.o
UNITY_C   := $(firstword $(wildcard $(UNITY_DIR)/unity.c $(UNITY_DIR)/src/unity.c))
$(UNITY_OBJ): $(UNITY_C) $(BUILD)/flags
	$(CC) $(UNITY_INC) -O1 $(SANFLAGS) -c $< -o $@
endif
$(BUILD)/host_tests/%.o: EXTRA_INC = -Ihost_tests/support -Itools/ecp -Ifirmware/common $(UNITY_INC) -DECP_SOURCE_DIR='"$(CURDIR)"'
# a checking program, not a list of tests: it has no setUp for Unity
$(BUILD)/host_tests/cli/csv_check: $(BUILD)/host_tests/cli/csv_check.o $(BUILD)/libecptool.a $(BUILD)/libecp.a
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -o $@
$(BUILD)/host_tests/%: $(BUILD)/host_tests/%.o $(BUILD)/libecptool.a $(BUILD)/libecp.a $(UNITY_OBJ)
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -pthread -o $@
$(BUILD)/%.passed: $(BUILD)/%
	@$(abspath $<) > $@.log 2>&1 && mv $@.log $@ || { cat $@.log; exit 1; }
	@tail -n 2 $@ | head -n 1 | sed 's|^|$*: |'
$(BUILD)/cli.passed: host_tests/cli/run.sh $(wildcard host_tests/cli/* host_tests/cli/*/*) $(SCENARIOS) $(BUILD)/ecp \
                     $(BUILD)/host_tests/cli/csv_check
	@sh $< $(BUILD)/ecp $(BUILD)/host_tests/cli/csv_check > $@.log 2>&1 && mv $@.log $@ || { cat $@.log; exit 1; }
	@grep ' Tests ' $@ | sed 's|^|cli: |'

# examples: built as a user would build them; the first is the program of README.md
EXAMPLE_CC = $(CC) -std=c11 -Wall -Wextra -Werror -pedantic $(CPPFLAGS_ALL) $(OPT) $(FLOAT) $(SANFLAGS) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@
$(BUILD)/examples/one_step.c: README.md
	@mkdir -p $(@D)
	@awk '/^```c$$/{on=1;next} /^```$$/{if(on)exit} on' $< > $@
$(BUILD)/examples/one_step: $(BUILD)/examples/one_step.c $(BUILD)/libecp.a
	$(Q)$(EXAMPLE_CC)
$(BUILD)/examples/%: tools/examples/%.c $(BUILD)/libecp.a
	@mkdir -p $(@D)
	$(Q)$(EXAMPLE_CC)
$(BUILD)/examples.passed: host_tests/examples/run.sh $(EXAMPLES)
	@sh $< $(BUILD) $(EXAMPLES) > $@.log 2>&1 && mv $@.log $@ || { cat $@.log; exit 1; }
	@grep ' Tests ' $@ | sed 's|^|examples: |'

include firmware/firmware.mk
include tools/packaging/packaging.mk

.PHONY: all bench coverage demo figures pictures fuzz test test-browser test-san test-tsan mncp-starts lint clean help FORCE
-include $(CORE_OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(FIGURE_OBJ:.o=.d) $(BUILD)/tools/ecp/main.d $(TEST_BIN:=.d) $(BUILD)/host_tests/cli/csv_check.d
