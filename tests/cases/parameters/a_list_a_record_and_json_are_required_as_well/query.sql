SELECT << l: int[] >> AS l, << s: struct(a int) >> AS s, << j: json >> AS j
