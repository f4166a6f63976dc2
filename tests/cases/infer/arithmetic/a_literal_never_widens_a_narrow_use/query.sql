-- calls: 1, 0
SELECT count(*) AS n
FROM types
WHERE medium > << a >> AND << a >> > -1
  AND << b >> <> 1 AND small = << b >>
  AND single < << c >> AND << c >> < 0.5
  AND << e >> > 0.5 AND amount < << e >>
