SELECT "OrderId" FROM orders WHERE "Customer" <> 'Ann'' LIMIT 1 --' AND "Status" IN ('open', 'x?1', '" OR 1=1 --', 'y') ORDER BY 1
