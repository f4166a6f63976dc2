SELECT << i?: bigint >> AS i, << x?: double >> AS x, << d?: decimal(12,2) >> AS d
