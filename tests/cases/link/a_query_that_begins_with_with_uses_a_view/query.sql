WITH counted AS (SELECT customer_id, count(*) AS orders FROM shipped GROUP BY customer_id)
SELECT customer_id, orders FROM counted WHERE orders >= << least >> ORDER BY customer_id
