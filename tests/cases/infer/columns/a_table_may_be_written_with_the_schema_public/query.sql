-- calls: 1
SELECT public.orders.id, public.orders.status, o.quantity
FROM public.orders
JOIN public.orders AS o ON o.id = orders.id
WHERE public.orders.id = << id >> AND orders.status = << status >>
