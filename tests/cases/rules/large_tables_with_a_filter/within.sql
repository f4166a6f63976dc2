SELECT id FROM (SELECT id, status FROM orders) AS o WHERE status = << status >> [[ AND id > << least >> ]]
