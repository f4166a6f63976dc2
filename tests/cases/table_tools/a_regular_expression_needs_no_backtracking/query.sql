/*--- { description: The number of words. } ---*/
SELECT count(*) AS n
FROM words
