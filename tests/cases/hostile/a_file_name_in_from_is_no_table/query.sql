SELECT *
-- error: [unknown-table]
FROM 'data/orders.csv'
