SELECT id, amount, (-1, small) = (-1, << s >>) AS is_small
FROM types
WHERE (amount, id) IN ((-9999999999.99, 1), (<< a >>, << i >>)) OR (id + 1, small) IN ((<< j >>, << s >>))
