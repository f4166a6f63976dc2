-- error: [unknown-column]
SELECT id FROM orders WHERE statuss = << status >>
