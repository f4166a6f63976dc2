SELECT "OrderId" FROM orders WHERE ("Status" = << status >> AND "Total" < 50) OR "OrderId" = << id >> OR "Due" IS NULL ORDER BY 1
