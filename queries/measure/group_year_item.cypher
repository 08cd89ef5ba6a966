// kind: fragment
// takes: x, e
// By year in UTC: the civil calendar in whole numbers.
WITH x, t / 86400 + 719468 AS z
WITH x, z - (z / 146097) * 146097 AS doe, z / 146097 AS era
WITH x, doe, era, (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365 AS yoe
WITH x, era, yoe, doe - (365 * yoe + yoe / 4 - yoe / 100) AS doy
WITH x, era, yoe, (5 * doy + 2) / 153 AS mp
WITH x, era, yoe, CASE WHEN mp < 10 THEN mp + 3 ELSE mp - 9 END AS month
WITH x, month, CASE WHEN month <= 2 THEN yoe + era * 400 + 1 ELSE yoe + era * 400 END AS year
WITH x, toString(year) AS v
