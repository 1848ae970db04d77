// Chakraborty, Berard, Akella, Trinkle, implicit time stepping: figures 1, 3 and 4.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 920, TALL = 300, HALF = WIDE / 2, ROUND = 0 };
#define TURN 6.283185307179586

// ---------------------------------------------------------------------------------------------
// figure 1: a rolling disc, round or with a number of edges

static void put_points(char **to, char *end, int edges)
{
    // the prism stands on an edge of its rim that is a corner of the polygon: lowest at z = -1
    *to += snprintf(*to, (size_t)(end - *to), "shape = \"hull\"\npoints = [");
    for (int i = 0; i < edges; i++) {
        const double angle = TURN * i / edges, x = sin(angle), z = -cos(angle);
        *to += snprintf(*to, (size_t)(end - *to), "%s%.17g, -0.5, %.17g, %.17g, 0.5, %.17g", i ? ", " : "", x, z, x, z);
    }
    *to += snprintf(*to, (size_t)(end - *to), "]\n");
}

static void write_disc(char *text, size_t room, int edges, double h, double duration)
{
    char *to = text, *end = text + room;
    to += snprintf(to, room,
                   "h = %.17g\nduration = %.17g\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"floor\"\nkind = \"fixed\"\n"
                   "shape = \"halfspace\"\nnormal = [0, 0, 1]\n[[body]]\nname = \"disc\"\nkind = \"dynamic\"\nmass = 1\n",
                   h, duration);
    if (edges == ROUND) {
        to += snprintf(to, (size_t)(end - to),
                       "shape = \"cylinder\"\nradius = 1\nlength = 1\norientation = [0.7071067811865476, -0.7071067811865476, 0, 0]\n");
    } else {
        put_points(&to, end, edges);
    }
    (void)snprintf(to, (size_t)(end - to),
                   "position = [0, 0, 1]\nvelocity = [-3, 0, 0]\nangular_velocity = [0, -3, 0]\n"
                   "[[contact]]\nbodies = [\"disc\", \"floor\"]\nmu = 0.4\ne = [1, 1, 0.1]\n");
}

typedef struct energy_curve {
    char name[40];
    double *t, *share; ///< kinetic energy over that of the start
    long count;
} energy_curve;

static bool roll(figures *f, energy_curve *curve, int edges, double h)
{
    const size_t room = 1u << 16;
    char *text = malloc(room);
    figure_run run;
    if (!text) {
        abort();
    }
    write_disc(text, room, edges, h, 3.0);
    const bool ok = figure_run_text(f, &run, text);
    free(text);
    if (!ok) {
        return false;
    }
    double *z = figure_column(&run, "disc.pz", 0);
    curve->t = figure_column(&run, "t", 0);
    curve->share = figure_column(&run, "energy", 0);
    curve->count = run.t.rows;
    // energy holds m g z with m = 1
    const double first = curve->share[0] - 9.81 * z[0];
    for (long k = 0; k < curve->count; k++) {
        curve->share[k] = (curve->share[k] - 9.81 * z[k]) / first;
    }
    free(z);
    figure_run_free(&run);
    return true;
}

// A polygon of radius 1 that rolls without slip, its impacts inelastic: falls about one corner from
// -a/2 to a/2 (a: angle of an edge), then about the next with w (I + cos a)/(I + 1); m = 1.
static void roll_by_hand(energy_curve *curve, int edges, double h, long count)
{
    const double a = TURN / edges, own = (2.0 + cos(a)) / 6.0, about = own + 1.0, dt = 1e-5;
    double angle = 0.0, w = 3.0;
    curve->t = calloc((size_t)count, sizeof *curve->t);
    curve->share = calloc((size_t)count, sizeof *curve->share);
    curve->count = count;
    if (!curve->t || !curve->share) {
        abort();
    }
    for (long k = 0, i = 0; k < count; k++) {
        for (; (double)i * dt < (double)k * h; i++) {
            w += dt * 9.81 * sin(angle) / about;
            angle += dt * w;
            if (angle >= 0.5 * a) {
                angle -= a;
                w *= (own + cos(a)) / about;
            }
        }
        curve->t[k] = (double)k * h;
        curve->share[k] = w * w / 9.0;
    }
}

static void figure_1(figures *f)
{
    static const int edges[] = { ROUND, 62, 32, 16, 12, 8 };
    static const double steps[] = { 0.002, 0.005, 0.01, 0.02, 0.05 };
    enum { BY_EDGES = sizeof edges / sizeof *edges, BY_STEPS = sizeof steps / sizeof *steps };
    energy_curve curves[BY_EDGES + BY_STEPS + 2];
    int count = 0;
    memset(curves, 0, sizeof curves);
    chart a = { .title = "(a) h = 0.01 s", .x_label = "t, s", .y_label = "kinetic energy / start", .y_least = 0.02 };
    chart b = { .title = "(b) 62 edges, h in s", .x_label = "t, s", .y_label = "kinetic energy / start", .y_least = 0.02 };
    for (int i = 0; i < BY_EDGES + BY_STEPS + 1; i++) {
        energy_curve *c = &curves[count];
        const bool by_edges = i < BY_EDGES, last = i == BY_EDGES + BY_STEPS;
        const int n = by_edges ? edges[i] : last ? ROUND : 62;
        const double h = by_edges ? 0.01 : last ? 0.05 : steps[i - BY_EDGES];
        if (!roll(f, c, n, h)) {
            continue;
        }
        if (by_edges) {
            (void)snprintf(c->name, sizeof c->name, n == ROUND ? "disc" : "%d", n);
        } else {
            (void)snprintf(c->name, sizeof c->name, last ? "disc" : "%g", h);
        }
        chart_add(by_edges ? &a : &b, c->name, c->t, c->share, c->count);
        count++;
    }
    roll_by_hand(&curves[count], 62, 0.01, 301);
    chart_add(&b, "by hand", curves[count].t, curves[count].share, curves[count].count);
    b.series[b.count - 1].dashed = true;
    count++;
    FILE *out = figure_open(f, "001-fig1", WIDE, TALL, "Implicit time stepping, figure 1: energy of a rolling disc",
                            "kinetic energy falls when the disc is a polygon: less with more edges down to a limit set by the step, and less "
                            "with smaller steps down to a limit set by the edges. The disc as an implicit surface keeps its energy.",
                            "the same shapes, all by our method. The disc is flat at 1, for h = 0.01 s and for h = 0.05 s. Polygons lose energy in the "
                            "impacts of their edges. Smaller steps do not lose less here: they come nearer to the true loss of an inelastic polygon "
                            "(dashed). Steps in which more than an edge passes (0.02 s and 0.05 s) miss most impacts and gain a few percent.");
    if (out) {
        chart_write(out, &a, 0, 0, HALF, TALL);
        chart_write(out, &b, HALF, 0, HALF, TALL);
        figure_close(f, out);
    }
    for (int i = 0; i < count; i++) {
        free(curves[i].t);
        free(curves[i].share);
    }
}

// ---------------------------------------------------------------------------------------------
// figures 3 and 4: the spinning sphere

static void figures_3_and_4(figures *f)
{
    static const char *const velocities[] = { "vx", "vy", "vz", "wx", "wy", "wz" };
    static const char *const impulses[] = { "c0.pn", "c0.pt", "c0.po", "c0.pr" };
    static const char *const forces[] = { "normal, N", "t, N", "o, N", "about n, N m" };
    double *columns[10];
    figure_run run;
    char name[16];
    if (!figure_run_file(f, &run, "sphere_spin")) {
        return;
    }
    double *t = figure_column(&run, "t", 0);
    chart a = { .title = "figure 3: velocities", .x_label = "t, s", .y_label = "m/s, rad/s" };
    chart b = { .title = "figure 4: impulses of a step over h", .x_label = "t, s", .y_label = "N, N m" };
    for (int i = 0; i < 6; i++) {
        (void)snprintf(name, sizeof name, "sphere.%s", velocities[i]);
        columns[i] = figure_column(&run, name, 0);
        chart_add(&a, velocities[i], t, columns[i], run.t.rows);
        a.series[i].dots = i == 5;
    }
    for (int i = 0; i < 4; i++) {
        columns[6 + i] = figure_column(&run, impulses[i], 1);
        for (long k = 0; k < run.t.rows; k++) {
            columns[6 + i][k] /= run.s.h;
        }
        chart_add(&b, forces[i], t, columns[6 + i], run.t.rows);
        b.series[i].dots = i == 3;
    }
    FILE *out = figure_open(f, "001-fig3-4", WIDE, TALL, "Implicit time stepping, figures 3 and 4: sphere spinning on a plane",
                            "wz falls at 1.962 rad/s each second to zero at 1.05 s, the end of the step in which it stops; all else stays zero. "
                            "Tangential forces are zero, the torsional moment goes to zero as the contact begins to stick.",
                            "the same, h = 0.07 s: rest at the end of the step from 0.98 s to 1.05 s.");
    if (out) {
        chart_write(out, &a, 0, 0, HALF, TALL);
        chart_write(out, &b, HALF, 0, HALF, TALL);
        figure_close(f, out);
    }
    for (int i = 0; i < 10; i++) {
        free(columns[i]);
    }
    free(t);
    figure_run_free(&run);
}

void figures_implicit(figures *f)
{
    figure_1(f);
    figures_3_and_4(f);
    figure_waits(f, "Implicit time stepping, figures 5 to 8",
                 "The small sphere on two spheres waits for contact between bounded bodies.");
}
