-- error: [invalid-query]
SELECT max(ll) AS largest
FROM (VALUES (1, [[3], NULL]), (2, [[1]])) AS v(id, ll)
