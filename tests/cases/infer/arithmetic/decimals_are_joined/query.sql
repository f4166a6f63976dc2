SELECT count(*) AS n
FROM types
WHERE amount = << a >> AND CAST(small AS decimal(10,8)) < << a >>
  AND CAST(small AS decimal(10,8)) < << b >> AND amount = << b >>
  AND amount + << c >> > 0 AND CAST(small AS decimal(20,4)) - << c >> < 1
