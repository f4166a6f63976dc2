/*--- { description: The number of texts. } ---*/
SELECT count(*) AS n
FROM texts
