// m4f: float, for cores with a single-precision unit (Cortex-M4F).
#ifndef ECP_REAL_BITS
#define ECP_REAL_BITS 32
#endif
#ifndef ECP_MAX_BODIES
#define ECP_MAX_BODIES 6
#endif
#ifndef ECP_MAX_CONTACTS
#define ECP_MAX_CONTACTS 6
#endif
#ifndef ECP_MAX_FACETS
#define ECP_MAX_FACETS 24
#endif
#ifndef ECP_MAX_PIECES
#define ECP_MAX_PIECES 4
#endif
#ifndef ECP_MAX_ITERATIONS
#define ECP_MAX_ITERATIONS 96
#endif
#ifndef ECP_MAX_SUBSTEPS
#define ECP_MAX_SUBSTEPS 8
#endif
#ifndef ECP_WITH_TREE
#define ECP_WITH_TREE 0
#endif
#ifndef ECP_WITH_POINTS
#define ECP_WITH_POINTS 1
#endif
