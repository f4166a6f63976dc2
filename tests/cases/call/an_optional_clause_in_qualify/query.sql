SELECT id, status
FROM orders
QUALIFY row_number() OVER (PARTITION BY status ORDER BY id) <= 2 [[ AND id > << above >> ]]
ORDER BY id
