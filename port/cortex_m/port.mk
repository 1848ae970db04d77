# ARM Cortex-M, any; the board adds board.h
PORT_SRC := port/cortex_m/port.c port/assert.c
PORT_INC := -Iport
