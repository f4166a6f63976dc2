SELECT CAST(quantity AS int) AS pieces FROM orders
