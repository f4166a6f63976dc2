SELECT string_agg(status, << sep >>) AS states, string_agg(status, << other >>) AS again, string_agg(status, '|') AS bars
FROM orders
WHERE id <= << most >>
