#!/bin/sh
# dist.sh BUILD VERSION PROFILE...: the archives of a release in BUILD/dist, each with a manifest of checksums.
set -eu
build=$1 version=$2
shift 2
dist=$build/dist
rm -rf "$dist"
mkdir -p "$dist"

# every file of a folder but the manifest itself, in one order everywhere
files_of() (cd "$1" && find . -type f ! -name MANIFEST.sha256 | sed 's|^\./||' | LC_ALL=C sort)
manifest() (files=$(files_of "$1") && cd "$1" && printf '%s\n' "$files" | tr '\n' '\0' |
    xargs -0 sha256sum > MANIFEST.sha256)
# the same contents give the same bytes
archive() {
    tar -C "$dist" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode='u=rwX,go=rX' \
        -cf - "$1" | gzip -9n > "$dist/$1.tar.gz"
}

# two files for any project, with a program that tries them
for profile in "$@"; do
    name=ecpredict-$version-$profile
    mkdir -p "$dist/$name/example"
    cp "$build/two/ecp.c" "$build/two/$profile/ecp.h" "$dist/$name"
    cp tools/packaging/example/cube_slide.c tools/packaging/example/cube_slide.h \
        tools/packaging/example/main.c "$dist/$name/example"
    sed "s/@PROFILE@/$profile/g" tools/packaging/two_files.md > "$dist/$name/README.md"
    manifest "$dist/$name"
    archive "$name"
done

# a library for Arduino: float, the profile of small boards
name=ecpredict
mkdir -p "$dist/$name/src" "$dist/$name/examples/cube_slide"
cp tools/packaging/arduino/library.properties "$dist/$name"
cp "$build/two/ecp.c" "$build/two/m4f/ecp.h" "$dist/$name/src"
cp tools/packaging/arduino/cube_slide.ino tools/packaging/example/cube_slide.c \
    tools/packaging/example/cube_slide.h "$dist/$name/examples/cube_slide"
manifest "$dist/$name"
"$build/pack" "$dist/ecpredict-$version-arduino.zip" "$dist/$name" $(files_of "$dist/$name") MANIFEST.sha256

# the sources: what is under version control, or what the manifest of an archive lists
name=ecpredict-$version
mkdir -p "$dist/$name"
if [ -e .git ]; then
    git ls-files --cached --others --exclude-standard
else
    sed 's/^[0-9a-f]* [ *]//' MANIFEST.sha256
fi | while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done |
    tar -cf - -T - | tar -xf - -C "$dist/$name"
manifest "$dist/$name"
archive "$name"

(cd "$dist" && sha256sum -- *.tar.gz *.zip > SHA256SUMS && wc -c -- *.tar.gz *.zip)
