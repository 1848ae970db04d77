// ecp_config.h - every compile-time limit of ecpredict, with default, meaning, cost and range.
//
// Order of precedence: -D on the command line, then the file named in ECP_CONFIG_FILE
// (-DECP_CONFIG_FILE='"my_limits.h"'), then the profile (-DECP_PROFILE=host|m7|m4f|tiny),
// then the defaults below. Values must be plain decimal integers: they become part of the name
// of one symbol, so that an application and a library built with different limits do not link.
#ifndef ECP_CONFIG_H
#define ECP_CONFIG_H

#ifdef ECP_CONFIG_FILE
#include ECP_CONFIG_FILE
#endif

#define ECP_CONFIG_STRING_(x) #x
#define ECP_CONFIG_STRING(x) ECP_CONFIG_STRING_(x)
#ifndef ECP_PROFILE
#define ECP_PROFILE host
#endif
/// Name of the profile, as text.
#define ECP_PROFILE_NAME ECP_CONFIG_STRING(ECP_PROFILE)
#include ECP_CONFIG_STRING(profiles/ECP_PROFILE.h)

/// Width of ecp_real: 32 (float) or 64 (double). Float halves the memory and is the fast type of
/// single-precision cores; double carries the 1e-8 accuracy figures.
#ifndef ECP_REAL_BITS
#define ECP_REAL_BITS 64
#endif
#if ECP_REAL_BITS != 32 && ECP_REAL_BITS != 64
#error "ECP_REAL_BITS must be 32 or 64"
#endif

/// Bodies in a world, fixed and kinematic ones counted. Cost: about 70 reals each.
#ifndef ECP_MAX_BODIES
#define ECP_MAX_BODIES 8
#endif
#if ECP_MAX_BODIES < 1 || ECP_MAX_BODIES > 64
#error "ECP_MAX_BODIES must be in [1, 64]"
#endif

/// Dynamic bodies in a world. Cost: about 110 reals each, and 36 for every pair of them.
#ifndef ECP_MAX_MOVING
#define ECP_MAX_MOVING ECP_MAX_BODIES
#endif
#if ECP_MAX_MOVING < 1 || ECP_MAX_MOVING > ECP_MAX_BODIES
#error "ECP_MAX_MOVING must be in [1, ECP_MAX_BODIES]"
#endif

/// Contact between bounded bodies (1), or with half-spaces only (0). Cost: about 28 KB of code on a
/// Cortex-M, 2 KB of stack and 250 reals each contact.
#ifndef ECP_WITH_PAIRS
#define ECP_WITH_PAIRS 1
#endif
#if ECP_WITH_PAIRS != 0 && ECP_WITH_PAIRS != 1
#error "ECP_WITH_PAIRS must be 0 or 1"
#endif

/// Contacts (pairs of bodies that may touch) in a world. Cost: about 850 reals each.
#ifndef ECP_MAX_CONTACTS
#define ECP_MAX_CONTACTS 8
#endif
#if ECP_MAX_CONTACTS < 1 || ECP_MAX_CONTACTS > 64
#error "ECP_MAX_CONTACTS must be in [1, 64]"
#endif

/// Facets of one convex piece. A polytope of F facets has at most 2 F - 4 vertices, which bounds
/// the loops over vertices. Cost: stack only, about 2 F reals while a report is filled.
#ifndef ECP_MAX_FACETS
#define ECP_MAX_FACETS 16
#endif
#if ECP_MAX_FACETS < 6 || ECP_MAX_FACETS > 256
#error "ECP_MAX_FACETS must be in [6, 256]"
#endif

/// Convex pieces of one body.
#ifndef ECP_MAX_PIECES
#define ECP_MAX_PIECES 1
#endif
#if ECP_MAX_PIECES < 1 || ECP_MAX_PIECES > 64
#error "ECP_MAX_PIECES must be in [1, 64]"
#endif

/// Newton iterations of one step, everything counted (rungs of the ladder and substeps). This is
/// the bound on the time of a step; no memory.
#ifndef ECP_MAX_ITERATIONS
#define ECP_MAX_ITERATIONS 192
#endif
#if ECP_MAX_ITERATIONS < 10 || ECP_MAX_ITERATIONS > 10000
#error "ECP_MAX_ITERATIONS must be in [10, 10000]"
#endif

/// Equal substeps a step may be split into, a power of two.
#ifndef ECP_MAX_SUBSTEPS
#define ECP_MAX_SUBSTEPS 8
#endif
#if ECP_MAX_SUBSTEPS != 1 && ECP_MAX_SUBSTEPS != 2 && ECP_MAX_SUBSTEPS != 4 && \
    ECP_MAX_SUBSTEPS != 8 && ECP_MAX_SUBSTEPS != 16 && ECP_MAX_SUBSTEPS != 32 && \
    ECP_MAX_SUBSTEPS != 64
#error "ECP_MAX_SUBSTEPS must be 1, 2, 4, 8, 16, 32 or 64"
#endif

/// Articulated bodies: 1 compiles them in, 0 leaves them out at no cost.
#ifndef ECP_WITH_TREE
#define ECP_WITH_TREE 0
#endif
#if ECP_WITH_TREE != 0 && ECP_WITH_TREE != 1
#error "ECP_WITH_TREE must be 0 or 1"
#endif

/// Links of all trees together.
#ifndef ECP_MAX_LINKS
#define ECP_MAX_LINKS 16
#endif
#if ECP_MAX_LINKS < 1 || ECP_MAX_LINKS > 64
#error "ECP_MAX_LINKS must be in [1, 64]"
#endif

/// Generalised coordinates of all trees together. Cost: its square in reals.
#ifndef ECP_MAX_DOF
#define ECP_MAX_DOF 24
#endif
#if ECP_MAX_DOF < 1 || ECP_MAX_DOF > 128
#error "ECP_MAX_DOF must be in [1, 128]"
#endif

/// Loop-closing joints.
#ifndef ECP_MAX_JOINTS
#define ECP_MAX_JOINTS 4
#endif
#if ECP_MAX_JOINTS < 1 || ECP_MAX_JOINTS > 32
#error "ECP_MAX_JOINTS must be in [1, 32]"
#endif

/// Point contact models (lcp, no_slip, viscous): 1 compiles them in, 0 leaves them out.
#ifndef ECP_WITH_POINTS
#define ECP_WITH_POINTS 0
#endif
#if ECP_WITH_POINTS != 0 && ECP_WITH_POINTS != 1
#error "ECP_WITH_POINTS must be 0 or 1"
#endif

/// Contact points of the point models, all contacts together.
#ifndef ECP_MAX_POINTS
#define ECP_MAX_POINTS 16
#endif
#if ECP_MAX_POINTS < 1 || ECP_MAX_POINTS > 128
#error "ECP_MAX_POINTS must be in [1, 128]"
#endif

/// Friction directions of one point of the lcp model.
#ifndef ECP_MAX_DIRECTIONS
#define ECP_MAX_DIRECTIONS 8
#endif
#if ECP_MAX_DIRECTIONS != 4 && ECP_MAX_DIRECTIONS != 8
#error "ECP_MAX_DIRECTIONS must be 4 or 8"
#endif

/// Vertices of one convex piece (Euler's bound for ECP_MAX_FACETS facets).
#define ECP_MAX_VERTICES (2 * ECP_MAX_FACETS - 4)

#endif
