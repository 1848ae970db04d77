# Rules for those who take the library elsewhere; included by the Makefile.
PK_VERSION := $(shell awk '/^#define ECP_VERSION_(MAJOR|MINOR|PATCH) /{v = v s $$3; s = "."} END{print v}' core/ecp.h)
PK_PROFILES := host m7 m4f tiny
PK_HEADERS := $(wildcard core/*.h core/*/*.h config/*.h config/profiles/*.h)
# limits given on the command line are part of what is delivered
PK_LIMITS = $(filter -DECP_%,$(CPPFLAGS) $(CFLAGS))

$(BUILD)/amalgamate: tools/packaging/amalgamate.c
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -std=c11 -O1 -Wall -Wextra -Werror -o $@ $<
$(BUILD)/two/ecp.c: $(BUILD)/amalgamate $(CORE_SRC) $(PK_HEADERS)
	@mkdir -p $(@D)
	$(Q)$< source core $(CORE_SRC) > $@
$(PK_PROFILES:%=$(BUILD)/two/%/ecp.h): $(BUILD)/two/%/ecp.h: $(BUILD)/amalgamate $(PK_HEADERS) $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$< header $* config core $(PK_LIMITS) > $@

# what `ecp gen --fmu` writes into a model, as arrays of the command
PK_FMU := fmu_ecp_c=$(BUILD)/two/ecp.c fmu_ecp_h=$(BUILD)/two/$(PROFILE)/ecp.h \
  fmu_scene_data_c=firmware/common/scene_data.c fmu_scene_data_h=firmware/common/scene_data.h \
  fmu_model_c=tools/fmu/fmu_model.c fmu_model_h=tools/fmu/fmu_model.h fmu_fmi2_c=tools/fmu/fmi2.c fmu_fmi3_c=tools/fmu/fmi3.c
$(BUILD)/fmu_assets.c: $(BUILD)/embed $(foreach a,$(PK_FMU),$(lastword $(subst =, ,$(a))))
	$(Q)$< $(PK_FMU) > $@
$(BUILD)/fmu_assets.o: $(BUILD)/fmu_assets.c
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@
$(BUILD)/libecptool.a: $(BUILD)/fmu_assets.o
$(BUILD)/tools/ecp/fmu.o $(BUILD)/tools/ecp/fmu_xml.o: EXTRA_INC = -Ifirmware/common -Itools/fmu

PREFIX ?= /usr/local
## Install library, header, command, CMake and pkg-config files (PREFIX=/usr/local, DESTDIR=)
install: all $(BUILD)/two/$(PROFILE)/ecp.h
	@sh tools/packaging/install.sh $(BUILD) $(PROFILE) $(PK_VERSION) "$(DESTDIR)" "$(PREFIX)"

## Archives in build/dist: two files per profile, an Arduino library, the sources; unpacked, built, tested
dist: dist-archives all fw-host-m4f
	+@sh tools/packaging/check/dist.sh $(BUILD) $(PK_VERSION) "$(CC)"

dist-archives: $(BUILD)/two/ecp.c $(PK_PROFILES:%=$(BUILD)/two/%/ecp.h) $(BUILD)/pack
	@sh tools/packaging/dist.sh $(BUILD) $(PK_VERSION) $(PK_PROFILES)

$(BUILD)/pack: tools/packaging/pack.c $(BUILD)/tools/ecp/zip.o
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL) -Itools/ecp $^ -o $@

## Build a program against every package: CMake, pkg-config, PlatformIO, Arduino, Zephyr, ESP-IDF
test-packages: all dist-archives fw-host-m4f $(BUILD)/two/$(PROFILE)/ecp.h
	+@CC="$(CC)" sh tools/packaging/check/packages.sh $(BUILD) $(PK_VERSION)

## Functional mock-up units against an importer of our own, which follows the standard's order of calls
test-fmu: $(BUILD)/ecp $(BUILD)/host_tests/fmu/check_fmu
	@CC="$(CC)" sh host_tests/fmu/run.sh $^

.PHONY: test-fmu install dist dist-archives test-packages

## The ways in for somebody new, timed: clone to picture, clone to board, archive to own project
newcomer:
	@sh tools/packaging/check/newcomer.sh
.PHONY: newcomer
