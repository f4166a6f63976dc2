/*--- description: Selects from a program. ---*/
SELECT * FROM weather -- error: [unknown-table]
