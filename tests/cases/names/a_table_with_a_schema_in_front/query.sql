SELECT id
-- error: [unknown-table]
FROM public.orders
