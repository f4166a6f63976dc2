SELECT count(*) AS n
FROM Of_Price
WHERE true [[ AND id IN (SELECT id FROM of_price WHERE status = << status >>) ]]
