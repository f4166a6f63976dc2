SELECT id FROM orders WHERE price > 1 [[ and status = << status >> ]] [[ Or id = << id >> ]]
