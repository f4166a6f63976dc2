SELECT "OrderId", "Placed" FROM orders
WHERE true
[[AND "Placed" >= << since >>]]
[[AND "Placed" < << until >>]]
[[AND "Placed" = << at >>]]
[[AND "Placed" > << after >>]]
ORDER BY 1
