-- error: [invalid-placeholder]
SELECT id FROM orders WHERE status = << status | open >>
