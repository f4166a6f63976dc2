SELECT count(*) AS n
FROM (SELECT quantity * price AS total, CAST(quantity AS int) AS few, day + INTERVAL '1 day' AS later FROM orders) AS t
WHERE total > << a >> AND << b >> <> few AND later <= << c >>
