SELECT coalesce(<< label: text >>, status) AS label, count(*) AS orders FROM orders GROUP BY coalesce(<< label >>, status), status HAVING count(*) > 4 ORDER BY orders
