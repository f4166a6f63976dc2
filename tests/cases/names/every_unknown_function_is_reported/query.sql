-- error: [unknown-function]
SELECT uper(status) AS a,

-- error: [unknown-function]
  max(lenth(note)) AS b
FROM orders
WHERE status = << status >>
GROUP BY status
