SELECT << n: bigint >> AS n
