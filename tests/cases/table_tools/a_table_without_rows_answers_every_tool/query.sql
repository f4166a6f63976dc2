/*--- { description: The number of people. } ---*/
SELECT count(*) AS n
FROM people
