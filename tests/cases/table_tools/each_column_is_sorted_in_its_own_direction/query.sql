/*--- { description: The number of lanes. } ---*/
SELECT count(*) AS n
FROM heats
