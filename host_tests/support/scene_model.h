// scene_model.h - a scenario as numbers and the motion of its bodies, for checks that share no code
// with the product: shapes, inertia, loads by step, states by row.
#ifndef ECP_TEST_SCENE_MODEL_H
#define ECP_TEST_SCENE_MODEL_H

#include "scene_file.h"

#include <math.h>

typedef double vec[3];
typedef double mat[3][3];

typedef struct body {
    char name[32], kind[32], shape[32];
    double size[3], offset, mass, radius;
    mat I;
    int points;
    double point[SF_MAX_NUMBERS];
    bool locked[6];
    vec x, v, w;
    double q[4];
} body;

typedef struct contact {
    int a, b;
    double mu, e[3];
    vec axis;
    bool has_axis;
} contact;

static sf_file file;
static sf_csv csv;
static body bodies[16];
static contact contacts[16];
static int body_count, contact_count;
static double h, v_rec = 0.1;
static vec gravity;

// ---------------------------------------------------------------------------------------------
// vectors

static double dot(const vec a, const vec b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double norm(const vec a) { return sqrt(dot(a, a)); }

static void cross(vec out, const vec a, const vec b)
{
    const vec c = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
    memcpy(out, c, sizeof c);
}

static void add(vec out, const vec a, double k, const vec b)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + k * b[i];
    }
}

static void times(vec out, mat M, const vec a)
{
    const vec c = { dot(M[0], a), dot(M[1], a), dot(M[2], a) };
    memcpy(out, c, sizeof c);
}

static void rotation(mat R, const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3], k = 2.0 / (w * w + x * x + y * y + z * z);
    const mat M = { { 1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y) },
                    { k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x) },
                    { k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y) } };
    memcpy(R, M, sizeof M);
}

static void back(vec out, mat R, const vec a)
{
    const vec c = { R[0][0] * a[0] + R[1][0] * a[1] + R[2][0] * a[2],
                    R[0][1] * a[0] + R[1][1] * a[1] + R[2][1] * a[2],
                    R[0][2] * a[0] + R[1][2] * a[1] + R[2][2] * a[2] };
    memcpy(out, c, sizeof c);
}

// world inertia R I R^T
static void world_inertia(mat out, const body *b, const double q[4])
{
    mat R, RI;
    rotation(R, q);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            RI[i][j] = R[i][0] * b->I[0][j] + R[i][1] * b->I[1][j] + R[i][2] * b->I[2][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = dot(RI[i], R[j]);
        }
    }
}

// x of A x = r by Cramer's rule; rows and columns of locked axes replaced by the unit
static void solve(vec x, mat A, const vec r, const bool *locked)
{
    mat M;
    vec b, c[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[i][j] = locked[i] || locked[j] ? (double)(i == j) : A[i][j];
        }
        b[i] = locked[i] ? 0.0 : r[i];
    }
    for (int j = 0; j < 3; j++) {
        cross(c[j], M[(j + 1) % 3], M[(j + 2) % 3]);
    }
    const double det = dot(M[0], c[0]);
    for (int i = 0; i < 3; i++) {
        x[i] = (b[0] * c[0][i] + b[1] * c[1][i] + b[2] * c[2][i]) / det;
    }
}

// Cay(u) q with u = h w/2: (1, u) q, normalised
static void cayley(double out[4], const vec w, const double q[4])
{
    const vec u = { h * w[0] / 2, h * w[1] / 2, h * w[2] / 2 }, p = { q[1], q[2], q[3] };
    vec r;
    cross(r, u, p);
    const double s[4] = { q[0] - dot(u, p), p[0] + q[0] * u[0] + r[0], p[1] + q[0] * u[1] + r[1],
                          p[2] + q[0] * u[2] + r[2] };
    const double k = sqrt((1.0 + dot(u, u)) * (q[0] * q[0] + dot(p, p)));
    for (int i = 0; i < 4; i++) {
        out[i] = s[i] / k;
    }
}

// ---------------------------------------------------------------------------------------------
// the scene

static void box_points(body *b)
{
    for (b->points = 0; b->points < 8; b->points++) {
        for (int c = 0; c < 3; c++) {
            b->point[3 * b->points + c] = (b->points >> c & 1 ? 0.5 : -0.5) * b->size[c];
        }
    }
}

// corners of an intersection of planes: every three of them meet in a point that others allow
static void plane_points(body *b, const double *p, int count)
{
    static const bool none[3] = { false, false, false };
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            for (int k = j + 1; k < count; k++) {
                mat A;
                vec x, n;
                memcpy(A[0], &p[4 * i], sizeof(vec));
                memcpy(A[1], &p[4 * j], sizeof(vec));
                memcpy(A[2], &p[4 * k], sizeof(vec));
                cross(n, A[1], A[2]);
                if (fabs(dot(A[0], n)) < 1e-9) {
                    continue;
                }
                const vec d = { p[4 * i + 3], p[4 * j + 3], p[4 * k + 3] };
                solve(x, A, d, none);
                bool inside = true;
                for (int m = 0; m < count; m++) {
                    inside = inside && dot(&p[4 * m], x) <= p[4 * m + 3] + 1e-9;
                }
                if (inside && b->points < SF_MAX_NUMBERS / 3) {
                    memcpy(&b->point[3 * b->points++], x, sizeof x);
                }
            }
        }
    }
}

static void read_shape(body *b, const sf_table *t)
{
    double p[SF_MAX_NUMBERS];
    sf_string(t, "shape", 0, b->shape);
    b->offset = sf_number(t, "offset", 0.0);
    if (strcmp(b->shape, "halfspace") == 0) {
        (void)sf_numbers(t, "normal", b->size);
        const double k = norm(b->size);
        for (int c = 0; c < 3; c++) {
            b->size[c] /= k;
        }
    } else if (strcmp(b->shape, "box") == 0) {
        (void)sf_numbers(t, "size", b->size);
        box_points(b);
    } else if (strcmp(b->shape, "hull") == 0) {
        b->points = sf_numbers(t, "points", b->point) / 3;
    } else if (strcmp(b->shape, "facets") == 0) {
        plane_points(b, p, sf_numbers(t, "planes", p) / 4);
    } else if (strcmp(b->shape, "ellipsoid") == 0) {
        (void)sf_numbers(t, "radii", b->size);
    } else {
        const double r = sf_number(t, "radius", 0.0);
        const double sizes[3] = { r, r, sf_number(t, "height", sf_number(t, "length", r)) };
        memcpy(b->size, sizes, sizeof sizes);
    }
}

static void measure(body *b)
{
    const double r = b->size[0], z = b->size[2];
    b->radius = strcmp(b->shape, "cylinder") == 0 ? sqrt(r * r + z * z / 4)
                : strcmp(b->shape, "cone") == 0   ? fmax(0.75 * z, sqrt(r * r + z * z / 16))
                                                  : fmax(r, fmax(b->size[1], z));
    for (int i = 0; i < b->points; i++) {
        b->radius = i ? fmax(b->radius, norm(&b->point[3 * i])) : norm(b->point);
    }
}

// uniform density, where the shape has a formula
static void read_inertia(body *b, const sf_table *t)
{
    const double x = b->size[0], y = b->size[1], z = b->size[2], m = b->mass;
    double I[6] = { 0 };
    const int given = sf_numbers(t, "inertia", I);
    if (given == 0 && strcmp(b->shape, "box") == 0) {
        I[0] = m * (y * y + z * z) / 12, I[1] = m * (x * x + z * z) / 12, I[2] = m * (x * x + y * y) / 12;
    } else if (given == 0 && (strcmp(b->shape, "sphere") == 0 || strcmp(b->shape, "ellipsoid") == 0)) {
        I[0] = m * (y * y + z * z) / 5, I[1] = m * (x * x + z * z) / 5, I[2] = m * (x * x + y * y) / 5;
    } else if (given == 0 && strcmp(b->shape, "cylinder") == 0) {
        I[0] = I[1] = m * (x * x / 4 + z * z / 12), I[2] = m * x * x / 2;
    } else if (given == 0 && strcmp(b->shape, "cone") == 0) {
        I[0] = I[1] = m * (3 * x * x / 20 + 3 * z * z / 80), I[2] = 3 * m * x * x / 10;
    } else if (given == 0) {
        sf_fail("inertia is needed of", b->name);
    }
    const mat full = { { I[0], I[3], I[4] }, { I[3], I[1], I[5] }, { I[4], I[5], I[2] } };
    memcpy(b->I, full, sizeof full);
}

static void read_body(const sf_table *t)
{
    static const char *const axes[6] = { "x", "y", "z", "rx", "ry", "rz" };
    body *b = &bodies[body_count++];
    char word[32];
    sf_string(t, "name", 0, b->name);
    sf_string(t, "kind", 0, b->kind);
    read_shape(b, t);
    measure(b);
    b->q[0] = 1.0;
    (void)sf_numbers(t, "position", b->x);
    (void)sf_numbers(t, "orientation", b->q);
    (void)sf_numbers(t, "velocity", b->v);
    (void)sf_numbers(t, "angular_velocity", b->w);
    if (strcmp(b->kind, "dynamic") != 0) {
        return;
    }
    b->mass = sf_number(t, "mass", 0.0);
    read_inertia(b, t);
    for (int i = 0; i < 6; i++) {
        sf_string(t, "lock", i, word);
        for (int k = 0; k < 6; k++) {
            b->locked[k] = b->locked[k] || strcmp(word, axes[k]) == 0;
        }
    }
}

static int find(const char *name)
{
    int i = 0;
    while (i < body_count && strcmp(bodies[i].name, name) != 0) {
        i++;
    }
    if (i == body_count) {
        sf_fail("no body", name);
    }
    return i;
}

static void read_contact(const sf_table *t)
{
    contact *c = &contacts[contact_count++];
    char word[32];
    sf_string(t, "bodies", 0, word);
    c->a = find(word);
    sf_string(t, "bodies", 1, word);
    c->b = find(word);
    c->mu = sf_number(t, "mu", 0.0);
    (void)sf_numbers(t, "e", c->e);
    c->has_axis = sf_numbers(t, "axis", c->axis) == 3;
}

static void read_scene(const char *path)
{
    sf_read(&file, path);
    h = sf_number(&file.table[0], "h", 0.0);
    v_rec = sf_number(&file.table[0], "recovery_speed", 0.1);
    (void)sf_numbers(&file.table[0], "gravity", gravity);
    for (int i = 1; i < file.count; i++) {
        if (strcmp(file.table[i].name, "body") == 0) {
            read_body(&file.table[i]);
        }
    }
    for (int i = 1; i < file.count; i++) {
        if (strcmp(file.table[i].name, "contact") == 0) {
            read_contact(&file.table[i]);
        }
    }
}

// impulse and angular impulse of all loads on a body in step k that starts in state u
static void loads(double out[6], const body *u, long k)
{
    for (int i = 1; i < file.count; i++) {
        const sf_table *t = &file.table[i];
        char name[32], trigger[32];
        static const char *const parts[2] = { "force", "torque" };
        sf_string(t, "body", 0, name);
        if (strcmp(name, u->name) != 0) {
            continue;
        }
        const bool impulse = strcmp(t->name, "impulse") == 0;
        bool acts = impulse ? k == (long)floor(sf_number(t, "at", -1.0) / h + 0.5)
                            : (double)k >= sf_number(t, "from", 0.0) / h - 1e-6 &&
                                  (double)k < sf_number(t, "to", 0.0) / h - 1e-6;
        sf_string(t, "trigger", 0, trigger);
        if (trigger[0]) {
            const double value = (trigger[0] == 'v' ? u->v : u->w)[trigger[1] - 'x'];
            const double level = atof(strchr(trigger, '=') + 1);
            acts = strchr(trigger, '<') ? value <= level : value >= level;
        }
        const double turn = 2 * acos(-1.0) * sf_number(t, "frequency", 0.0) * (double)k * h;
        for (int p = 0; acts && p < 2; p++) {
            vec f = { 0 }, s = { 0 }, c = { 0 };
            char key[16];
            (void)sf_numbers(t, parts[p], f);
            (void)snprintf(key, sizeof key, "sin_%s", parts[p]);
            (void)sf_numbers(t, key, s);
            (void)snprintf(key, sizeof key, "cos_%s", parts[p]);
            (void)sf_numbers(t, key, c);
            for (int j = 0; j < 3; j++) {
                out[3 * p + j] += (impulse ? 1.0 : h) * (f[j] + sin(turn) * s[j] + cos(turn) * c[j]);
            }
        }
    }
}

// state of a body after row k; what does not move by forces moves by its own velocity
static void state_at(body *out, int i, long row)
{
    static const char *const names[13] = { "px", "py", "pz", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz" };
    *out = bodies[i];
    if (strcmp(out->kind, "dynamic") == 0) {
        double *const to[13] = { &out->x[0], &out->x[1], &out->x[2], &out->v[0], &out->v[1], &out->v[2], &out->w[0],
                                 &out->w[1], &out->w[2], &out->q[0], &out->q[1], &out->q[2], &out->q[3] };
        for (int k = 0; k < 13; k++) {
            *to[k] = sf_cell(&csv, row, out->name, names[k]);
        }
    } else {
        for (long k = 0; k < row; k++) {
            cayley(out->q, out->w, out->q);
            add(out->x, out->x, h, out->v);
        }
    }
}

#endif
