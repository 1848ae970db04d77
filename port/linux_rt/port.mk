# Linux, with whatever real-time scheduling it grants
PORT_SRC := port/linux_rt/port.c port/posix/process.c port/assert.c
PORT_INC := -Iport -Iport/posix
