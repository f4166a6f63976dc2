SELECT
  id,
  quantity // << by >> AS part,
  -id // 2 AS below,
  price // 2 AS price,
  list_aggregate([id, quantity], 'sum') AS total,
  list_aggr([id, quantity], 'MAX') AS largest
FROM orders
WHERE id <= 4
ORDER BY id
