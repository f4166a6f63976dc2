SELECT count(*) AS n
FROM types
WHERE small = << a >> AND medium + << a >> > 0 AND id - << b >> > 0 AND medium = << b >>
  AND amount < << c >> AND amount * << c >> > 0
