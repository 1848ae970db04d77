#!/bin/sh
# dist.sh BUILD VERSION CC: unpacks every archive of BUILD/dist into a temporary folder and builds with nothing
# else: the README's example and a run whose hash is known, on the host and on a Cortex-M under QEMU.
set -eu
build=$(cd "$1" && pwd) version=$2 cc=$3
root=$(pwd)
. tools/packaging/check/common.sh
strict="-std=c11 -O2 -Wall -Wextra -Werror -Wconversion -Wdouble-promotion -Wundef -Wmissing-prototypes
-Wstrict-prototypes -Wshadow -pedantic"

double_hash=$(hash_of "$build/ecp")
float_hash=$(hash_of "$build/host/m4f/ecp")
case $("$build/ecp" --version) in
*64-bit*) ;;
*) echo "dist: expected a build in double, as PROFILE=host" >&2; exit 2 ;;
esac
hash_for() { case $1 in m4f | tiny) echo "$float_hash" ;; *) echo "$double_hash" ;; esac; }
(cd "$build/dist" && sha256sum -c --quiet SHA256SUMS)

unpack() {
    tar -xzf "$build/dist/$1.tar.gz" -C "$tmp"
    (cd "$tmp/$1" && sha256sum -c --quiet MANIFEST.sha256)
}

two_files_on_host() {
    unpack "ecpredict-$version-$1"
    dir=$tmp/ecpredict-$version-$1
    readme_example > "$dir/readme.c"
    (cd "$dir" && $cc $strict -c ecp.c -o ecp.o && $cc -O2 -I. readme.c ecp.o -lm -o readme && ./readme > readme.txt)
    # with whatever the compiler does by default, and more
    (cd "$dir" && $cc -O3 -march=native -I. example/cube_slide.c example/main.c ecp.c -lm -o slide 2>/dev/null ||
        $cc -O3 -I. example/cube_slide.c example/main.c ecp.c -lm -o slide)
    same "two files, $1, host: $(cat "$dir/readme.txt")" "$(hash_for "$1")" "$("$dir/slide")"
}

# QEMU passes the exit status of the program through
emulate() {
    timeout -k 2 60 qemu-system-arm -M "$1" -display none -monitor none -nodefaults -serial null \
        -semihosting-config enable=on,target=native -kernel "$2" </dev/null 2>/dev/null
}
two_files_on_cortex_m() {
    profile=$1 machine=$2
    shift 2
    dir=$tmp/ecpredict-$version-$profile
    check=$root/tools/packaging/check/cortex_m
    link="$* -O2 -nostartfiles --specs=rdimon.specs -T $check/mps2.ld -Wl,--no-warn-rwx-segments"
    (cd "$dir" && arm-none-eabi-gcc $link -I. "$check/start.c" readme.c ecp.c -lm -o readme.elf &&
        arm-none-eabi-gcc $link -I. "$check/start.c" example/cube_slide.c example/main.c ecp.c -lm -o slide.elf)
    emulate "$machine" "$dir/readme.elf" > "$dir/target.txt"
    cmp -s "$dir/target.txt" "$dir/readme.txt" ||
        { echo "FAIL README example on $machine: $(cat "$dir/target.txt"); expected $(cat "$dir/readme.txt")"; exit 1; }
    same "two files, $profile, $machine: $(cat "$dir/target.txt")" "$(hash_for "$profile")" \
        "$(emulate "$machine" "$dir/slide.elf")"
}

sources() {
    unpack "ecpredict-$version"
    dir=$tmp/ecpredict-$version
    (cd "$dir" && make -s CC="$cc" >/dev/null && readme_example > "$tmp/readme.c" &&
        $cc -Icore -Iconfig "$tmp/readme.c" build/libecp.a -lm -o "$tmp/readme")
    cmp -s "$tmp/ecpredict-$version-host/readme.txt" - <<END || { echo "FAIL README example of the sources"; exit 1; }
$("$tmp/readme")
END
    same "source archive, host" "$double_hash" \
        "$(cd "$dir" && build/ecp run tools/scenarios/cube_slide.toml --hash --quiet)"
}

for profile in host m7 m4f tiny; do
    two_files_on_host $profile
done
if have arm-none-eabi-gcc qemu-system-arm; then
    two_files_on_cortex_m m4f mps2-an386 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
    two_files_on_cortex_m m7 mps2-an500 -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard
fi
sources
if have arm-none-eabi-gcc qemu-system-arm; then
    board="-s -f firmware/image.mk BOARD=mps2-an386 OUT=build/image"
    (cd "$tmp/ecpredict-$version" && make -s fw-host-m4f >/dev/null && make $board build/image/predict.elf >/dev/null)
    same "source archive, mps2-an386" "$float_hash" \
        "$(cd "$tmp/ecpredict-$version" && make $board run-predict 2>/dev/null | sed 's/.*, hash/hash/')"
fi
echo "dist: $passed passed, 0 failed"
