SELECT << r?: struct(a int, b text[]) >> AS r, << m?: int[][] >> AS m
