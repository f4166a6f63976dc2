SELECT id FROM orders WHERE status = << limits >> AND note = << format >> LIMIT << max_limit >>
