SELECT id FROM orders WHERE << a? >> = status OR << a >> = note
