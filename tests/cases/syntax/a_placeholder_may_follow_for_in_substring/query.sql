SELECT substring(note FROM << begin: bigint >> FOR << length: bigint >>) AS part
FROM orders
