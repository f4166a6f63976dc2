SELECT << m: int[][] >> AS m
