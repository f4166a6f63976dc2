SELECT id, position('p' IN << word >>) AS place FROM orders ORDER BY id
