-- calls: 4, 0
SELECT count(*) AS n
FROM (
  SELECT lag(expr => price, offset => << back >>) OVER (ORDER BY id) AS before,
    substr(start_pos => << start >>, str => << word >>) AS tail
  FROM orders
) AS t
WHERE before > 50 AND tail = 'en'
