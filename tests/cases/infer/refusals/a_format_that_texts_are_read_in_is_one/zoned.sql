-- error: [invalid-query]
SELECT try_strptime(status, '%H:%M %z') AS at FROM orders WHERE id = << id >>
