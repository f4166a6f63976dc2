SELECT "OrderId" FROM orders
WHERE "OrderId" IN << ids >> [[AND "Customer" NOT IN << customers >>]]
ORDER BY 1
