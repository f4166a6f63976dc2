/*---
params:
  day: { allowed_values: [2024-01-01, 2024-04-01], default: 2024-01-01 }
  at: { allowed_values: ["2024-01-01T00:00:00Z", "2024-01-01T12:00:00+02:00"], default: "2024-01-01T10:00:00Z" }
  rate: { allowed_values: ["1.50", 2], default: 2.00 }
  id: { allowed_values: [123e4567-e89b-12d3-a456-426614174000], default: 123E4567-E89B-12D3-A456-426614174000 }
---*/
SELECT << day: date >> AS day, << at: timestamptz >> AS at, << rate: decimal(6,2) >> AS rate, << id: uuid >> AS id
