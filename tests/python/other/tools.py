import helper

def f() -> str:
    import late
    return helper.NAME + late.NAME
