/*--- { name: LATE } ---*/ -- error: [name-collision]
SELECT 1 AS one
