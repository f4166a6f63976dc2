-- error: [unknown-table]
SELECT id FROM 'data/orders.csv'
