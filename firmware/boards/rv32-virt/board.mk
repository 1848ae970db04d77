# rv32imafdc: double-precision unit
BOARD_TOOL := riscv64-unknown-elf-
BOARD_PORT := riscv
BOARD_PROFILE := m7
BOARD_CPU := --specs=picolibc.specs -march=rv32imafdc -mabi=ilp32d -mcmodel=medany
# -Os calls helpers to save registers: an eighth of the flash, twice the instructions
BOARD_OPT := -O2
BOARD_START := firmware/common/start_riscv.S
BOARD_QEMU := qemu-system-riscv32 -M virt -bios none
BOARD_UNITS := $(ALL_UNITS)
