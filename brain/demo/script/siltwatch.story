@@ 103 pr ayo 2026-04-02 merged 2026-04-08 emeka
Warn when thresholds are evaluated late
labels: observability, safety
files: rules/lag.py docs/rules.md

ThresholdEvaluationLag goes off after one minute above 90 seconds, at any hour. It would have gone off on the eighteenth of March eleven minutes before anybody called.
--
emeka + Replayed the morning, it does.

@@ 144 issue ayo 2026-09-07 open
Alerts say which service suffers, not which one changed
labels: observability

For the last five incidents the service in the alert was never the one that had been changed. The runner knows every deploy. Show the last ones of everything a service depends on.
--
jasper: Two steps are enough, I looked at them again.
henrike: Put it on the list for the winter.
