/*--- { strict: true } ---*/
SELECT << m: int[][] >> AS m
