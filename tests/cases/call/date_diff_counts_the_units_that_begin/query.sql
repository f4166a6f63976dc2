SELECT id, date_diff('day', day, << until >>) AS days, datediff(month, day, << until >>) AS months,
       date_diff('week', day, << until >>) AS weeks, date_diff('year', day, << until >>) AS years,
       date_diff('hour', placed_at, day) AS hours
FROM orders
ORDER BY id
