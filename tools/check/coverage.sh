#!/bin/sh
# Lines and branches of core that the host tests reach, by file; fails below the gate.
# usage: coverage.sh BUILD-DIR-OF-A-COVERAGE-BUILD LEAST-LINES LEAST-BRANCHES   (per cent, of core as a whole)
set -eu
build=$1 lines=$2 branches=$3
for object in $(find "$build/core" -name '*.o' | sort); do
    gcov -b -n "$object" 2>/dev/null | awk '
        /^File /      { split($0, q, "\047"); file = q[2]; own = file ~ /core\// && file ~ /\.c$/ }
        own && /^Lines executed:/    { split($0, p, /[:% ]/); part = p[3]; n = $NF; ln = n; lc = part * n / 100 }
        own && /^Taken at least once:/ { split($0, p, /[:%]/); n = $NF; printf "%s %d %.0f %d %.0f\n", file, ln, lc, n, p[2] * n / 100; own = 0 }
        own && /^No branches/ { printf "%s %d %.0f 0 0\n", file, ln, lc; own = 0 }'
done | awk -v lines="$lines" -v branches="$branches" '
    BEGIN { printf "%-28s %6s %8s %9s %8s\n", "file", "lines", "reached", "branches", "taken" }
    { sub(/.*core\//, "core/", $1)
      printf "%-28s %6d %7.1f%% %9d %7.1f%%\n", $1, $2, $2 ? 100 * $3 / $2 : 100, $4, $4 ? 100 * $5 / $4 : 100
      n += $2; c += $3; m += $4; t += $5 }
    END { printf "%-28s %6d %7.1f%% %9d %7.1f%%\n", "all of core", n, 100 * c / n, m, 100 * t / m
          if (100 * c < lines * n || 100 * t < branches * m) { printf "below the gate of %s %% and %s %%\n", lines, branches; exit 1 } }'
