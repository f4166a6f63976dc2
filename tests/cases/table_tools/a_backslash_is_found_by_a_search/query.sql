/*--- { description: The number of paths. } ---*/
SELECT count(*) AS paths FROM paths
