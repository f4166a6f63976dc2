/*--- { description: The number of things. } ---*/
SELECT count(*) AS n
FROM odd
