SELECT count(*) AS n
FROM types
WHERE single + << a >> > 0 AND << b >> / single > 1 AND single - << c >> <> 1 AND single = << e >>
