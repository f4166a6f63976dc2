SELECT "OrderId" FROM orders
WHERE "OrderId" > << above = 0 >>
[[AND "Paid" = << paid >>]]
[[AND "Status" = << status >>]]
ORDER BY 1
