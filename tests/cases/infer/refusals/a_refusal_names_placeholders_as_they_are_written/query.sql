-- error: [invalid-query]
SELECT id FROM orders HAVING id > << least: bigint >> [[ AND status = << status: text >> ]]
