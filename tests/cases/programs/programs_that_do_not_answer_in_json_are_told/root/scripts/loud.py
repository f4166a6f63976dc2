print("Hello,\n\nit is me.")
