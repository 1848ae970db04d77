#!/bin/sh
# install.sh BUILD PROFILE VERSION DESTDIR PREFIX: what `make install` puts into $DESTDIR$PREFIX.
set -eu
build=$1 profile=$2 version=$3 prefix=$5
root=$4$5
case $prefix in
/*) ;;
*) echo "install: PREFIX=$prefix; expected a path from /" >&2; exit 2 ;;
esac
fill() {
    sed -e "s|@VERSION@|$version|g" -e "s|@PREFIX@|$prefix|g" -e "s|@PROFILE@|$profile|g" "$1" > "$2"
    chmod 644 "$2"
}
mkdir -p "$root/bin" "$root/include" "$root/lib/pkgconfig" "$root/lib/cmake/ecpredict"
install -m 755 "$build/ecp" "$root/bin/ecp"
install -m 644 "$build/two/$profile/ecp.h" "$root/include/ecp.h"
install -m 644 "$build/libecp.a" "$root/lib/libecp.a"
fill tools/packaging/ecpredict.pc.in "$root/lib/pkgconfig/ecpredict.pc"
fill tools/packaging/cmake/ecpredict-config.cmake.in "$root/lib/cmake/ecpredict/ecpredict-config.cmake"
fill tools/packaging/cmake/ecpredict-config-version.cmake.in \
    "$root/lib/cmake/ecpredict/ecpredict-config-version.cmake"
echo "installed ecpredict $version, profile $profile, in $root"
