-- calls: 1
SELECT id
FROM orders
WHERE (id, status) = (<< id >>, << status >>)
  AND (<< id >>, << status >>) = (id, status)
  AND (id, << other >>) <> (<< more >>, status)
  AND (id, quantity) IN ((<< id >>, << few >>), (<< more >>, << many >>), (1, 1), (2, 1), (3, 1))
  OR row(<< never >>, << none >>) = row(id, status)
