SELECT c.name, p.orders FROM per_customer AS p JOIN customers AS c ON c.id = p.customer_id ORDER BY c.name
