import helper

def f() -> str:
    return helper.NAME
