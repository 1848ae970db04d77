# nRF51822 (Cortex-M0): no floating-point unit, 16 KiB of RAM
BOARD_TOOL := arm-none-eabi-
BOARD_PORT := cortex_m
BOARD_PROFILE := tiny
BOARD_CPU := -mcpu=cortex-m0 -mthumb
BOARD_OPT := -Os
BOARD_START := firmware/common/start_cortex_m.c firmware/common/soft_sqrt.c
BOARD_QEMU := qemu-system-arm -M microbit
# what fits beside a world in 16 KiB
BOARD_UNITS := vec3 quat fb project newton
