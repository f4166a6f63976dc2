SELECT id FROM orders WHERE id > 0 [[ AND status = << status >> ]] [[ AND note = << status >> ]]
