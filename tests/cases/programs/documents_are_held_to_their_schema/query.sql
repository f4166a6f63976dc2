/*--- description: One. ---*/
SELECT 1 AS one
