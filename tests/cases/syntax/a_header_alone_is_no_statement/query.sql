/*--- description: Nothing. ---*/ -- error: [empty-query]
