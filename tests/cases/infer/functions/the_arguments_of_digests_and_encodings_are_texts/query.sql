SELECT count(*) AS n
FROM customers
WHERE encode(sha256(<< secret >>), << form >>) = encode(digest(city, << method >>), 'hex')
