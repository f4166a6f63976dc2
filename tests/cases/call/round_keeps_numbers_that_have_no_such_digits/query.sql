SELECT id, round(x, << n: int >>) AS x, round(10.5::double, 400) AS written, round(x) AS whole
FROM t
ORDER BY id
