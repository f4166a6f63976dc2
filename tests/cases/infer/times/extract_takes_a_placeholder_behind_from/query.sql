-- calls: 3, 0
SELECT count(*) AS n
FROM orders
WHERE extract(month FROM << t >>) = extract(month FROM day)
  AND extract(day FROM day) IN << days >>
