// progress.h - one line on stderr for long runs: share, rate, remaining time.
#ifndef ECP_TOOL_PROGRESS_H
#define ECP_TOOL_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool on;             ///< stderr is a terminal
    const char *unit;    ///< "step"
    double start, shown; ///< s
} progress;

/// Seconds of a clock that only goes forward.
double progress_now(void);
progress progress_start(bool on, const char *unit);
/// After done of all units. Nothing for the first fifth of a second, then five times a second.
void progress_show(progress *p, long done, long all);
void progress_wipe(const progress *p);

#endif
