SELECT count(DISTINCT a.id) AS few, count(DISTINCT b.id) AS more
FROM cheap(most => << low >>) AS a
RIGHT JOIN cheap AS b ON b.id = a.id
