SELECT count(*) AS n
FROM orders
WHERE << a? >> IS TRUE OR << b? >> IS NOT FALSE OR << c? >> IS UNKNOWN AND << e? >> IS NOT UNKNOWN
