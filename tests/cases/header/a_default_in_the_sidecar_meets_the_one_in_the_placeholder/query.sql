-- error: [conflicting-configuration]
SELECT id FROM orders WHERE status = << status = 'open' >>
