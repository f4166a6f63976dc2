SELECT upper(<< status >>) AS wanted, id FROM orders WHERE status = << status >>
