-- error: [invalid-query]
SELECT id FROM orders WHERE id > 0 [[ AND quantity + << x: bigint >> ]]
