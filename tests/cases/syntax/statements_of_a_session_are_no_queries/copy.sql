-- error: [not-a-query]
COPY orders TO 'orders.csv'
