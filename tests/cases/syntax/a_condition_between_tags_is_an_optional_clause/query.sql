SELECT id
FROM orders
WHERE price > 0
-- error: [raw-placeholder]
{% if status %} AND status = << status >> {% endif %}
ORDER BY id
