SELECT count(*) AS orders, sum(price) AS revenue FROM newest
