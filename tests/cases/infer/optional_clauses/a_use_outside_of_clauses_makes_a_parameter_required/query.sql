SELECT id FROM orders WHERE status = << status >> [[ AND note LIKE << status >> ]]
