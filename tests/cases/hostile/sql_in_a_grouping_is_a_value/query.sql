SELECT << label: text >> AS label, count(*) AS orders FROM orders GROUP BY << label >>, status HAVING count(*) > 4 ORDER BY orders
