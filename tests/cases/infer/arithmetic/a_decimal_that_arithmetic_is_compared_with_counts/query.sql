-- calls: 1, 0
SELECT count(*) AS n
FROM types
WHERE amount > << a >> - 0.01 AND amount <= << b >> + 1 AND << c >> + 0.5 > amount
  AND amount BETWEEN << e >> - 0.01 AND << e >> + 0.01
