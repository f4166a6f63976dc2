SELECT "OrderId" FROM orders WHERE "Due" >= << day >> - INTERVAL '2 days' AND "OrderId" < << a >> * 2 + 1 ORDER BY 1
