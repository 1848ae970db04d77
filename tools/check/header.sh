#!/bin/sh
# header.sh CC LIB PROFILE: the public header compiles alone, as C11 and as C++17, without warnings, and a
# C++ program that uses its macros and calls the library links and runs.
cc=$1; lib=$2; profile=$3
cxx=${CXX:-$(command -v g++ || command -v clang++)}
warn="-Wall -Wextra -Werror -pedantic -Iconfig -Icore -DECP_PROFILE=$profile"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo '#include "ecp.h"' > "$tmp/alone.c"
cp "$tmp/alone.c" "$tmp/alone.cpp"
$cc -std=c11 $warn -Wconversion -Wundef -Wmissing-prototypes -fsyntax-only "$tmp/alone.c" || exit 1
if [ -z "$cxx" ]; then
    echo "header: ok as C11; no C++ compiler here"
    exit 0
fi
$cxx -std=c++17 $warn -fsyntax-only "$tmp/alone.cpp" || exit 1
cat > "$tmp/caller.cpp" <<'C'
#include "ecp.h"
static ecp_world world;
static const ecp_shape shapes[] = { ECP_HALFSPACE(0, 0, 1, 0), ECP_BOX(1, 2, 3), ECP_SPHERE(1), ECP_ELLIPSOID(1, 2, 3),
                                    ECP_CYLINDER(1, 2), ECP_CONE(1, 2) };
int main()
{
    ecp_settings settings = {};
    int bad = ecp_world_init(&world, &settings) != ECP_OK;
    for (const ecp_shape &shape : shapes) {
        bad += shape.kind != ECP_SHAPE_HALFSPACE && ecp_shape_check(&shape, nullptr) != ECP_OK;
    }
    ecp_body_def ball = {};
    ball.kind = ECP_DYNAMIC;
    ball.shape = &shapes[2];
    ball.mass = 1;
    ball.state.orientation.w = 1;
    bad += ecp_add_body(&world, &ball, nullptr) != ECP_OK;
    return bad + (ecp_step(&world, static_cast<ecp_real>(0.01), nullptr) != ECP_OK);
}
C
$cxx -std=c++17 $warn "$tmp/caller.cpp" "$lib" -lm -o "$tmp/caller" && "$tmp/caller" || { echo "header: the C++ program fails"; exit 1; }
echo "header: ok"
