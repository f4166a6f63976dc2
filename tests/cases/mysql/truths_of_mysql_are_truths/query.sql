SELECT w.word, t.b, count(*) AS n, bool_and(t.c) AS every, max(t.id) AS last
FROM t JOIN words AS w ON w.truth = t.b
WHERE (t.c IN << cs >> OR t.c IS NULL) AND t.b IS DISTINCT FROM << other >> [[ AND t.b <> << b >> ]]
GROUP BY w.word, t.b ORDER BY t.b
