-- calls: 1, 0
SELECT count(*) AS n
FROM types
WHERE small IN << a >> AND medium NOT IN << b >> AND amount IN << c >> AND single IN << d >> AND flag IN << e >>
  AND clock IN << f >> AND moment IN << g >> AND instant NOT IN << h >>
