# copy this folder, say what the target is
PORT_SRC := port/template/port.c port/assert.c
PORT_INC := -Iport
