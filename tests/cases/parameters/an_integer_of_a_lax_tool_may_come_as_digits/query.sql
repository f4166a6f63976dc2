-- calls: 30 four times; then refused
SELECT << n: int >> AS n
