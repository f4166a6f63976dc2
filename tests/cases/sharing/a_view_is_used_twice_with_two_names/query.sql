SELECT count(DISTINCT a.id) AS few, count(DISTINCT b.id) AS more
FROM cheap(most => << low >>) AS a
RIGHT JOIN cheap(most => << high >>) AS b ON b.id = a.id
