SELECT "OrderId", "Customer", "Status", "Total", "Placed", "Due", "Paid"
FROM orders
ORDER BY "OrderId"
