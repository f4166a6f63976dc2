SELECT id
FROM orders
WHERE price > 0
-- error: [raw-placeholder]
{{#status}} AND status = << status >> {{/status}}
ORDER BY id
