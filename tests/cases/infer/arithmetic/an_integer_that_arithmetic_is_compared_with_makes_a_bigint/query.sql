SELECT count(*) AS n
FROM types
WHERE medium = << a >> + 1 AND << b >> * 2 <> small AND id IN (<< c >> - 1, << e >> + 1)
