SELECT count(*) AS n, count(*) FILTER (WHERE status = << status? >>) AS of_status FROM orders
