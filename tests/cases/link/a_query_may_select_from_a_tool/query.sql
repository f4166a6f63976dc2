SELECT sum(quantity) AS quantity FROM by_status
