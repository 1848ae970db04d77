// mesh.h - bounded shapes as flat faces, for drawing only.
#ifndef ECP_TOOL_MESH_H
#define ECP_TOOL_MESH_H

#include "geometry.h"

typedef struct mesh_edge {
    int a, b;     ///< vertices
    int f, g;     ///< faces on its two sides
    bool feature; ///< drawn wherever it can be seen; others only as an outline
} mesh_edge;

typedef struct mesh {
    int vertex_count, face_count, edge_count, index_count;
    vec *vertices; ///< body frame
    int *first;    ///< face i has the vertices index[first[i]] .. index[first[i + 1] - 1],
    int *index;    ///< counter-clockwise seen from outside
    mesh_edge *edges;
} mesh;

/// A half-space has no faces.
void mesh_make(mesh *m, const ecp_shape *shape);
void mesh_free(mesh *m);

#endif
