/*--- { description: The number of steps. } ---*/
SELECT count(*) AS n
FROM steps
