# What a shell sets by itself is left out, and of what is new in every call, the name is shown.
env | grep -vE '^(PWD|OLDPWD|SHLVL|_)=' | sed -E '/=\/of/!s/^(PATH|HOME|TMPDIR)=.*/\1: its own/' | sort
