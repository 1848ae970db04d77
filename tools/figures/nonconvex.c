// Xie and Chakraborty, non-convex contact patches: figures 3 and 4.
#include "figures.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 920, HIGH = 560, HALF = WIDE / 2, ROW = HIGH / 2 };

// ---------------------------------------------------------------------------------------------
// figure 3: the desk

// feet and ECP from above, at rows 0, every, 2 every, ...
static void feet_from_above(FILE *out, const figure_run *run, double left, double top, double size, long every)
{
    const double scale = size / 2.9, x0 = left + 0.45 * scale, y0 = top + size - 0.45 * scale;
    const int a = trace_column(&run->t, "c0.ax");
    sheet_text(out, left + 8, top + 15, "(b) the four feet and the ECP from above, every 0.5 s");
    for (long k = 1; k < run->t.rows; k += k == 1 ? every - 1 : every) {
        const ecp_state at = trace_pose(&run->t, &run->s, 1, k);
        for (int foot = 0; foot < 4; foot++) {
            fputs("<path class=\"patch\" d=\"", out);
            for (int i = 0; i < 4; i++) {
                // corners of a foot of 0.06 m at the corners of the 0.5 m square, in order round it
                const double u = (foot & 1 ? 1.0 : -1.0) * (i == 1 || i == 2 ? 0.25 : 0.19);
                const double v = (foot & 2 ? 1.0 : -1.0) * (i < 2 ? 0.25 : 0.19);
                const vec p = vec_add(vec_from(at.position), turn(at.orientation, vec_of(u, v, -0.45)));
                fprintf(out, "%s%.1f %.1f", i ? "L" : "M", x0 + scale * p.x, y0 - scale * p.y);
            }
            fputs("Z\"/>", out);
        }
        fprintf(out, "<path class=\"line c4\" d=\"M%.1f %.1fm-4 -4l8 8m0 -8l-8 8\"/>\n", x0 + scale * trace_at(&run->t, k, a),
                y0 - scale * trace_at(&run->t, k, a + 1));
    }
}

static void figure_3(figures *f)
{
    figure_run run;
    long rows;
    if (!figure_run_file(f, &run, "desk")) {
        return;
    }
    double *t = figure_column(&run, "t", 0), *vx = figure_column(&run, "desk.vx", 0), *wz = figure_column(&run, "desk.wz", 0);
    double *planar_vx = figure_data(f, "desk_planar", "vx", &rows), *planar_wz = figure_data(f, "desk_planar", "wz", &rows);
    double *dx = figure_column(&run, "t", 0), *dw = figure_column(&run, "t", 0);
    const long n = rows < run.t.rows ? rows : run.t.rows;
    for (long k = 0; k < n; k++) {
        dx[k] = vx[k] - planar_vx[k];
        dw[k] = wz[k] - planar_wz[k];
    }
    FILE *out = figure_open(f, "003-fig3", WIDE, HIGH, "Non-convex patches, figure 3: four-legged desk",
                            "(b) feet and ECP from above: the ECP is on none of the feet, nor below the centre of mass; (c) vx and wz, and their "
                            "differences from a quadratic model and from one contact per foot, within 1e-8.",
                            "the convex hull of the desk. The differences are from a planar model of sliding solved by other means.");
    if (out) {
        chart c = { .title = "(c) velocities", .x_label = "t, s", .y_label = "m/s, rad/s" };
        chart d = { .title = "(c) differences from the planar model", .x_label = "t, s", .y_label = "m/s, rad/s", .y_least = 1e-11 };
        chart_add(&c, "vx", t, vx, run.t.rows);
        chart_add(&c, "wz", t, wz, run.t.rows);
        chart_add(&d, "vx", t, dx, n);
        chart_add(&d, "wz", t, dw, n);
        feet_from_above(out, &run, 0, 0, HALF, 50);
        chart_write(out, &c, HALF, 0, HALF, ROW);
        chart_write(out, &d, HALF, ROW, HALF, ROW);
        figure_close(f, out);
    }
    double *const all[] = { t, vx, wz, planar_vx, planar_wz, dx, dw };
    for (int i = 0; i < 7; i++) {
        free(all[i]);
    }
    figure_run_free(&run);
}

// ---------------------------------------------------------------------------------------------
// figure 4: the T-shaped bar

static void figure_4(figures *f)
{
    static const char *const names[] = { "bar.tx", "bar.ty", "bar.tz", "bar.fx", "bar.fy", "c0.ax", "c0.ay", "c0.az" };
    static const char *const shown[] = { "torque x", "y", "z", "force x", "y", "ax", "ay", "az" };
    static const double times[] = { 0.01, 0.3, 0.8, 2.0, 3.6 };
    double *columns[8];
    figure_run run;
    if (!figure_run_file(f, &run, "t_bar")) {
        return;
    }
    double *t = figure_column(&run, "t", 0);
    chart a = { .title = "(a) applied loads", .x_label = "t, s", .y_label = "N m, N" };
    chart b = { .title = "(b) ECP", .x_label = "t, s", .y_label = "m" };
    for (int i = 0; i < 8; i++) {
        columns[i] = figure_column(&run, names[i], 1);
        chart_add(i < 5 ? &a : &b, shown[i], t, columns[i], run.t.rows);
    }
    FILE *out = figure_open(f, "003-fig4", WIDE, 500, "Non-convex patches, figure 4: T-shaped bar",
                            "(a) applied torques and forces; (b) the ECP, az zero to 1e-12; (c)-(g) from surface contact to two points, to two "
                            "other points, back to the surface, then turning on it.",
                            "the same sequence. The paper prints neither the dimensions nor the loads: both are chosen, and no force is applied. "
                            "Drawn is the hull, whose slanted edges carry the bar on two points.");
    if (out) {
        chart_write(out, &a, 0, 0, HALF, ROW);
        chart_write(out, &b, HALF, 0, HALF, ROW);
        for (int i = 0; i < 5; i++) {
            char label[32];
            const long row = (long)floor(times[i] / run.s.h + 0.5);
            (void)snprintf(label, sizeof label, "(%c) %g s", 'c' + i, times[i]);
            sheet_text(out, 8 + i * WIDE / 5.0, ROW + 20, label);
            figure_picture(out, &run, i * WIDE / 5.0, ROW + 30,
                           (picture_options){ .width = WIDE / 5.0 - 8, .height = 180, .first = row, .last = row, .poses = 1 });
        }
        figure_close(f, out);
    }
    for (int i = 0; i < 8; i++) {
        free(columns[i]);
    }
    free(t);
    figure_run_free(&run);
}

void figures_nonconvex(figures *f)
{
    figure_3(f);
    figure_4(f);
}
