# ARM MPS2 with a Cortex-M7: double-precision unit
BOARD_TOOL := arm-none-eabi-
BOARD_PORT := cortex_m
BOARD_PROFILE := m7
BOARD_CPU := -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard
BOARD_OPT := -Os
BOARD_START := firmware/common/start_cortex_m.c
BOARD_QEMU := qemu-system-arm -M mps2-an500
BOARD_UNITS := $(ALL_UNITS)
