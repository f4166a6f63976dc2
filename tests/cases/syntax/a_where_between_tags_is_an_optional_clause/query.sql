SELECT id
FROM orders
-- error: [raw-placeholder]
{%- if status -%} WHERE status = << status >> {%- endif -%}
ORDER BY id
