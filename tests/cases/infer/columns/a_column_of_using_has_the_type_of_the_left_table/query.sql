SELECT count(*) AS n
FROM (SELECT id FROM types JOIN orders USING (id)) AS t
WHERE id > << a >>
