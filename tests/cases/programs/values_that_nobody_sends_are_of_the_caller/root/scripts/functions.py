def of_caller(name: str, tenant: str, mode: str = "quiet", **others):
    return {"name": name, "tenant": tenant, "mode": mode, "others": others}
