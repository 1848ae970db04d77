#!/bin/sh
# newcomer.sh: the three ways in, as somebody new would type them, each timed from its start; prints the README's lines.
set -eu
root=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
start() { begun=$(date +%s.%N); }
done_in() { echo "$1: $(echo "$begun $(date +%s.%N)" | awk '{printf "%.2f minutes", ($2 - $1)/60}')"; }

start
git clone -q "$root" "$tmp/clone"
cd "$tmp/clone"
make -s demo >/dev/null
[ -s build/demo/index.html ]
done_in "clone to first picture (make demo, build/demo/index.html)"

if command -v arm-none-eabi-gcc >/dev/null && command -v qemu-system-arm >/dev/null; then
    start
    git clone -q "$root" "$tmp/board"
    cd "$tmp/board"
    make -s fw-host-m4f >/dev/null
    board="-s -f firmware/image.mk BOARD=mps2-an386 OUT=build/image"
    make $board build/image/predict.elf >/dev/null
    make $board run-predict 2>/dev/null | grep -q 'hash: '
    done_in "clone to first step on a Cortex-M4F image"
fi

cd "$tmp/clone"
make -s dist-archives >/dev/null
archive=$(ls "$tmp/clone/build/dist/"ecpredict-*-host.tar.gz)
mkdir "$tmp/own"
cd "$tmp/own"
start
tar -xzf "$archive" --strip-components=1
awk '/^```c$/{on = 1; next} /^```$/{on = 0} on' "$tmp/clone/README.md" > main.c
cc -O2 main.c ecp.c -lm -o first
./first | grep -q ECP_OK
done_in "archive to first step in a project of one's own"
