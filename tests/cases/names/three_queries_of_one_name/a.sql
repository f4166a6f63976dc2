/*--- { name: late } ---*/
SELECT 1 AS one
