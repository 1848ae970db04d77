// A process of any POSIX system: for tests on the host and for looking at an application.
#include "ecp_port.h"

#include "process.h"

void ecp_port_init(void)
{
    process_start();
}

const char *ecp_port_missing(void)
{
    return "";
}
