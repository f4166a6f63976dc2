SELECT "OrderId", "Customer" FROM orders WHERE "Customer" = << customer >> ORDER BY 1
