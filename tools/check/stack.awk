# stack.awk - worst stack of the public functions of core, from the call graphs gcc writes with
# -fcallgraph-info=su. usage: awk -v callbacks='f g ...' -f stack.awk FILE.ci...
# Prints: bytes, then the path. callbacks: what a call through a pointer may reach; the iteration of
# core/solve/newton.c calls the equations of core/contact/island.c that way.
function quoted(line, key,    s) {
    s = line
    if (!sub(".*" key ": \"", "", s)) return ""
    sub(/".*/, "", s)
    return s
}
# longest way down from f: its own frame and the deepest of what it calls
function depth(f,    i, n, d, worst, callee) {
    if (f in known) return known[f]
    if (open[f]) { print "recursion through " f > "/dev/stderr"; bad = 1; exit 1 }
    open[f] = 1
    worst = 0
    n = split(calls[f], callee, SUBSEP)
    for (i = 1; i <= n; i++) {
        if (callee[i] == "") continue
        d = depth(callee[i])
        if (d > worst) { worst = d; next_of[f] = callee[i] }
    }
    open[f] = 0
    known[f] = frame[f] + worst
    return known[f]
}
/^node:/ && / bytes \(/ {
    f = quoted($0, "title")
    bytes = quoted($0, "label")
    if (bytes ~ /\(dynamic\)/) {
        print "no bound on the frame of " f > "/dev/stderr"; bad = 1
    }
    sub(/.*\\n/, "", bytes)
    frame[f] = bytes + 0
    names[f] = 1
}
/^edge:/ {
    f = quoted($0, "sourcename")
    to = quoted($0, "targetname")
    if (index(calls[f] SUBSEP, SUBSEP to SUBSEP) == 0) calls[f] = calls[f] SUBSEP to
}
END {
    if (bad) exit 1
    n = split(callbacks, list, " ")
    for (i = 1; i <= n; i++) {
        if (!(list[i] in names)) { print "no such callback: " list[i] > "/dev/stderr"; exit 1 }
        calls["__indirect_call"] = calls["__indirect_call"] SUBSEP list[i]
    }
    for (f in names) {
        if (f !~ /^ecp_.*_f(32|64)/) continue
        d = depth(f)
        if (d > most) { most = d; root = f }
    }
    printf "%d %s", most, root
    for (f = root; f in next_of; f = next_of[f]) printf " > %s(%d)", next_of[f], frame[next_of[f]]
    printf "\n"
}
