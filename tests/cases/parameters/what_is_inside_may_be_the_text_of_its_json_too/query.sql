SELECT << m?: int[][] >> AS m, << r?: struct(a int, b text[]) >> AS r
