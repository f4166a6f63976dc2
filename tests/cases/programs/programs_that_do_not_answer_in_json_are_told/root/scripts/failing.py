import sys
sys.exit("Traceback:\n  no such module\nModuleNotFoundError: shop")
