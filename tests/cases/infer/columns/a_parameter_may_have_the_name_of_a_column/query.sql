SELECT id FROM orders WHERE status = << status >> AND orders.id = << id >>
