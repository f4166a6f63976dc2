SELECT status, grouping(status) AS total, count(*) AS orders FROM orders GROUP BY ROLLUP (status)
