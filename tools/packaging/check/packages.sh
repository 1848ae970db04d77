#!/bin/sh
# packages.sh BUILD VERSION: a program built against the library as each world of packages takes it; every one must
# reach the hash that the command reaches. Zephyr, ESP-IDF, PlatformIO and the Arduino tools are not needed: their
# parts are driven by small stand-ins that offer the documented functions, and their manifests are checked field by
# field.
set -eu
build=$(cd "$1" && pwd) version=$2
cc=${CC:-cc}
root=$(pwd)
. tools/packaging/check/common.sh
case $("$build/ecp" --version) in
*"profile host"*) ;;
*) echo "packages: expected a build with PROFILE=host" >&2; exit 2 ;;
esac
expected=$(hash_of "$build/ecp")
example=$root/tools/packaging/example
check=$root/tools/packaging/check

fail() { echo "FAIL $1"; exit 1; }

# ---------------------------------------------------------------------------------------------
# CMake and pkg-config

project() { # FOLDER LINE...: a project of CMake that builds the example
    mkdir -p "$1"
    { echo 'cmake_minimum_required(VERSION 3.13)'; echo 'project(consumer C)'; shift; printf '%s\n' "$@"
      echo "add_executable(app $example/cube_slide.c $example/main.c)"
      echo 'target_link_libraries(app PRIVATE ecpredict::ecp)'; } > "$tmp/lists"
}
cmake_app() { # FOLDER OPTION...: configure, build and run it
    dir=$1
    shift
    { cmake -S "$dir" -B "$dir/b" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release "$@" &&
        cmake --build "$dir/b" -j2; } > "$dir/log" 2>&1 || { cat "$dir/log" >&2; return 1; }
    "$dir/b/app"
}

make -s install PREFIX="$tmp/usr" >/dev/null

if have cmake; then
    project "$tmp/sub" "add_subdirectory($root/core ecpredict)"
    mv "$tmp/lists" "$tmp/sub/CMakeLists.txt"
    same "CMake, add_subdirectory(core)" "$expected" "$(cmake_app "$tmp/sub")"
    # a profile that is not there is refused by name
    ! cmake -S "$tmp/sub" -B "$tmp/sub/no" -DECP_PROFILE=huge > "$tmp/no.log" 2>&1 &&
        grep -q 'ECP_PROFILE=huge' "$tmp/no.log" || fail "CMake, unknown profile"

    major=${version%%.*}
    next=$((major + 1))
    project "$tmp/find" "find_package(ecpredict $version REQUIRED)"
    mv "$tmp/lists" "$tmp/find/CMakeLists.txt"
    # the installed folder may be moved
    mv "$tmp/usr" "$tmp/moved"
    same "CMake, find_package" "$expected" "$(cmake_app "$tmp/find" -DCMAKE_PREFIX_PATH="$tmp/moved")"
    mv "$tmp/moved" "$tmp/usr"
    project "$tmp/next" "find_package(ecpredict $next.0 REQUIRED)"
    mv "$tmp/lists" "$tmp/next/CMakeLists.txt"
    ! cmake -S "$tmp/next" -B "$tmp/next/b" -DCMAKE_PREFIX_PATH="$tmp/usr" >/dev/null 2>&1 ||
        fail "find_package accepts version $next.0"
fi

if have pkg-config; then
    PKG_CONFIG_PATH=$tmp/usr/lib/pkgconfig
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion ecpredict)" = "$version" ] || fail "pkg-config, version"
    $cc -O2 "$example/cube_slide.c" "$example/main.c" $(pkg-config --cflags --libs ecpredict) -o "$tmp/pc"
    same "pkg-config" "$expected" "$("$tmp/pc")"
fi
same "make install, bin/ecp" "$expected" "$("$tmp/usr/bin/ecp" run tools/scenarios/cube_slide.toml --hash --quiet)"

# two files that use the same names for everything, apart and as one
names=tools/packaging/check/names
strict="-std=c11 -Wall -Wextra -Werror -Wshadow -pedantic -I$build/two/host"
"$build/amalgamate" source $names $names/part/one.c $names/part/two.c > "$tmp/names.c"
$cc $strict -I$names $names/part/one.c $names/part/two.c $names/main.c -o "$tmp/apart"
$cc $strict "$tmp/names.c" $names/main.c -o "$tmp/as_one"
[ "$("$tmp/apart")" = "$("$tmp/as_one")" ] || fail "amalgamate: '$("$tmp/as_one")'; expected '$("$tmp/apart")'"
passed=$((passed + 1))
echo "ok   names used twice: $("$tmp/as_one")"

# the program of the guide compiles as it stands
awk '/^```c$/{on = 1; next} /^```$/{on = 0} on' core/INTEGRATION.md > "$tmp/tick.c"
grep -q ecp_rollout "$tmp/tick.c" || fail "core/INTEGRATION.md has no program"
$cc -std=c11 -Wall -Wextra -Werror -Wconversion -Wdouble-promotion -Wmissing-prototypes -pedantic -Icore -Iconfig \
    -DECP_PROFILE=m4f -c "$tmp/tick.c" -o "$tmp/tick.o"
passed=$((passed + 1))
echo "ok   the program of core/INTEGRATION.md"

# ---------------------------------------------------------------------------------------------
# Zephyr and ESP-IDF: their CMake functions by stand-ins, their options by Kconfig

kconfig_ok() { # every option names a limit of ecp_config.h with the same upper bound
    awk '/^config ECPREDICT_MAX_/{name = substr($2, 11)} /^\trange/ && name {print name, $3; name = ""}' \
        tools/packaging/Kconfig.limits > "$tmp/ranges"
    [ -s "$tmp/ranges" ] || fail "Kconfig.limits has no ranges"
    while read -r name top; do
        grep -q "ECP_$name > $top\$" config/ecp_config.h || fail "Kconfig.limits: ECP_$name is not bounded by $top"
        for lists in tools/packaging/zephyr/CMakeLists.txt tools/packaging/esp_idf/ecpredict/CMakeLists.txt; do
            grep -q "foreach(limit.*\b$name\b" "$lists" || fail "$lists does not pass $name on"
        done
    done < "$tmp/ranges"
    for profile in config/profiles/*.h; do
        name=$(basename "$profile" .h)
        grep -q "default \"$name\"" tools/packaging/Kconfig.limits || fail "Kconfig.limits: no profile $name"
    done
    # only words of the language, tabs before them
    ! grep -nvE '^$|^#|^(config|choice|endchoice|menu|endmenu|if|endif|rsource)( |$)|^	(bool|int|string|prompt|default|range|select|help)( |$)|^	  [^ ]' \
        tools/packaging/Kconfig.limits tools/packaging/zephyr/Kconfig tools/packaging/esp_idf/ecpredict/Kconfig ||
        fail "Kconfig: a line that is none"
}
kconfig_ok
grep -q '^name: ecpredict$' tools/packaging/zephyr/zephyr/module.yml || fail "module.yml: name"
for key in cmake kconfig; do # paths from the folder above zephyr/
    path=$(sed -n "s/^  $key: //p" tools/packaging/zephyr/zephyr/module.yml)
    [ -n "$path" ] && [ -e "tools/packaging/zephyr/$path" ] || fail "module.yml: build.$key names '$path'"
done
for file in tools/packaging/esp_idf/ecpredict/idf_component.yml core/library.json tools/packaging/arduino/library.properties; do
    grep -qE "version\"?[:=] ?\"?$(printf %s "$version" | sed 's/\./\\./g')\"?,?\$" "$file" || fail "$file: version is not $version"
done

if have cmake; then
    for kind in zephyr esp_idf; do
        mkdir -p "$tmp/$kind"
        cp "$check/$kind.cmake" "$tmp/$kind/CMakeLists.txt"
        same "$kind" "$expected" "$(cmake_app "$tmp/$kind" -DROOT="$root" -DEXAMPLE="$example" \
            -DCONFIG_ECPREDICT=y -DCONFIG_ECPREDICT_PROFILE=host -DCONFIG_ECPREDICT_MAX_BODIES=5)"
    done
fi

# ---------------------------------------------------------------------------------------------
# PlatformIO: the manifest's own flags and filter, from its own folder

if have node; then
    node "$check/library_json.js" core/library.json > "$tmp/pio" || fail "core/library.json"
    (cd core && $cc -O2 $(sed -n 's/^flags //p' "$tmp/pio") -DECP_PROFILE=host "$example/cube_slide.c" "$example/main.c" \
        $(sed -n 's/^sources //p' "$tmp/pio") -lm -o "$tmp/pio_app")
    same "PlatformIO" "$expected" "$("$tmp/pio_app")"
fi

# ---------------------------------------------------------------------------------------------
# Arduino: the archive as its IDE unpacks it, the sketch as C++ with a stand-in for the console

arduino() {
    unzip -q "$build/dist/ecpredict-$version-arduino.zip" -d "$tmp/libraries"
    lib=$tmp/libraries/ecpredict
    (cd "$lib" && sha256sum -c --quiet MANIFEST.sha256)
    for field in name version author maintainer sentence paragraph category url architectures includes; do
        grep -q "^$field=." "$lib/library.properties" || fail "library.properties: no $field"
    done
    [ -e "$lib/src/$(sed -n 's/^includes=//p' "$lib/library.properties")" ] || fail "library.properties: includes"
    sketch=$lib/examples/cube_slide
    cp "$check/arduino.h" "$tmp/Arduino.h"
    { echo '#include "Arduino.h"'; cat "$sketch/cube_slide.ino"; cat "$check/arduino_main.inc"; } > "$tmp/sketch.cpp"
    $cc -std=gnu11 -Os -I"$lib/src" -c "$lib/src/ecp.c" -o "$tmp/ecp.o"
    $cc -std=gnu11 -Os -I"$lib/src" -c "$sketch/cube_slide.c" -o "$tmp/cube_slide.o"
    ${CXX:-c++} -std=gnu++11 -Os -I"$tmp" -I"$lib/src" -I"$sketch" "$tmp/sketch.cpp" "$tmp/ecp.o" "$tmp/cube_slide.o" \
        -lm -o "$tmp/sketch"
    "$tmp/sketch"
}
if have unzip "${CXX:-c++}"; then
    same "Arduino" "$(hash_of "$build/host/m4f/ecp")" "hash: $(arduino)"
fi
echo "packages: $passed passed, 0 failed"
