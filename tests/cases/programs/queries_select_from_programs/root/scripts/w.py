import json, sys
a = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if a["--city"] == "Nowhere":
    sys.exit(3)
rows = [{"day": d, "degrees": len(a["--city"]) + d / 2, "note": a.get("--units")} for d in range(int(a["--days"]))]
print(json.dumps(rows))
