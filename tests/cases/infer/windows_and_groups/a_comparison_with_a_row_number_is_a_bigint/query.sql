SELECT id, status
FROM orders
QUALIFY row_number() OVER (PARTITION BY status ORDER BY id) <= << top >>
