SELECT id / << by: bigint >> AS part FROM orders WHERE id = 10
