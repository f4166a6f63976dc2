-- error: [not-a-query]
COPY orders TO '/tmp/orders.csv'
