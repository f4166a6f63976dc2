-- error: [not-a-query]
INSERT INTO orders (id) VALUES (<< id: bigint >>)
