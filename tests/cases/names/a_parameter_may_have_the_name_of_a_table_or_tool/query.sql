SELECT id FROM orders WHERE status = << orders >> AND note = << query >>
