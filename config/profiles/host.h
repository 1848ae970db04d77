// host: double, everything on, roomy: desktop and real-time Linux.
#ifndef ECP_REAL_BITS
#define ECP_REAL_BITS 64
#endif
#ifndef ECP_MAX_BODIES
#define ECP_MAX_BODIES 32
#endif
#ifndef ECP_MAX_CONTACTS
#define ECP_MAX_CONTACTS 48
#endif
#ifndef ECP_MAX_FACETS
#define ECP_MAX_FACETS 64
#endif
#ifndef ECP_MAX_PIECES
#define ECP_MAX_PIECES 16
#endif
#ifndef ECP_MAX_ITERATIONS
#define ECP_MAX_ITERATIONS 512
#endif
#ifndef ECP_MAX_SUBSTEPS
#define ECP_MAX_SUBSTEPS 8
#endif
#ifndef ECP_WITH_TREE
#define ECP_WITH_TREE 1
#endif
#ifndef ECP_WITH_POINTS
#define ECP_WITH_POINTS 1
#endif
