/*--- { description: What is not for all., scopes: [orders.read] } ---*/
SELECT << n: int >> + 2 AS n
