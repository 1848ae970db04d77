// Xie and Chakraborty, rigid body dynamics with line and surface contact: figures 6 to 8.
#include "figures.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 920, HIGH = 560, HALF = WIDE / 2, ROW = HIGH / 2 };

static void free_all(double **arrays, int count)
{
    for (int i = 0; i < count; i++) {
        free(arrays[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// figure 6: the sliding cube

// position error in percent of the way, against the scheme's own solution and the continuous one
static void slide_errors(const figure_run *run, const double *px, double *scheme, double *continuous)
{
    const double h = run->s.h, mu = (double)run->s.contacts[0].def.mu, g = -(double)run->s.settings.gravity.z;
    const double speed = 5.0, share = 0.8; // the velocity is (4, 3) m/s
    for (long k = 0; k < run->t.rows; k++) {
        const double n = (double)k, t = n * h;
        const double way = share * (speed * t - 0.5 * mu * g * t * t);
        const double stepped = share * h * (n * speed - mu * g * h * n * (n + 1.0) / 2.0);
        scheme[k] = k ? 100.0 * fabs(px[k] - stepped) / way : (double)NAN;
        continuous[k] = k ? 100.0 * fabs(px[k] - way) / way : (double)NAN;
    }
}

static void figure_6(figures *f)
{
    figure_run run;
    if (!figure_run_file(f, &run, "cube_slide")) {
        return;
    }
    FILE *out = figure_open(f, "000-fig6", WIDE, HIGH, "Line and surface contact, figure 6: cube sliding on a plane",
                            "(b) the ECP runs ahead of the centre; (c) velocities against the analytical solution and two engines; "
                            "(d) error of the position in percent: one of the engines drifts, the method does not.",
                            "the same cube, mu = 0.12, h = 0.01 s. The error against the solution of the time-stepping scheme is rounding; "
                            "against the continuous solution it is the first order of the scheme. The other engines are left out.");
    const long n = run.t.rows;
    double *t = figure_column(&run, "t", 0), *ax = figure_column(&run, "c0.ax", 1), *ay = figure_column(&run, "c0.ay", 1);
    double *vx = figure_column(&run, "cube.vx", 0), *vy = figure_column(&run, "cube.vy", 0), *px = figure_column(&run, "cube.px", 0);
    double *exact = figure_column(&run, "t", 0), *scheme = figure_column(&run, "t", 0), *continuous = figure_column(&run, "t", 0);
    for (long k = 0; k < n; k++) {
        exact[k] = 4.0 - 0.8 * 0.12 * 9.8 * t[k];
    }
    slide_errors(&run, px, scheme, continuous);
    if (out) {
        chart b = { .title = "(b) equivalent contact point", .x_label = "t, s", .y_label = "m" };
        chart c = { .title = "(c) velocities", .x_label = "t, s", .y_label = "m/s" };
        chart d = { .title = "(d) error of the position", .x_label = "t, s", .y_label = "percent of the way", .logarithmic = true };
        chart_add(&b, "ax", t, ax, n);
        chart_add(&b, "ay", t, ay, n);
        chart_add(&c, "vx", t, vx, n);
        chart_add(&c, "vy", t, vy, n);
        chart_add(&c, "vx by hand", t, exact, n);
        c.series[2].dashed = true;
        chart_add(&d, "against the scheme", t, scheme, n);
        chart_add(&d, "against continuous time", t, continuous, n);
        sheet_text(out, 8, 15, "(a) every pose about equally far from the last");
        figure_picture(out, &run, 0, 20, (picture_options){ .width = HALF, .height = ROW - 20, .last = n - 1, .poses = 7 });
        chart_write(out, &b, HALF, 0, HALF, ROW);
        chart_write(out, &c, 0, ROW, HALF, ROW);
        chart_write(out, &d, HALF, ROW, HALF, ROW);
        figure_close(f, out);
    }
    free_all((double *[]){ t, ax, ay, vx, vy, px, exact, scheme, continuous }, 9);
    figure_run_free(&run);
}

// ---------------------------------------------------------------------------------------------
// figure 7: the rolling and turning cylinder

// L and D: where the ECP is along the contact line and across it
static void along_and_across(const figure_run *run, double *along, double *across)
{
    const int body = 1, a = trace_column(&run->t, "c0.ax"), p = trace_column(&run->t, "cylinder.px");
    for (long k = 0; k < run->t.rows; k++) {
        const vec axis = turn(trace_pose(&run->t, &run->s, body, k).orientation, vec_of(0, 0, 1));
        const double x = trace_at(&run->t, k, a) - trace_at(&run->t, k, p);
        const double y = trace_at(&run->t, k, a + 1) - trace_at(&run->t, k, p + 1);
        along[k] = k ? axis.x * x + axis.y * y : (double)NAN;
        across[k] = k ? axis.y * x - axis.x * y : (double)NAN;
    }
}

static void figure_7(figures *f)
{
    figure_run run;
    if (!figure_run_file(f, &run, "cylinder_roll")) {
        return;
    }
    FILE *out = figure_open(f, "000-fig7", WIDE, HIGH, "Line and surface contact, figure 7: cylinder sliding and rotating",
                            "(b) L, the place of the ECP along the line of contact, falls to zero with the turning rate and jumps with every kick, "
                            "always inside +-2.5 m; (c) D, its distance from that line, stays zero.",
                            "the same motion; L stays far inside the line and D is rounding. The first 2 s, as printed.");
    double *t = figure_column(&run, "t", 0), *along = figure_column(&run, "t", 0), *across = figure_column(&run, "t", 0);
    double *wz = figure_column(&run, "cylinder.wz", 0);
    const long n = run.t.rows < 201 ? run.t.rows : 201;
    along_and_across(&run, along, across);
    if (out) {
        chart b = { .title = "(b) L: ECP along the line of contact", .x_label = "t, s", .y_label = "m" };
        chart c = { .title = "(c) D: ECP across the line of contact", .x_label = "t, s", .y_label = "m", .y_least = 1e-9 };
        chart d = { .title = "turning rate", .x_label = "t, s", .y_label = "rad/s" };
        chart_add(&b, "L", t, along, n);
        chart_add(&c, "D", t, across, n);
        chart_add(&d, "wz", t, wz, n);
        sheet_text(out, 8, 15, "(a) the cylinder");
        figure_picture(out, &run, 0, 20, (picture_options){ .width = HALF, .height = ROW - 20, .last = run.t.rows - 1, .poses = 4 });
        chart_write(out, &b, HALF, 0, HALF, ROW);
        chart_write(out, &d, 0, ROW, HALF, ROW);
        chart_write(out, &c, HALF, ROW, HALF, ROW);
        figure_close(f, out);
    }
    free_all((double *[]){ t, along, across, wz }, 4);
    figure_run_free(&run);
}

// ---------------------------------------------------------------------------------------------
// figure 8: point, line, surface

// velocity at the ECP in the contact frame
static void slip_velocity(const figure_run *run, double *vt, double *vo, double *vr)
{
    const trace *t = &run->t;
    const int v = trace_column(t, "cube.vx"), p = trace_column(t, "cube.px"), a = trace_column(t, "c0.ax");
    for (long k = 0; k < t->rows; k++) {
        double x[6], e[9], c[3];
        for (int i = 0; i < 6; i++) {
            x[i] = trace_at(t, k, v + i);
        }
        for (int i = 0; i < 9; i++) {
            e[i] = trace_at(t, k, a + i); // a, n, t
        }
        for (int i = 0; i < 3; i++) {
            c[i] = trace_at(t, k, p + i);
        }
        const vec w = { x[3], x[4], x[5] }, r = { e[0] - c[0], e[1] - c[1], e[2] - c[2] };
        const vec n = { e[3], e[4], e[5] }, s = { e[6], e[7], e[8] };
        const vec at = vec_add(vec_of(x[0], x[1], x[2]), vec_cross(w, r));
        const bool open = !(trace_at(t, k, a - 2) > 0.0);
        vt[k] = open ? (double)NAN : vec_dot(s, at);
        vo[k] = open ? (double)NAN : vec_dot(vec_cross(n, s), at);
        vr[k] = open ? (double)NAN : vec_dot(n, w);
    }
}

static void figure_8(figures *f)
{
    figure_run run;
    if (!figure_run_file(f, &run, "cube_tumble")) {
        return;
    }
    FILE *out = figure_open(f, "000-fig8", WIDE, HIGH, "Line and surface contact, figure 8: from point to line to surface",
                            "(a) sliding velocities and N, the number of facets in touch: 3 on a corner, 2 on an edge, 1 on a face; "
                            "(b), (c) the ECP beside N. Impulses act at 1 s and 1.8 s.",
                            "the same sequence. Lines break while the cube is in the air. N = 0 there.");
    const long n = run.t.rows;
    double *t = figure_column(&run, "t", 0), *facets = figure_column(&run, "c0.facets", 1);
    double *ax = figure_column(&run, "c0.ax", 1), *ay = figure_column(&run, "c0.ay", 1), *mode = figure_column(&run, "c0.mode", 0);
    double *vt = figure_column(&run, "t", 0), *vo = figure_column(&run, "t", 0), *vr = figure_column(&run, "t", 0);
    slip_velocity(&run, vt, vo, vr);
    for (long k = 0; k < n; k++) {
        ax[k] = mode[k] > 0.0 ? ax[k] : (double)NAN;
        ay[k] = mode[k] > 0.0 ? ay[k] : (double)NAN;
    }
    if (out) {
        const long early = n < 191 ? n : 191;
        chart a = { .title = "(a) sliding velocities and N", .x_label = "t, s", .y_label = "m/s, rad/s" };
        chart b = { .title = "(b) ax and N, before the second impulse", .x_label = "t, s", .y_label = "m" };
        chart c = { .title = "(c) ay and N, before the second impulse", .x_label = "t, s", .y_label = "m" };
        chart_add(&a, "vt", t, vt, n);
        chart_add(&a, "vo", t, vo, n);
        chart_add(&a, "vr", t, vr, n);
        chart_add(&a, "N", t, facets, n);
        chart_add(&b, "ax", t, ax, early);
        chart_add(&b, "N", t, facets, early);
        chart_add(&c, "ay", t, ay, early);
        chart_add(&c, "N", t, facets, early);
        sheet_text(out, 8, 15, "the cube until 1.9 s");
        figure_picture(out, &run, 0, 20, (picture_options){ .width = HALF, .height = ROW - 20, .last = early - 1, .poses = 6 });
        chart_write(out, &a, HALF, 0, HALF, ROW);
        chart_write(out, &b, 0, ROW, HALF, ROW);
        chart_write(out, &c, HALF, ROW, HALF, ROW);
        figure_close(f, out);
    }
    free_all((double *[]){ t, facets, ax, ay, mode, vt, vo, vr }, 8);
    figure_run_free(&run);
}

void figures_line_surface(figures *f)
{
    figure_6(f);
    figure_7(f);
    figure_8(f);
    figure_waits(f, "Line and surface contact, figures 9 and 10",
                 "The cylinder that is tipped, rolled and turned past two obstacles waits for contact between bounded bodies.");
}
