# ARM MPS2 with a Cortex-M4F: single-precision unit
BOARD_TOOL := arm-none-eabi-
BOARD_PORT := cortex_m
BOARD_PROFILE := m4f
BOARD_CPU := -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
BOARD_OPT := -Os
BOARD_START := firmware/common/start_cortex_m.c
BOARD_QEMU := qemu-system-arm -M mps2-an386
BOARD_UNITS := $(ALL_UNITS)
