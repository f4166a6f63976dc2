-- error: [unknown-column]
SELECT statuss FROM orders WHERE status = << status >>
