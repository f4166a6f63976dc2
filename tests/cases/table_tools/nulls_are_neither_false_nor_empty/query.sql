/*--- { description: The number of answers. } ---*/
SELECT count(*) AS n
FROM answers
