#!/bin/sh
# check_guards.sh "CC FLAGS OBJECTS" "LIBS" DIR GUARD...: linking DIR/guard-GUARD.o must fail, and with
# the text of its own assertion.
set -u
link=$1 libs=$2 dir=$3
shift 3
status=0
for guard in "$@"; do
    case $guard in
    MALLOC) text='an allocator is linked in' ;;
    STDIO) text='stdio is linked in' ;;
    DOUBLE) text='double arithmetic is linked into a float image' ;;
    RAM) text='static data and stack do not fit the RAM\|will not fit in region\|overflowed by' ;;
    esac
    if $link "$dir/guard-$guard.o" $libs -o "$dir/guard-$guard.elf" > "$dir/guard-$guard.log" 2>&1; then
        echo "guard $guard: the image linked, expected a refusal"
        status=1
    elif ! grep -q "$text" "$dir/guard-$guard.log"; then
        echo "guard $guard: refused, but not by its assertion"
        status=1
    fi
done
[ $status = 0 ] && echo "guards fire: $*"
exit $status
