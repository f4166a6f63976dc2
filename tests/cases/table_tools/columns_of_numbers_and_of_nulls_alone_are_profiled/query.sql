/*--- { description: The number of readings. } ---*/
SELECT count(*) AS n
FROM readings
