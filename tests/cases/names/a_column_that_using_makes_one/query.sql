SELECT id, status FROM orders JOIN items USING (id) WHERE status = << status >>
