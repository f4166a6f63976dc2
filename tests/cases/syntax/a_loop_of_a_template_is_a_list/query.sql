SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE status IN ({% for s in states %} 'a' {% endfor %})
