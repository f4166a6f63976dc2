import random
def mine() -> str:
    import json as other
    return other.dumps([1])
