# RISC-V, machine mode, 32 bit; the board adds board.h
PORT_SRC := port/riscv/port.c port/assert.c
PORT_INC := -Iport
