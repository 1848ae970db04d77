// csv_check SCENARIO.toml OUT.csv 32|64: is the trajectory a solution of the model?
//
// Works from the columns of the CSV and the text of the scenario alone, with nothing of the library
// or the command: Newton-Euler balance of every step, pose update, contact frame, gap,
// complementarity, friction law, ECP, patch, reserve and energy. Prints the largest violation of
// each law relative to its scale; exit status 1 when one is above its tolerance.
#include "scene_touch.h"

#include <inttypes.h>

enum { TIME, POSE, FORCE, TORQUE, FRAME, GAP, DEPTH, PRESS, CONE, SLIP, POINT, PATCH, EDGE, RESERVE, MODE, ENERGY, LAWS };
static const char *const law_names[LAWS] = {
    "time",   "pose update", "momentum",   "angular momentum", "frame", "gap",     "penetration", "complementarity",
    "friction bound", "slip law", "ECP", "patch", "edge", "reserve", "mode", "energy",
};
static double slip_limit = 1e-6; // of the speed of the step
static bool split; // a step has been split or cut short
static double worst[LAWS];
static long worst_row[LAWS], checked[LAWS];

static void note(int law, long row, double error)
{
    checked[law]++;
    if (!(error <= worst[law])) {
        worst[law] = isnan(error) ? (double)INFINITY : error;
        worst_row[law] = row;
    }
}

// ---------------------------------------------------------------------------------------------
// laws

static void plane_of(const body *p, vec n, double *d)
{
    mat R;
    rotation(R, p->q);
    times(n, R, p->size);
    *d = p->offset + dot(n, p->x);
}

static void check_frame(const contact *c, const char *owner, long row, const vec n, const vec n_u, const body *B)
{
    mat R;
    vec e = { 0, 0, 0 }, t, given_n, given_t;
    static const char *const names[6] = { "nx", "ny", "nz", "tx", "ty", "tz" };
    for (int i = 0; i < 3; i++) {
        given_n[i] = sf_cell(&csv, row, owner, names[i]);
        given_t[i] = sf_cell(&csv, row, owner, names[3 + i]);
    }
    const double least = fmin(fabs(n_u[0]), fmin(fabs(n_u[1]), fabs(n_u[2])));
    for (int i = 2; i >= 0; i--) {
        if (fabs(n_u[i]) <= least + 1e-6) {
            e[0] = e[1] = e[2] = 0.0;
            e[i] = 1.0;
        }
    }
    rotation(R, B->q);
    if (c->has_axis) {
        times(e, R, c->axis);
    }
    add(t, e, -dot(n, e), n);
    const double k = norm(t);
    for (int i = 0; i < 3; i++) {
        note(FRAME, row, fabs(given_n[i] - n[i]));
        note(FRAME, row, fabs(given_t[i] - t[i] / k));
    }
}

typedef struct values {
    double mode, patch, gap, pn, pt, po, pr, sigma, edge, reserve;
    vec a, n, t, o;
} values;

static values read_values(const char *owner, long row)
{
    static const char *const names[19] = { "mode", "patch", "ax", "ay", "az", "nx", "ny", "nz", "tx", "ty",
                                           "tz", "gap", "pn", "pt", "po", "pr", "sigma", "edge", "reserve" };
    values v;
    double *const to[19] = { &v.mode, &v.patch, &v.a[0], &v.a[1], &v.a[2], &v.n[0], &v.n[1], &v.n[2], &v.t[0], &v.t[1],
                             &v.t[2], &v.gap, &v.pn, &v.pt, &v.po, &v.pr, &v.sigma, &v.edge, &v.reserve };
    for (int i = 0; i < 19; i++) {
        *to[i] = sf_cell(&csv, row, owner, names[i]);
    }
    cross(v.o, v.n, v.t);
    return v;
}

// velocity of a body's point
static void point_velocity(vec out, const body *b, const vec a)
{
    vec r;
    add(r, a, -1.0, b->x);
    cross(out, b->w, r);
    add(out, out, 1.0, b->v);
}

static void check_friction(const contact *c, const values *v, const vec a, long row, const body *A, const body *B,
                           double MU, double U)
{
    vec va, vb, vc, w;
    point_velocity(va, A, a);
    point_velocity(vb, B, a);
    add(vc, va, -1.0, vb);
    add(w, A->w, -1.0, B->w);
    const double phat[3] = { v->pt / c->e[0], v->po / c->e[1], c->e[2] > 0.0 ? v->pr / c->e[2] : 0.0 };
    const double vhat[3] = { c->e[0] * dot(v->t, vc), c->e[1] * dot(v->o, vc), c->e[2] * dot(v->n, w) };
    const double p = norm(phat), slip = norm(vhat);
    note(CONE, row, (p - c->mu * v->pn) / MU);
    note(CONE, row, c->e[2] > 0.0 ? 0.0 : fabs(v->pr) / MU);
    if (!(v->pn > 0.0)) {
        return;
    }
    note(SLIP, row, fabs(v->sigma - slip) / U);
    // Proj(phat - vhat) = phat with rho = 1 in units of MU and U: stick, slip and between in one
    double q[3], r[3];
    for (int i = 0; i < 3; i++) {
        q[i] = phat[i] / MU - vhat[i] / U;
    }
    const double bound = c->mu * v->pn / MU, k = norm(q) > bound ? bound / norm(q) : 1.0;
    for (int i = 0; i < 3; i++) {
        r[i] = k * q[i] - phat[i] / MU;
    }
    note(SLIP, row, c->e[2] > 0.0 ? norm(r) : hypot(r[0], r[1]));
    note(MODE, row, v->mode > 0.0 && slip > 3.0 * slip_limit * U && v->mode < 2.0);
    note(MODE, row, v->mode > 1.0 && slip < 0.3 * slip_limit * U);
    note(MODE, row, v->mode > 2.0);
    note(RESERVE, row, fabs(v->reserve - (v->mode > 1.0 || !(c->mu > 0.0) ? 0.0 : fmax(0.0, 1.0 - p / (c->mu * v->pn)))));
}

static void check_patch(const values *v, long row, const body *b, const vec n, const touching *s)
{
    double edge;
    const int patch = patch_of(s, b, n, v->a, &edge);
    if (v->mode > 0.0 && s->doubtful > 0.5) {
        note(PATCH, row, fabs(v->patch - patch));
        note(EDGE, row, fabs(v->edge - edge) / b->radius);
    }
    if (!(v->mode > 0.0)) {
        note(MODE, row, fabs(v->pn) + fabs(v->pt) + fabs(v->po) + fabs(v->pr) + fabs(v->sigma) + fabs(v->edge) +
                            fabs(v->reserve) + fabs(v->patch));
    }
}

static bool plane_like(const body *b)
{
    return strcmp(b->shape, "halfspace") == 0;
}

// the wrench of a contact on its bodies: what B does to A, the opposite on B, at one point
static void add_wrench(const contact *c, const values *v, const body *now, vec P[16], vec M[16])
{
    vec S, r;
    for (int i = 0; i < 3; i++) {
        S[i] = v->pn * v->n[i] + v->pt * v->t[i] + v->po * v->o[i];
    }
    for (int k = 0; k < 2; k++) {
        const int i = k == 0 ? c->a : c->b;
        const double sign = k == 0 ? 1.0 : -1.0;
        add(r, v->a, -1.0, now[i].x);
        cross(r, r, S);
        add(r, r, v->pr, v->n);
        add(P[i], P[i], sign, S);
        add(M[i], M[i], sign, r);
    }
}

// distance of two bodies along n: the lowest point of A above the highest of B
static double gap_along(const body *A, const body *B, const vec n)
{
    touching a, b;
    vec back;
    for (int i = 0; i < 3; i++) {
        back[i] = -n[i];
    }
    touch_body(&a, A, n, 0.0);
    touch_body(&b, B, back, 0.0);
    return a.low + b.low;
}

// two bounded bodies: the normal of a contact that presses separates them, and both have the ECP
static void check_pair(int k, long row, const body *now, double U, vec P[16], vec M[16])
{
    const contact *c = &contacts[k];
    const body *A = &now[c->a], *B = &now[c->b];
    const bool a_moves = strcmp(A->kind, "dynamic") == 0, b_moves = strcmp(B->kind, "dynamic") == 0;
    const double m = !b_moves ? A->mass : (a_moves ? fmin(A->mass, B->mass) : B->mass);
    const double L = fmin(A->radius, B->radius);
    char owner[16];
    (void)snprintf(owner, sizeof owner, "c%d", k);
    const values v = read_values(owner, row);
    const double gap = gap_along(A, B, v.n);
    note(FRAME, row, fabs(norm(v.n) - 1.0));
    note(FRAME, row, fabs(norm(v.t) - 1.0));
    note(FRAME, row, fabs(dot(v.n, v.t)));
    // along any normal there is no more than the true gap
    note(GAP, row, (gap - v.gap) / L);
    note(GAP, row, v.gap > 0.0 || v.mode > 0.0 ? fabs(v.gap - gap) / L : 0.0);
    note(DEPTH, row, -v.gap / L);
    note(PRESS, row, -v.pn / (m * U));
    note(PRESS, row, v.pn > 1e-9 * m * U ? fabs(gap) / L : 0.0);
    if (v.pn > 1e-9 * m * U) {
        touching s;
        vec outside, zero = { 0, 0, 0 };
        touch_body(&s, A, v.n, dot(v.n, v.a));
        note(POINT, row, fabs(s.low) / L);
        add(outside, zero, -1.0, v.n);
        touch_body(&s, B, outside, -dot(v.n, v.a));
        note(POINT, row, fabs(s.low + gap) / L);
    }
    note(MODE, row, v.mode > 0.0 ? (v.patch < 1.0 || v.patch > 3.0) : fabs(v.pn) + fabs(v.pt) + fabs(v.po) + fabs(v.pr) +
                            fabs(v.sigma) + fabs(v.edge) + fabs(v.reserve) + fabs(v.patch));
    if (row > 0) {
        check_friction(c, &v, v.a, row, A, B, m * U, U);
        add_wrench(c, &v, now, P, M);
    }
}

// one contact of one row; adds its wrench to both bodies
static void check_contact(int k, long row, const body *u, const body *now, double U, vec P[16], vec M[16])
{
    const contact *c = &contacts[k];
    const bool swapped = strcmp(bodies[c->a].shape, "halfspace") == 0;
    const int moving = swapped ? c->b : c->a, ground = swapped ? c->a : c->b;
    const body *b = &now[moving];
    char owner[16];
    vec n, n_u, N, S, r, a;
    double d, d_u;
    touching s;
    static touching s_u;
    (void)snprintf(owner, sizeof owner, "c%d", k);
    const values v = read_values(owner, row);
    plane_of(&now[ground], n, &d);
    plane_of(&u[ground], n_u, &d_u);
    touch_body(&s, b, n, d);
    touch_body(&s_u, &u[moving], n_u, d_u);
    for (int i = 0; i < 3; i++) {
        N[i] = swapped ? -n[i] : n[i];
    }
    // an axis fixed in a body that moves by forces is taken at the start of the step
    check_frame(c, owner, row, N, n_u, swapped ? &u[c->b] : &now[c->b]);
    note(GAP, row, fabs(v.gap - s.low) / b->radius);
    const double least = fmin(0.0, s_u.low + h * v_rec * b->radius);
    note(DEPTH, row, row > 0 ? (least - s.low) / b->radius : 0.0);
    note(PRESS, row, -v.pn / (b->mass * U));
    note(PRESS, row, v.pn > 1e-9 * b->mass * U ? (s.low - least) / b->radius : 0.0);
    note(POINT, row, fabs(dot(n, v.a) - d - (swapped ? 0.0 : s.low)) / b->radius);
    check_patch(&v, row, b, n, &s);
    if (row == 0) {
        return;
    }
    // where the impulse acts: the point of the moving body, B's is a - gap n
    add(a, v.a, swapped ? -v.gap : 0.0, v.n);
    check_friction(c, &v, a, row, &now[c->a], &now[c->b], b->mass * U, U);
    for (int i = 0; i < 3; i++) {
        S[i] = v.pn * v.n[i] + v.pt * v.t[i] + v.po * v.o[i];
    }
    const double sign = swapped ? -1.0 : 1.0;
    add(r, a, -1.0, b->x);
    cross(r, r, S);
    add(r, r, v.pr, v.n);
    add(P[moving], P[moving], sign, S);
    add(M[moving], M[moving], sign, r);
}

static void check_body(int i, long row, const body *u, const body *now, const vec P, const vec M, double U)
{
    const body *b = &bodies[i];
    double load[6] = { 0 }, q[4];
    mat I, J;
    vec Iw, rhs, dw, w;
    loads(load, &u[i], row - 1);
    for (int c = 0; c < 3; c++) {
        const double push = h * b->mass * gravity[c] + load[c] + P[c];
        const double change = b->mass * (now[i].v[c] - u[i].v[c]);
        note(FORCE, row, fabs(change - (b->locked[c] ? 0.0 : push)) / (b->mass * U));
        note(POSE, row, fabs(now[i].x[c] - u[i].x[c] - h * now[i].v[c]) / (b->radius + fabs(now[i].x[c])));
    }
    // J (w_f - w) = tau - h w x I w;  J = I + h ([w]x I - [I w]x)
    world_inertia(I, b, u[i].q);
    times(Iw, I, u[i].w);
    cross(rhs, u[i].w, Iw);
    for (int j = 0; j < 3; j++) {
        vec column, e = { j == 0, j == 1, j == 2 }, a;
        times(a, I, e);
        cross(column, u[i].w, a);
        cross(a, Iw, e);
        for (int r = 0; r < 3; r++) {
            J[r][j] = I[r][j] + h * (column[r] - a[r]);
        }
        rhs[j] = load[3 + j] - h * rhs[j];
    }
    solve(dw, J, rhs, &b->locked[3]);
    add(w, u[i].w, 1.0, dw);
    solve(dw, I, M, &b->locked[3]);
    add(w, w, 1.0, dw);
    for (int c = 0; c < 3; c++) {
        note(TORQUE, row, b->radius * fabs(now[i].w[c] - (b->locked[3 + c] ? 0.0 : w[c])) / U);
    }
    cayley(q, now[i].w, u[i].q);
    double same = 0.0, opposite = 0.0;
    for (int c = 0; c < 4; c++) {
        same = fmax(same, fabs(q[c] - now[i].q[c]));
        opposite = fmax(opposite, fabs(q[c] + now[i].q[c]));
    }
    note(POSE, row, fmin(same, opposite));
}

static void check_energy(long row, const body *now)
{
    double sum = 0.0, scale = 0.0;
    for (int i = 0; i < body_count; i++) {
        mat I;
        vec Iw;
        if (strcmp(bodies[i].kind, "dynamic") != 0) {
            continue;
        }
        world_inertia(I, &bodies[i], now[i].q);
        times(Iw, I, now[i].w);
        const double kinetic = (bodies[i].mass * dot(now[i].v, now[i].v) + dot(now[i].w, Iw)) / 2;
        const double potential = -bodies[i].mass * dot(gravity, now[i].x);
        sum += kinetic + potential;
        scale += kinetic + fabs(potential);
    }
    note(ENERGY, row, fabs(sum - sf_cell(&csv, row, "", "energy")) / fmax(scale, 1e-30));
}

// nondimensional speed of a step: what can move in it
static double speed_of(const body *u, const body *now)
{
    double U = h * norm(gravity);
    for (int i = 0; i < body_count; i++) {
        const double r = strcmp(bodies[i].shape, "halfspace") == 0 ? 0.0 : bodies[i].radius;
        U = fmax(U, norm(u[i].v) + r * norm(u[i].w));
        U = fmax(U, norm(now[i].v) + r * norm(now[i].w));
    }
    for (int i = 0; i < body_count; i++) {
        U = fmax(U, strcmp(bodies[i].kind, "dynamic") == 0 ? 1e-9 * bodies[i].radius / h : 0.0);
    }
    return U;
}

static void check_row(long row)
{
    static body u[16], now[16];
    vec P[16] = { { 0 } }, M[16] = { { 0 } };
    double least = 0.0;
    for (int i = 0; i < body_count; i++) {
        state_at(&u[i], i, row > 0 ? row - 1 : 0);
        state_at(&now[i], i, row);
    }
    const double U = speed_of(u, now), t = sf_cell(&csv, row, "", "t");
    note(TIME, row, t < (double)row * h || t > (double)row * h);
    check_energy(row, now);
    // sums over substeps and fractions of a motion are not of this form; and what turns by its own
    // velocity has then turned in smaller parts, which the columns do not tell
    if (row > 0 && sf_cell(&csv, row, "", "status") > 0.0) {
        split = true;
        return;
    }
    for (int i = 0; i < body_count; i++) {
        if (split && strcmp(bodies[i].kind, "kinematic") == 0 && norm(bodies[i].w) > 0.0) {
            return;
        }
    }
    for (int k = 0; k < contact_count; k++) {
        char owner[16];
        (void)snprintf(owner, sizeof owner, "c%d", k);
        if (plane_like(&bodies[contacts[k].a]) || plane_like(&bodies[contacts[k].b])) {
            check_contact(k, row, u, now, U, P, M);
        } else {
            check_pair(k, row, now, U, P, M);
        }
        const double gap = sf_cell(&csv, row, owner, "gap");
        least = k == 0 ? gap : fmin(least, gap);
    }
    note(GAP, row, fabs(least - sf_cell(&csv, row, "", "gap_min")));
    for (int i = 0; row > 0 && i < body_count; i++) {
        if (strcmp(bodies[i].kind, "dynamic") == 0) {
            check_body(i, row, u, now, P[i], M[i], U);
        }
    }
}

// FNV-1a over the bits of the states after every step, least significant byte first, as `ecp run --hash`
static uint64_t hash_rows(bool single)
{
    static const char *const names[13] = { "px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz" };
    uint64_t hash = UINT64_C(14695981039346656037);
    for (long row = 1; row < csv.rows; row++) {
        for (int k = 0; k < 13 * body_count; k++) {
            const body *b = &bodies[k / 13];
            if (strcmp(b->kind, "dynamic") != 0) {
                continue;
            }
            const double x = sf_cell(&csv, row, b->name, names[k % 13]);
            const float f = (float)x;
            uint64_t bits = 0;
            uint32_t short_bits;
            memcpy(&short_bits, &f, sizeof f);
            memcpy(&bits, &x, sizeof x);
            bits = single ? short_bits : bits;
            for (int i = 0; i < (single ? 4 : 8); i++) {
                hash = (hash ^ (bits >> 8 * i & 255u)) * UINT64_C(1099511628211);
            }
        }
    }
    return hash;
}

int main(int argc, char **argv)
{
    bool ok = argc == 4;
    if (!ok) {
        sf_fail("usage:", "csv_check SCENARIO CSV 32|64");
    }
    const bool single = strcmp(argv[3], "32") == 0;
    touch = single ? 1e-4 : 1e-7;
    slip_limit = single ? 1e-4 : 1e-6;
    read_scene(argv[1]);
    sf_csv_read(&csv, argv[2]);
    for (long row = 0; row < csv.rows; row++) {
        check_row(row);
    }
    for (int law = 0; law < LAWS; law++) {
        // 1e-8 of the scale; the ECP of a contact that hardly presses is known to the tolerance of the
        // solver over its impulse only
        const double tolerance = single ? 2e-3 : law == POINT || law == EDGE ? 1e-6 : 1e-8;
        const bool within = worst[law] <= tolerance;
        printf("%-18s %9.2e row %-6ld %8ld checks%s\n", law_names[law], worst[law], worst_row[law], checked[law],
               within ? "" : "  VIOLATED");
        ok = ok && within;
    }
    printf("hash: %016" PRIx64 "\n", hash_rows(single));
    return ok ? 0 : 1;
}
