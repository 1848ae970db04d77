# a process of any POSIX system
PORT_SRC := port/posix/port.c port/posix/process.c port/assert.c
PORT_INC := -Iport -Iport/posix
