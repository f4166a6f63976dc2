SELECT id FROM orders WHERE status = << status >> AND id IN << ids >>
