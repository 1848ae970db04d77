// mps2-an386: ARM MPS2 with a Cortex-M4F.
#ifndef BOARD_H
#define BOARD_H

#define BOARD_CORE_HZ 25000000u
/// 1: ecp_port_exit talks to an emulator or debugger. Without one it would end in a fault.
#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 1
#endif
#define BOARD_UART 0x40004000u
#include "uart_cmsdk.h"

#endif
