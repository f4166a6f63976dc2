SELECT "OrderId" FROM orders
WHERE NOT ("Status" = << status >> OR "Total" > << total >>)
[[AND "Status" NOT IN << others >>]]
ORDER BY 1
