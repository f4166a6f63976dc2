/*--- { kind: view } ---*/
WITH counted AS (SELECT customer_id, count(*) AS orders FROM orders WHERE status = << status >> GROUP BY customer_id)
SELECT customer_id, orders FROM counted
