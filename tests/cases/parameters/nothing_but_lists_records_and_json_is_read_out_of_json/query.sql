SELECT << n?: int >> AS n, << b?: boolean >> AS b, << x?: double >> AS x, << day?: date >> AS day, << u?: uuid >> AS u
