SELECT plz, ort, betrag, menge, tag, um, bemerkung
FROM umsatz
WHERE tag IS NULL OR tag >= << since: date >>
ORDER BY ort
