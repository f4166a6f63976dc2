-- `total` is compared with a double, because `factor` is one by its default.
SELECT id FROM orders WHERE << total >> = quantity * << factor = 1.5 >>
