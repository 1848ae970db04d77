// process.h - between the parts of the POSIX ports.
#ifndef ECP_PORT_PROCESS_H
#define ECP_PORT_PROCESS_H

/// Time zero is now.
void process_start(void);

#endif
