-- calls: `status` is missing, 5 11 15 18, 15 18, as the second, `status` is null
SELECT id
FROM orders
WHERE status = << status >> AND quantity >= << least = 5 >> [[ AND day >= << since >> ]]
ORDER BY id
