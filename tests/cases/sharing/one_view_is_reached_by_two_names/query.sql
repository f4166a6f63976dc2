SELECT count(DISTINCT f.id) AS few, count(DISTINCT c.id) AS n FROM cheap AS c LEFT JOIN few(most => << top >>) AS f ON f.id = c.id
