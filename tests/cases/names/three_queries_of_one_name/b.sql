/*--- { name: Late } ---*/ -- error: [name-collision]
SELECT 1 AS one
