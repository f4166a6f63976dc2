SELECT status, count(*) AS orders FROM orders GROUP BY status HAVING count(*) > 0 [[ AND sum(quantity) >= << least >> ]] ORDER BY status
