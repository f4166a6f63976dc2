SELECT count(*) AS n
FROM orders
WHERE << a >> LIKE 'o%' AND << b >> NOT ILIKE status AND << c >> SIMILAR TO 'x.*' AND << e >> ~ '^a'
  AND << f >> !~* status
  AND << g >> LIKE << h >> AND note !~ << i >>
