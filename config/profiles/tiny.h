// tiny: float, one moving body and two contacts, for the smallest parts (Cortex-M0).
#ifndef ECP_REAL_BITS
#define ECP_REAL_BITS 32
#endif
#ifndef ECP_MAX_BODIES
#define ECP_MAX_BODIES 3
#endif
#ifndef ECP_MAX_MOVING
#define ECP_MAX_MOVING 1
#endif
#ifndef ECP_WITH_PAIRS
#define ECP_WITH_PAIRS 0
#endif
#ifndef ECP_MAX_CONTACTS
#define ECP_MAX_CONTACTS 2
#endif
#ifndef ECP_MAX_FACETS
#define ECP_MAX_FACETS 8
#endif
#ifndef ECP_MAX_PIECES
#define ECP_MAX_PIECES 1
#endif
#ifndef ECP_MAX_ITERATIONS
#define ECP_MAX_ITERATIONS 64
#endif
#ifndef ECP_MAX_SUBSTEPS
#define ECP_MAX_SUBSTEPS 8
#endif
#ifndef ECP_WITH_TREE
#define ECP_WITH_TREE 0
#endif
#ifndef ECP_WITH_POINTS
#define ECP_WITH_POINTS 0
#endif
