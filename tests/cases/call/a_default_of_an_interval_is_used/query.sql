SELECT id FROM orders WHERE day BETWEEN << since: date >> AND << since >> + << length: interval = INTERVAL '30 days' >> ORDER BY id
