// Faces of shapes for drawing: closed, outward, of the right size.
#include "test.h"

#include "mesh.h"

static double volume(const mesh *m)
{
    double six = 0.0;
    for (int f = 0; f < m->face_count; f++) {
        const vec a = m->vertices[m->index[m->first[f]]];
        for (int i = m->first[f] + 1; i + 1 < m->first[f + 1]; i++) {
            six += vec_dot(a, vec_cross(m->vertices[m->index[i]], m->vertices[m->index[i + 1]]));
        }
    }
    return six / 6.0;
}

// V - E + F = 2, every edge between two faces, every vertex in the shape, the volume from below
static void check_closed(const ecp_shape *shape, double exact, double missing)
{
    mesh m;
    mesh_make(&m, shape);
    TEST_ASSERT_EQUAL_INT(2, m.vertex_count - m.edge_count + m.face_count);
    TEST_ASSERT_EQUAL_INT(2 * m.edge_count, m.index_count);
    for (int i = 0; i < m.edge_count; i++) {
        TEST_ASSERT_TRUE(m.edges[i].f != m.edges[i].g);
    }
    for (int i = 0; i < m.vertex_count; i++) {
        TEST_ASSERT_TRUE(shape_outside(shape, m.vertices[i]) < (double)TOL(1e-5, 1e-12));
    }
    const double found = volume(&m);
    TEST_ASSERT_TRUE(found <= exact * (1.0 + (double)TOL(1e-5, 1e-12)));
    TEST_ASSERT_TRUE(found >= exact * (1.0 - missing));
    mesh_free(&m);
}

static const double pi = 3.14159265358979323846;

static void test_a_box_has_six_outward_faces_of_its_volume(void)
{
    const ecp_shape box = ECP_BOX(2, 3, 4);
    check_closed(&box, 24.0, 1e-6);
}

// 48 sides: the polygon has sin(a)/a of the area of its circle, a = 2 pi/48, so 0.3 % less
static void test_round_shapes_are_closed_and_lose_little_volume(void)
{
    const ecp_shape cylinder = ECP_CYLINDER(1, 5), cone = ECP_CONE(1, 2);
    const ecp_shape sphere = ECP_SPHERE(2), ellipsoid = ECP_ELLIPSOID(1, 2, 3);
    check_closed(&cylinder, 5.0 * pi, 0.004);
    check_closed(&cone, 2.0 * pi / 3.0, 0.005);
    check_closed(&sphere, 32.0 * pi / 3.0, 0.012);
    check_closed(&ellipsoid, 8.0 * pi, 0.012);
}

static void test_a_polytope_has_one_face_per_plane(void)
{
    // |x| + |y| + |z| <= 1
    const ecp_real s = ECP_R(0.57735026918962576);
    ecp_plane planes[8];
    const ecp_vec3 vertices[6] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    for (int i = 0; i < 8; i++) {
        planes[i] = (ecp_plane){ { i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s }, s };
    }
    const ecp_shape octahedron = ECP_POLYTOPE(8, planes, 6, vertices);
    check_closed(&octahedron, 4.0 / 3.0, 1e-6);
}

static void test_a_halfspace_has_no_faces(void)
{
    const ecp_shape plane = ECP_HALFSPACE(0, 0, 1, 0);
    mesh m;
    mesh_make(&m, &plane);
    TEST_ASSERT_EQUAL_INT(0, m.face_count);
    mesh_free(&m);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_box_has_six_outward_faces_of_its_volume);
    RUN_TEST(test_round_shapes_are_closed_and_lose_little_volume);
    RUN_TEST(test_a_polytope_has_one_face_per_plane);
    RUN_TEST(test_a_halfspace_has_no_faces);
    return UNITY_END();
}
