SELECT "OrderId", "Due" FROM orders
WHERE "Due" BETWEEN << from >> AND << until >>
ORDER BY 1
