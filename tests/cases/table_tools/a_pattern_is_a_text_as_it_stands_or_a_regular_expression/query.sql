/*--- { description: The number of lines. } ---*/
SELECT count(*) AS n
FROM lines
