SELECT
    (SELECT max(value) FROM generate_series(1, << a >>)) AS a,
    (SELECT max(value) FROM generate_series(1, << b >>)) AS b,
    (SELECT max(g.x) FROM range(1, 3) AS g (x)) AS c,
    (SELECT max(g.x) FROM range(1, 9) AS g (x)) AS d,
    (
        SELECT count(*)
        FROM generate_series(1, 3) AS s
        WHERE s.value IN (SELECT value FROM generate_series(2, 2)) OR s.value IN (SELECT value FROM generate_series(3, 3))
    ) AS e
