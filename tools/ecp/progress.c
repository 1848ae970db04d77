#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double progress_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_start(bool on, const char *unit)
{
    const double t = progress_now();
    return (progress){ .on = on, .unit = unit, .start = t, .shown = t };
}

void progress_show(progress *p, long done, long all)
{
    const double t = p->on ? progress_now() : 0.0;
    if (!p->on || t - p->shown < 0.2) {
        return;
    }
    const double rate = (double)done / (t - p->start);
    const double left = (double)(all - done) / rate;
    p->shown = t;
    fprintf(stderr, "\r%3.0f %%  %s %ld of %ld  %.4g %ss/s  %.0f:%02.0f left\x1b[K",
            floor(100.0 * (double)done / (double)all), p->unit, done, all, rate, p->unit,
            floor(left / 60.0), floor(fmod(left, 60.0)));
}

void progress_wipe(const progress *p)
{
    if (p->shown > p->start) {
        fputs("\r\x1b[K", stderr);
    }
}
