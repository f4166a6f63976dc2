SELECT id
FROM orders
WHERE status = << status? >> [[ OR note = << note >> ]]
