SELECT << word: text = nullif('a', 'a') >> AS word, count(*) AS n
FROM orders
WHERE << word >> IS NULL
