SELECT id FROM orders WHERE id = << id = 1 >> [[ AND status = << status >> ]]
