SELECT id FROM orders WHERE status = << status >>
