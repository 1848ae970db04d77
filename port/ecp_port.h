// ecp_port.h - what a target must provide for the applications in firmware/. core needs none of it.
//
// One folder per target implements this header: port/<target>/port.c, built as port.mk says. How to
// write one: port/README.md.
#ifndef ECP_PORT_H
#define ECP_PORT_H

#include <stdint.h>

#ifdef __cplusplus
#define ECP_PORT_NORETURN [[noreturn]]
extern "C" {
#else
#define ECP_PORT_NORETURN _Noreturn
#endif

/// Clocks, counter, console. Once, before anything else here.
void ecp_port_init(void);
/// What the target was asked for and could not give, one line of text each; "" if nothing is missing.
const char *ecp_port_missing(void);

/// Free-running counter for short times; wraps, so subtract as uint32_t.
uint32_t ecp_port_cycles(void);
/// Counts of ecp_port_cycles per microsecond, at least 1.
uint32_t ecp_port_cycles_per_us(void);
/// Microseconds since ecp_port_init, never backwards.
uint64_t ecp_port_time_us(void);
/// Return when ecp_port_time_us() >= time_us; at once if it is past.
void ecp_port_sleep_until_us(uint64_t time_us);

/// Send one byte; waits for room.
void ecp_port_putc(char c);
/// The next byte received, 0 to 255, or -1 when there is none. Never waits.
int ecp_port_getc(void);

/// Nothing else runs between lock and unlock (interrupts or signals are held back). May be nested:
/// unlock with the key of its own lock.
uint32_t ecp_port_lock(void);
void ecp_port_unlock(uint32_t key);

/// End the program: 0 is success, 1 to 123 are failures; a larger number counts as 123. Where nobody
/// waits for a status the target stops.
ECP_PORT_NORETURN void ecp_port_exit(int status);
/// Say where, then end with status 123.
ECP_PORT_NORETURN void ecp_port_assert_fail(const char *what, const char *file, int line);

#define ECP_PORT_ASSERT(condition) \
    ((condition) ? (void)0 : ecp_port_assert_fail(#condition, __FILE__, __LINE__))

#ifdef __cplusplus
}
#endif

#endif
