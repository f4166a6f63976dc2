FROM orders SELECT id WHERE status = << status >>
