/*--- { description: The number of names. } ---*/
SELECT count(*) AS n
FROM names
