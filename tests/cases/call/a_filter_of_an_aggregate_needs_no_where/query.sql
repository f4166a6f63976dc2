SELECT count(*) FILTER (quantity > << least >>) AS many, sum(id) FILTER (status = 'open') AS open
FROM (SELECT id, status, quantity FROM orders) filter
