SELECT id FROM orders WHERE status = << status_2 >> AND note = << n__1_ >>
