SELECT o."OrderId", p.city FROM orders o JOIN people p ON p.name = o."Customer" WHERE p.city = << city >> ORDER BY 1
