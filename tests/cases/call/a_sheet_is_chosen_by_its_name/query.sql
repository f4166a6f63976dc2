SELECT o.id, c.name, h.rate FROM orders o JOIN customers c ON c.id = o.customer CROSS JOIN hidden h WHERE o.total >= << least >> ORDER BY o.id
