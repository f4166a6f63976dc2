SELECT ok, count(*) AS names FROM (SELECT DISTINCT ok, name FROM t WHERE id > << above >>) GROUP BY ok HAVING count(*) > 1 ORDER BY ok
