SELECT a.orders AS first, b.orders AS second
FROM largest(by => << one >>) AS a CROSS JOIN largest(by => << two >>) AS b
