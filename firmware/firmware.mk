# Rules for boards; included by the Makefile. One image is built by firmware/image.mk.
FW_BOARDS ?= mps2-an386 mps2-an500 netduinoplus2 microbit rv32-virt
FW_PROFILES := m7 m4f tiny
FW_IMAGE := $(MAKE) --no-print-directory -f firmware/image.mk BUILD=$(BUILD)
# what a line of a board.mk says, for the rules here
fw_value = $(shell sed -n 's/^$(2) := *//p' firmware/boards/$(1)/board.mk)
fw_tool = $(call fw_value,$(1),BOARD_TOOL)
fw_qemu = $(firstword $(call fw_value,$(1),BOARD_QEMU))

## Build the images of every board (OPT=-O0 to step through them; make -k: those whose tools are here)
firmware: fw-need $(FW_BOARDS:%=fw-images-%)

## Run the self test of every board under QEMU: unit tests, and every scenario against the host's hash
test-target: $(FW_BOARDS:%=fw-test-%)
	@echo "$(words $(FW_BOARDS)) boards passed, 0 failed"

## The same hashes on host (gcc, clang) and boards at -O0, -O2 and -Os
test-bits: $(FW_BOARDS:%=fw-bits-%) fw-bits-host
	@echo "test-bits: one hash per scenario and real type"

# the host command of a profile: writes the scenes, and its hashes are the reference
HOST_CC ?= $(if $(CROSS_COMPILE),cc,$(CC))
$(FW_PROFILES:%=fw-host-%): fw-host-%:
	+@$(MAKE) --no-print-directory -s PROFILE=$* BUILD=$(BUILD)/host/$* OPT=-O2 CC="$(HOST_CC)" \
	  CROSS_COMPILE= $(BUILD)/host/$*/ecp >/dev/null

fw-need:
	@sh firmware/need.sh $(sort $(foreach b,$(FW_BOARDS),$(call fw_tool,$(b))))

# fw-tree builds the images if it can; whoever needs the board then says what is missing
$(FW_BOARDS:%=fw-tree-%): fw-tree-%: $(FW_PROFILES:%=fw-host-%)
	+@sh firmware/need.sh $(call fw_tool,$*) >/dev/null || exit 0; $(FW_IMAGE) BOARD=$* all
$(FW_BOARDS:%=fw-images-%): fw-images-%: fw-tree-%
	@sh firmware/need.sh $(call fw_tool,$*)

# guards, self test and the smallest application; the remark of QEMU about its network left out
fw_log = $(BUILD)/firmware/$*.log
$(FW_BOARDS:%=fw-test-%): fw-test-%: fw-images-%
	@sh firmware/need.sh $(call fw_qemu,$*)
	+@{ echo "== $*"; $(FW_IMAGE) -s BOARD=$* guards && \
	  $(FW_IMAGE) -s BOARD=$* run-selftest && \
	  $(FW_IMAGE) -s BOARD=$* run-predict; } >$(fw_log) 2>&1; status=$$?; \
	  grep -v 'has no peer' $(fw_log); exit $$status

# every optimisation; the one of the board is the image of test-target, the others come without unit tests
fw_bits_out = $(if $(filter $(1),$(call fw_value,$*,BOARD_OPT)),,OUT=$(BUILD)/bits/$*/$(1) BOARD_UNITS=)
fw_bits_one = $(FW_IMAGE) -s BOARD=$* OPT=$(1) $(call fw_bits_out,$(1)) run-selftest >$(BUILD)/bits-$*.log 2>&1 || \
  { cat $(BUILD)/bits-$*.log; exit 1; }; echo "$* $(1): $$(tail -n 2 $(BUILD)/bits-$*.log | head -n 1)"
$(FW_BOARDS:%=fw-bits-%): fw-bits-%: fw-tree-%
	@sh firmware/need.sh $(call fw_tool,$*) $(call fw_qemu,$*)
	+@$(call fw_bits_one,-O0)
	+@$(call fw_bits_one,-O2)
	+@$(call fw_bits_one,-Os)

FW_HOST_CCS ?= $(HOST_CC) $(shell command -v clang >/dev/null && echo clang)
fw-bits-host: fw-bits-m7 fw-bits-m4f
fw-bits-m7 fw-bits-m4f: fw-bits-%: fw-host-%
	+@for cc in $(sort $(FW_HOST_CCS)); do for opt in -O0 -O2 -Os; do \
	  dir=$(BUILD)/bits/host-$*-$$cc$$opt; mkdir -p $$dir; \
	  $(MAKE) --no-print-directory -s BUILD=$$dir PROFILE=$* CC=$$cc OPT=$$opt CROSS_COMPILE= \
	    SCENES_BY=$(BUILD)/host/$*/ecp $$dir/selftest >$$dir.log 2>&1 && $$dir/selftest >>$$dir.log 2>&1 || \
	  { cat $$dir.log; exit 1; }; \
	  echo "host $* $$cc $$opt: $$(tail -n 2 $$dir.log | head -n 1)"; done; done

# the self test as a process, on the posix port: part of `make test`
SCENES_BY ?= $(BUILD)/ecp
$(BUILD)/firmware/scenes.c: $(SCENES_BY) $(SCENARIOS) firmware/make_scenes.sh
	@mkdir -p $(@D)
	@sh firmware/make_scenes.sh $(SCENES_BY) $@ $(SCENARIOS)
$(BUILD)/firmware/no_units.c: firmware/firmware.mk
	@mkdir -p $(@D)
	@echo 'int unit_tests(void); int unit_tests(void) { return 0; }' > $@
$(BUILD)/firmware/%.o: $(BUILD)/firmware/%.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(FW_INC) -c $< -o $@
FW_HOST_OBJ := $(patsubst %,$(BUILD)/%.o,firmware/apps/selftest firmware/scenes firmware/no_units \
  firmware/common/scene_data firmware/common/hash firmware/common/print firmware/common/stack \
  port/posix/port port/posix/process port/assert)
FW_INC = -Ifirmware/common -Ifirmware/apps -Iport -Iport/posix -DECP_NO_STACK_SYMBOLS
$(BUILD)/firmware/%.o $(BUILD)/port/%.o: EXTRA_INC = $(FW_INC)
$(BUILD)/selftest: $(FW_HOST_OBJ) $(BUILD)/libecp.a
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -o $@
# the template of a port must go on compiling
test: $(BUILD)/selftest.passed $(BUILD)/port/template/port.o


## A 1 kHz predict loop on Linux with its latency histogram, for 5 s (S=seconds)
linux-rt: $(BUILD)/linux_rt/loop
	@$< $(or $(S),5)

FW_RT_OBJ := $(patsubst %,$(BUILD)/%.o,firmware/linux_rt/loop firmware/scenes firmware/common/scene_data \
  firmware/common/print port/linux_rt/port port/posix/process port/assert)
$(BUILD)/linux_rt/loop: $(FW_RT_OBJ) $(BUILD)/libecp.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -lm -o $@

fw-phony := $(foreach kind,tree images test bits,$(FW_BOARDS:%=fw-$(kind)-%)) $(FW_PROFILES:%=fw-host-%)
.PHONY: firmware fw-need test-target test-bits linux-rt fw-bits-host fw-bits-m7 fw-bits-m4f $(fw-phony)
-include $(FW_HOST_OBJ:.o=.d) $(FW_RT_OBJ:.o=.d)

# ---------------------------------------------------------------------------------------------
# budgets: what the images cost, against config/budgets.csv

# a profile given by the user chooses the boards that use it
FW_ASKED := $(filter command environment,$(firstword $(origin PROFILE)))
FW_BUDGET_PROFILES := $(if $(FW_ASKED),$(PROFILE),host $(FW_PROFILES))
FW_BUDGET_BOARDS := $(foreach b,$(FW_BOARDS),$(if $(filter $(call fw_value,$(b),BOARD_PROFILE),$(FW_BUDGET_PROFILES)),$(b)))
FW_MEASURED = $(FW_BUDGET_PROFILES:%=$(BUILD)/budget/host-%.csv) \
  $$(ls $(FW_BUDGET_BOARDS:%=$(BUILD)/budget/%.csv) 2>/dev/null)

## Flash, RAM, stack and instructions per step against config/budgets.csv (PROFILE=tiny for one)
budget: fw-measure
	@sh tools/check/budget.sh check config/budgets.csv $(FW_MEASURED)

## Measure and allow a quarter more: rewrites config/budgets.csv
budget-refresh: fw-measure
	@sh tools/check/budget.sh refresh config/budgets.csv $(FW_MEASURED)

fw-measure: $(FW_BUDGET_PROFILES:%=fw-measure-host-%) $(FW_BUDGET_BOARDS:%=fw-measure-%)

# sizeof(ecp_world) by the host compiler: no target tools needed
$(FW_BUDGET_PROFILES:%=fw-measure-host-%): fw-measure-host-%:
	@mkdir -p $(BUILD)/budget
	@printf '#include "ecp.h"\n#include <stdio.h>\nint main(void)\n{\n    printf("$*,host,,,,%%zu,,,,,,\\n", sizeof(ecp_world));\n}\n' \
	  > $(BUILD)/budget/host-$*.c
	@$(HOST_CC) -std=c11 -Iconfig -Icore -DECP_PROFILE=$* $(BUILD)/budget/host-$*.c -o $(BUILD)/budget/host-$*
	@$(BUILD)/budget/host-$* > $(BUILD)/budget/host-$*.csv

$(BUILD)/icount.so: tools/qemu/icount.c
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) -O2 -std=c11 -Wall -Wextra -Werror -pedantic -shared -fPIC -fvisibility=hidden $< -o $@

# a board whose tools are missing is left out
$(FW_BOARDS:%=fw-measure-%): fw-measure-%: fw-tree-% $(BUILD)/icount.so
	@rm -f $(BUILD)/budget/$*.csv; mkdir -p $(BUILD)/budget
	+@sh firmware/need.sh $(call fw_tool,$*) $(call fw_qemu,$*) || exit 0; \
	  $(FW_IMAGE) -s BOARD=$* PLUGIN=$(BUILD)/icount.so measure >$(BUILD)/budget/$*.log 2>&1 || \
	  { cat $(BUILD)/budget/$*.log; exit 1; }

.PHONY: budget budget-refresh fw-measure $(FW_BUDGET_PROFILES:%=fw-measure-host-%) $(FW_BOARDS:%=fw-measure-%)
