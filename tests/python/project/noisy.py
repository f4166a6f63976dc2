print("noise at import")
import os
os.system("echo noise of a child")

def quiet() -> int:
    return 1
