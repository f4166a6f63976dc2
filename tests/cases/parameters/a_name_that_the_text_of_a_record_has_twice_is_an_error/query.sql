SELECT << s: struct(w int, h int) >> AS s
