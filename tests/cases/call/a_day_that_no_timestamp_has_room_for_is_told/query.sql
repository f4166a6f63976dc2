SELECT id, date_trunc('month', valid_to) AS month FROM v ORDER BY id
