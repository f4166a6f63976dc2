/*--- { description: The number of numbers. } ---*/
SELECT count(*) AS n
FROM many
