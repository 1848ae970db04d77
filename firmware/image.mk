# Images of one board: make -f firmware/image.mk BOARD=mps2-an386 [OPT=-O0] [all|run-selftest|...]
# firmware/firmware.mk calls this once per board. ECP is the host command of the board's profile.
BUILD ?= build
comma := ,
Q := $(if $(V),,@)
ALL_UNITS := vec3 quat fb project dense chol lu newton mncp lemke island convex
include firmware/boards/$(BOARD)/board.mk
include port/$(BOARD_PORT)/port.mk
OPT ?= $(BOARD_OPT)

OUT ?= $(BUILD)/firmware/$(BOARD)/$(patsubst -%,%,$(firstword $(OPT)))
ECP := $(BUILD)/host/$(BOARD_PROFILE)/ecp
TCC := $(BOARD_TOOL)gcc
SCENARIOS ?= $(filter-out $(BOARD_WITHOUT:%=tools/scenarios/%.toml),$(sort $(wildcard tools/scenarios/*.toml)))
APPS := selftest bench predict
# images whose linker script refuses double arithmetic when the profile is float; the unit tests
# judge in double
FLOAT_GUARD := $(if $(filter m4f tiny,$(BOARD_PROFILE)),-Wl$(comma)--defsym=ECP_FLOAT_IMAGE=1)

TWARN := -Wall -Wextra -Werror -Wconversion -Wdouble-promotion -Wundef -Wmissing-prototypes \
        -Wstrict-prototypes -Wshadow
TINC := -Iconfig -Icore -Ifirmware/common -Ifirmware/apps -Ifirmware/boards/$(BOARD) $(PORT_INC)
TCFLAGS := $(BOARD_CPU) -std=c11 $(OPT) -g $(TWARN) -ffp-contract=off -fno-math-errno -ffunction-sections \
          -fdata-sections -fstack-usage -fcallgraph-info=su -DECP_PROFILE=$(BOARD_PROFILE) $(TINC) $(BOARD_LIMITS) $(LIMITS)
TLDFLAGS := $(BOARD_CPU) -nostartfiles -nostdlib -Lfirmware/common -T firmware/boards/$(BOARD)/board.ld \
           -Wl,--gc-sections -Wl,--no-warn-rwx-segments
TLIBS := -Wl,--start-group -lm -lc -lgcc -Wl,--end-group

CORE := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard core/*/*.c)))
BASE := $(patsubst %,$(OUT)/%.o,$(basename $(PORT_SRC) $(BOARD_START) firmware/common/scene_data.c \
          firmware/common/hash.c firmware/common/print.c firmware/common/stack.c))
UNITS := $(BOARD_UNITS:%=$(OUT)/unit/test_%.o) $(OUT)/unit/list.o $(OUT)/firmware/common/unity/text.o

GUARDS := MALLOC STDIO RAM $(if $(FLOAT_GUARD),DOUBLE)
RUN := timeout -k 2 $(or $(LIMIT_S),120) $(BOARD_QEMU) -display none -monitor none -nodefaults \
       -semihosting-config enable=on,target=native -serial stdio $(QEMU_EXTRA) -kernel

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
all: $(APPS:%=$(OUT)/%.elf)

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(Q)$(TCC) $(TCFLAGS) -MMD -MP -c $< -o $@
$(OUT)/%.o: %.S $(OUT)/flags
	@mkdir -p $(@D)
	$(Q)$(TCC) $(BOARD_CPU) -c $< -o $@

# scenarios as data: all of them, and the one of predict
$(OUT)/scenes.c: $(ECP) $(SCENARIOS) firmware/make_scenes.sh
	@mkdir -p $(@D)
	$(Q)sh firmware/make_scenes.sh $(ECP) $@ $(SCENARIOS)
$(OUT)/one.c: $(ECP) tools/scenarios/cube_slide.toml firmware/make_scenes.sh
	@mkdir -p $(@D)
	$(Q)sh firmware/make_scenes.sh $(ECP) $@ tools/scenarios/cube_slide.toml
$(OUT)/%.o: $(OUT)/%.c $(OUT)/flags
	$(Q)$(TCC) $(TCFLAGS) -MMD -MP -c $< -o $@

# unit tests of the host, each with its own main under another name
$(OUT)/unit/test_%.o: host_tests/unit/test_%.c $(OUT)/flags firmware/image.mk
	@mkdir -p $(@D)
	$(Q)$(TCC) $(filter-out -W%,$(TCFLAGS)) -DECP_REAL_UNITY -Ifirmware/common/unity -Ihost_tests/support \
	  -Dsnprintf=unit_text -Dmain=unit_$* -DsetUp=unit_$*_set_up -DtearDown=unit_$*_tear_down -MMD -MP -c $< -o $@
$(OUT)/unit/list.c: firmware/boards/$(BOARD)/board.mk firmware/image.mk
	@mkdir -p $(@D)
	@{ echo '#include "print.h"'; for t in $(BOARD_UNITS); do echo "int unit_$$t(void);"; done; \
	  echo 'int unit_tests(void);'; echo 'int unit_tests(void) {'; echo 'int failures = 0;'; \
	  for t in $(BOARD_UNITS); do echo "print_text(\"unit $$t: \"); failures += unit_$$t();"; done; \
	  echo 'return failures; }'; } > $@

$(OUT)/selftest.elf: $(OUT)/firmware/apps/selftest.o $(OUT)/scenes.o $(UNITS) $(BASE) $(CORE)
$(OUT)/bench.elf: $(OUT)/firmware/apps/bench.o $(OUT)/scenes.o $(BASE) $(CORE)
$(OUT)/predict.elf: $(OUT)/firmware/apps/predict.o $(OUT)/one.o $(BASE) $(CORE)
$(OUT)/bench.elf $(OUT)/predict.elf: TLDFLAGS += $(FLOAT_GUARD)
$(OUT)/%.elf: firmware/boards/$(BOARD)/board.ld $(wildcard firmware/common/*.ld)
	$(Q)$(TCC) $(TLDFLAGS) -Wl,-Map=$(@:.elf=.map) $(filter %.o,$^) $(TLIBS) -o $@
	@$(if $(filter guard-%,$(@F)),:,echo) "$(BOARD) $(OPT) $(@F): $$($(BOARD_TOOL)size -A $@ | awk '/^\.(text|data|ARM)/{f+=$$2} /^\.(data|bss)/{r+=$$2} END{print f " bytes flash, " r " bytes static RAM"}')"

# run an application under QEMU: its console on stdout, its exit status passed through
run-%: $(OUT)/%.elf
	$(Q)$(RUN) $< </dev/null

# proof that every guard of guards.ld fires, and that a status reaches the host
$(OUT)/guard-%.o: firmware/apps/guard.c $(OUT)/flags
	@mkdir -p $(@D)
	$(Q)$(TCC) $(TCFLAGS) -DGUARD_$* -c $< -o $@
$(OUT)/guard-NONE.elf $(OUT)/guard-STATUS.elf: $(OUT)/guard-%.elf: $(OUT)/guard-%.o $(BASE)
guards: $(OUT)/guard-NONE.elf $(OUT)/guard-STATUS.elf $(GUARDS:%=$(OUT)/guard-%.o)
	$(Q)sh firmware/check_guards.sh "$(TCC) $(TLDFLAGS) $(FLOAT_GUARD) $(BASE)" "$(TLIBS)" $(OUT) $(GUARDS)
	$(Q)$(RUN) $(OUT)/guard-STATUS.elf </dev/null >/dev/null 2>&1; status=$$?; [ $$status = 42 ] || \
	  { echo "$(BOARD): exit status 42 came back as $$status"; exit 1; }

# every instruction between the markers of the bench, and the sizes, as a line for the budget
nm_value = 0x$$($(BOARD_TOOL)nm $(OUT)/bench.elf | awk '$$3 == "$(1)" { print $$1 }')
measure: $(OUT)/bench.elf $(OUT)/predict.elf $(PLUGIN)
	$(Q)$(RUN) $(OUT)/bench.elf -plugin \
	  file=$(PLUGIN),begin=$(call nm_value,mark_begin),end=$(call nm_value,mark_end),out=$(OUT)/counts.txt \
	  </dev/null >$(OUT)/bench.txt
	$(Q)sh tools/check/measure.sh $(BOARD) $(OUT) $(BOARD_TOOL) $(BOARD_PROFILE) $(BUILD)/budget/$(BOARD).csv

$(OUT)/flags: FORCE
	@mkdir -p $(OUT)
	@echo '$(TCC) $(TCFLAGS)' | cmp -s - $@ || echo '$(TCC) $(TCFLAGS)' > $@
FORCE:
.PHONY: all guards measure FORCE
-include $(CORE:.o=.d) $(BASE:.o=.d) $(UNITS:.o=.d) $(APPS:%=$(OUT)/firmware/apps/%.d) $(OUT)/scenes.d $(OUT)/one.d
