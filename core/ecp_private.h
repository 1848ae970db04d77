// ecp_private.h - the inside of ecp_world. Included by ecp.h only; layout may change.
#ifndef ECP_PRIVATE_H
#define ECP_PRIVATE_H

/// Vertices of one body that may carry impulses of one contact in one solve.
#define ECP_MAX_GENERATORS 8
/// Side planes of the reference face of one contact.
#define ECP_MAX_SIDES (ECP_WITH_PAIRS ? 4 : 1)
/// Unknowns of one contact: normal impulses of its generators, tilts over the sides, three of friction.
#define ECP_CONTACT_UNKNOWNS (ECP_MAX_GENERATORS + ECP_MAX_SIDES + 3)
/// Velocities of the bodies of one contact: I, then R, or only of the one that can move.
#define ECP_CONTACT_COLUMNS (ECP_MAX_MOVING > 1 ? 12 : 6)
/// Unknowns of one island: six velocities of each body and its contacts.
#define ECP_ISLAND_UNKNOWNS (6 * ECP_MAX_MOVING + ECP_MAX_CONTACTS * ECP_CONTACT_UNKNOWNS)

/// Solver memory: vectors of the Newton loop, contacts, bodies and their 6 x 6 blocks.
#define ECP_WORK_REALS (6 * ECP_ISLAND_UNKNOWNS + ECP_MAX_CONTACTS * (504 + 15 * ECP_CONTACT_COLUMNS) + \
                        ECP_MAX_BODIES * 55 + ECP_MAX_MOVING * (6 + ECP_MAX_MOVING * 145 / 4) + 24)

/// What rounding took from velocity and position in earlier steps.
typedef struct ecp_carry {
    ecp_vec3 v, x;
} ecp_carry;

typedef struct ecp_body {
    ecp_body_kind kind;
    const ecp_shape *shape;
    unsigned lock;
    ecp_real mass;
    ecp_real inertia[6];      ///< body frame
    ecp_real radius;          ///< largest distance of a point of the shape from the origin
    ecp_state state;
    ecp_carry carry;
    ecp_vec3 force, torque;   ///< held until changed
    ecp_vec3 impulse, angular_impulse;  ///< act in the next step
} ecp_body;

/// Impulses of the last step by generator: the guess of the next.
typedef struct ecp_warm {
    int count;                               ///< 0: none
    int16_t feature[ECP_MAX_GENERATORS];     ///< generator index in the shape
    ecp_real lam[ECP_MAX_GENERATORS];        ///< N s; a disc uses three
    ecp_real phat[3];
    int16_t incident;                        ///< 1: body A gave the generators, 2: body B
    int16_t facet;                           ///< face of the other one
    int16_t side[ECP_MAX_SIDES];             ///< facets beside it, -1: none
    ecp_real eta[ECP_MAX_SIDES];             ///< tilt of the normal over them
} ecp_warm;

typedef struct ecp_contact {
    int a, b;
    ecp_real mu;
    ecp_real e[3];
    ecp_vec3 axis;
    ecp_warm warm;
} ecp_contact;

struct ecp_world {
    ecp_settings settings;
    const char *error;
    int body_count, contact_count;
    ecp_body body[ECP_MAX_BODIES];
    ecp_contact contact[ECP_MAX_CONTACTS];
    // all that outlives a step stands above this line: a rollout copies it, and nothing below
    /// what a refused step restores
    ecp_state saved_state[ECP_MAX_BODIES];
    ecp_carry saved_carry[ECP_MAX_BODIES];
    ecp_warm saved_warm[ECP_MAX_CONTACTS];
    /// impulses of the step, summed over its substeps, and where they act
    ecp_contact_report result[ECP_MAX_CONTACTS];
    /// solver memory (struct island of core/contact/island.h lives in it; checked there)
    union {
        double align;
        ecp_real reals[ECP_WORK_REALS];
    } work;
};

/// What can change of a body and of a contact; see ecp_save.
typedef struct ecp_body_snapshot {
    ecp_state state;
    ecp_carry carry;
    ecp_vec3 force, torque, impulse, angular_impulse;
    ecp_real mass, inertia[6];
} ecp_body_snapshot;

typedef struct ecp_contact_snapshot {
    ecp_real mu, e[3];
    ecp_warm warm;
} ecp_contact_snapshot;

struct ecp_snapshot {
    uint32_t description;  ///< hash of what must be the same: settings, bodies, contacts
    uint32_t check;        ///< hash of all that follows
    ecp_body_snapshot body[ECP_MAX_BODIES];
    ecp_contact_snapshot contact[ECP_MAX_CONTACTS];
};

#endif
