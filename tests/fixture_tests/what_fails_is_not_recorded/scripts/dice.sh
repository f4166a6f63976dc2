echo "cannot" >&2
exit 2
