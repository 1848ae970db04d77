#include "fmu_model.h"

#include <math.h>

bool fmu_start(fmu_model *m, const scene_data *scene, double h)
{
    m->scene = scene;
    m->h = h;
    m->start = 0.0;
    m->step = 0;
    for (int i = 0; i < ECP_MAX_BODIES; i++) {
        for (int j = 0; j < FMU_INPUTS; j++) {
            m->input[i][j] = 0;
        }
    }
    if (scene_init(scene, &m->world) < 0 || ecp_observe(&m->world, &m->report) < 0) {
        return false;
    }
    // nothing has acted yet, whatever touches
    for (int k = 0; k < m->report.contact_count; k++) {
        m->report.contact[k].mode = ECP_OPEN;
        m->report.contact[k].patch = 0;
        m->report.contact[k].edge = m->report.contact[k].reserve = 0;
    }
    return true;
}

double fmu_time(const fmu_model *m)
{
    return m->start + (double)m->step * m->h;
}

// ---------------------------------------------------------------------------------------------
// variables

static double body_value(const fmu_model *m, int body, uint32_t n)
{
    ecp_state s;
    if (n < FMU_INPUTS) {
        return (double)m->input[body][n];
    }
    if (ecp_get_state(&m->world, body, &s) < 0) {
        return 0.0;
    }
    const ecp_real values[FMU_BODY_VALUES - FMU_INPUTS] = {
        s.position.x,    s.position.y,    s.position.z,         s.orientation.w,
        s.orientation.x, s.orientation.y, s.orientation.z,      s.velocity.x,
        s.velocity.y,    s.velocity.z,    s.angular_velocity.x, s.angular_velocity.y,
        s.angular_velocity.z
    };
    return (double)values[n - FMU_INPUTS];
}

static double contact_value(const ecp_contact_report *c, uint32_t n)
{
    const ecp_real values[FMU_CONTACT_VALUES] = {
        (ecp_real)c->mode, (ecp_real)c->patch, c->a.x, c->a.y, c->a.z, c->n.x, c->n.y,
        c->n.z,            c->t.x,             c->t.y, c->t.z, c->gap, c->pn,  c->pt,
        c->po,             c->pr,              c->sigma, c->edge, c->reserve
    };
    return (double)values[n];
}

// place and number of a reference above the head; false: a gap between them
static bool split(uint32_t reference, uint32_t first, uint32_t values, int count, int *place, uint32_t *n)
{
    const uint32_t offset = reference - first;
    *place = (int)(offset / FMU_STRIDE);
    *n = offset % FMU_STRIDE;
    return *place < count && *n < values;
}

static bool body_of(const fmu_model *m, uint32_t reference, int *body, uint32_t *n)
{
    return reference >= FMU_BODY && reference < FMU_CONTACT &&
           split(reference, FMU_BODY, FMU_BODY_VALUES, m->scene->body_count, body, n) &&
           m->scene->bodies[*body].kind == ECP_DYNAMIC;
}

bool fmu_get(const fmu_model *m, uint32_t reference, double *value)
{
    const double head[] = { fmu_time(m), (double)m->report.residual, (double)m->report.gap_min,
                            (double)ecp_energy(&m->world) };
    int place;
    uint32_t n;
    if (reference <= FMU_ENERGY) {
        *value = head[reference];
    } else if (body_of(m, reference, &place, &n)) {
        *value = body_value(m, place, n);
    } else if (reference >= FMU_CONTACT &&
               split(reference, FMU_CONTACT, FMU_CONTACT_VALUES, m->report.contact_count, &place, &n) &&
               n >= FMU_CONTACT_INTEGERS) {
        *value = contact_value(&m->report.contact[place], n);
    } else {
        return false;
    }
    return true;
}

bool fmu_get_integer(const fmu_model *m, uint32_t reference, int32_t *value)
{
    int place;
    uint32_t n;
    if (reference == FMU_STATUS) {
        *value = (int32_t)m->report.status;
    } else if (reference == FMU_ITERATIONS) {
        *value = (int32_t)m->report.iterations;
    } else if (reference >= FMU_CONTACT &&
               split(reference, FMU_CONTACT, FMU_CONTACT_INTEGERS, m->report.contact_count, &place, &n)) {
        *value = (int32_t)contact_value(&m->report.contact[place], n);
    } else {
        return false;
    }
    return true;
}

bool fmu_set(fmu_model *m, uint32_t reference, double value)
{
    int body;
    uint32_t n;
    if (!body_of(m, reference, &body, &n) || n >= FMU_INPUTS || !(fabs(value) <= 1e30)) {
        return false;
    }
    m->input[body][n] = (ecp_real)value;
    return true;
}

// ---------------------------------------------------------------------------------------------
// steps

uint32_t fmu_steps(const fmu_model *m, double time, double size)
{
    const double h = m->h, steps = floor(size / h + 0.5);
    const double here = fmu_time(m);
    // times of a master are sums of their own; both may be off by rounding
    const bool whole = steps >= 1.0 && steps < 4e9 && fabs(size - steps * h) <= 1e-6 * h * steps;
    return whole && fabs(time - here) <= 1e-6 * (h + fabs(here)) ? (uint32_t)steps : 0u;
}

// the loads of the scenario, and the inputs on top
static ecp_status load(fmu_model *m)
{
    ecp_status status = scene_load(m->scene, &m->world, m->step);
    for (int i = 0; status >= 0 && i < m->scene->body_count; i++) {
        if (m->scene->bodies[i].kind == ECP_DYNAMIC) {
            const ecp_real *in = m->input[i];
            ecp_real w[FMU_INPUTS];
            (void)scene_wrench_sum(m->scene, i, m->step, w);
            status = ecp_set_wrench(&m->world, i, (ecp_vec3){ w[0] + in[0], w[1] + in[1], w[2] + in[2] },
                                    (ecp_vec3){ w[3] + in[3], w[4] + in[4], w[5] + in[5] });
        }
    }
    return status;
}

ecp_status fmu_step(fmu_model *m)
{
    ecp_status status = load(m);
    if (status >= 0) {
        status = ecp_step(&m->world, m->scene->h, &m->report);
    }
    m->step += status >= 0;
    return status;
}

// ---------------------------------------------------------------------------------------------
// snapshots

static void copy_input(ecp_real to[ECP_MAX_BODIES][FMU_INPUTS], const ecp_real from[ECP_MAX_BODIES][FMU_INPUTS])
{
    for (int i = 0; i < ECP_MAX_BODIES * FMU_INPUTS; i++) {
        (&to[0][0])[i] = (&from[0][0])[i];
    }
}

bool fmu_save(const fmu_model *m, fmu_snapshot *snapshot)
{
    snapshot->step = m->step;
    snapshot->start = m->start;
    snapshot->report = m->report;
    copy_input(snapshot->input, m->input);
    return ecp_save(&m->world, &snapshot->world) >= 0;
}

bool fmu_restore(fmu_model *m, const fmu_snapshot *snapshot)
{
    if (ecp_restore(&m->world, &snapshot->world) < 0) {
        return false;
    }
    m->step = snapshot->step;
    m->start = snapshot->start;
    m->report = snapshot->report;
    copy_input(m->input, snapshot->input);
    return true;
}
