-- error: [unknown-column]
SELECT "Order ID", price FROM details AS d WHERE d."select" = << word >> ORDER BY price
