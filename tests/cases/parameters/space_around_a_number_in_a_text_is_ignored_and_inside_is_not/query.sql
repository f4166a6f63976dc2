SELECT << n?: int >> AS n, << x?: double >> AS x
