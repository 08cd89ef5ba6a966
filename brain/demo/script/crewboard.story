@@ tree gwen 2025-04-09
Rota and call-out, taken over from the spreadsheet
files: crewboard/{__init__.py,settings.py,urls.py} crewboard/rota/{models.py,views.py,swap.py} crewboard/callout/{engine.py,ack.py,escalation.py} crewboard/exports/{csv.py,ical.py} crewboard/templates/{rota.html,callout.html} crewboard/migrations/0001_initial.py tests/{test_rota.py,test_callout.py,test_exports.py} docs/escalation.md deploy/values.yaml .github/workflows/ci.yaml pyproject.toml CHANGELOG.md README.md

@@ 1 issue eunice 2025-04-22 fixed
A swap needs the agreement of both people
labels: enhancement

Today one click moves my night to somebody else, who finds out when the phone rings.
--
gwen: In the spreadsheet people would at least shout across the yard. Yes.

@@ 2 pr gwen 2025-05-06 merged 2025-05-15 piotr
Ask the other person before a swap takes effect
labels: enhancement
files: crewboard/rota/{swap.py,models.py,views.py} crewboard/migrations/0002_swap_state.py crewboard/templates/rota.html tests/test_rota.py

A swap is proposed, accepted or expires two days before the shift. Closes #1.
--
piotr ! What if the shift begins in less than two days? Then every swap is expired at birth.
gwen: Then it expires when the shift starts, and the supervisor is told.
eunice +
piotr +

@@ 3 issue piotr 2025-05-19 fixed
Escalation rings people who are on leave
labels: bug

The second level is "everybody in the district". Everybody includes Jonás on a beach.
--
jonas: The beach was nice, the call was not.

@@ 4 pr piotr 2025-05-21 merged 2025-05-27 gwen
Leave people on leave alone
labels: bug
files: crewboard/callout/{escalation.py,engine.py} tests/test_callout.py docs/escalation.md

Unless nobody else is left, in which case they are called last and the report says so. Fixes #3.
--
gwen @ docs/escalation.md: "Last" should come after the supervisor, please. The supervisor is paid for it.
piotr: Changed.
daudi +
gwen +

@@ 5 pr gwen 2025-06-10 merged 2025-06-12 gwen
Calendar feed for each person
labels: enhancement
files: crewboard/exports/ical.py crewboard/urls.py tests/test_exports.py

The address holds a secret and can be renewed.
--
yusra ~ It is a secret in a URL, which ends up in calendars of third parties. Acceptable for shift times, never for phone numbers.
piotr +

@@ release v1.4.0 2025-06-17 gwen
Swaps
- A swap has to be accepted (#2).
- People on leave are called last (#4).
- Calendar feed (#5).

@@ 6 issue eunice 2025-06-26 closed 2025-08-05 piotr
Show which van has the long ladder
labels: enhancement

A call-out to a gate with a gantry needs it, and there is one. I drove to Boston and back.
--
gwen: Equipment as a property of the crew's van? Or of the day?
eunice: Of the day. It moves.
[2025-08-05] piotr: The engine takes equipment into account since #8.

@@ push gwen 2025-07-08
Who is called when, on one page
files: docs/escalation.md

@@ 7 issue daudi 2025-07-15 fixed
Call-out takes the first gate, not the nearest crew
labels: enhancement

For a pump trip at Holme the engine called the crew of Cowbit because C comes before H.
--
piotr: There is a TODO at exactly that line from 2023.
sanna: Minutes by road, not miles. Between Holme and Cowbit there is a river.

@@ 8 pr piotr 2025-07-22 merged 2025-08-05 gwen
Call the crew that is nearest by road
labels: enhancement
files: crewboard/callout/engine.py crewboard/rota/models.py crewboard/migrations/0003_home_base.py tests/test_callout.py deploy/values.yaml

Minutes by road from the home base of the crew, from a table computed once a night. When the river is over the road at Cowbit the table knows.

Fixes #7.
--
gwen ! The home address of people must not be in this table in the clear. Use the depot or the first half of the postcode.
piotr: Depot or postcode district. Precision is good enough, I compared.
gwen +
eunice + The table knows more about the river than my satnav.
piotr @ crewboard/migrations/0003_home_base.py: Note to myself, backfill runs for two minutes.
daudi +

@@ 9 issue yusra 2025-09-01 fixed
Former employees can still see the rota
labels: security

Neil's account was open until I looked today, and so was his calendar feed. Leaving the company should close both.
--
gwen: We had no list of who leaves. Now HR sends me one, but I would rather follow the identity provider.

@@ 10 pr yusra 2025-09-08 merged 2025-09-16 gwen
Follow the identity provider when somebody leaves
labels: security
files: crewboard/settings.py crewboard/rota/models.py crewboard/exports/ical.py tests/test_rota.py

Accounts are switched off within an hour, feeds with them, future shifts become vacant and the supervisor gets a list.

Closes #9.
--
gwen + I tried it with a test person and got the list.
piotr @ crewboard/rota/models.py: Vacant shifts should appear in red on the wall as well.
yusra: The wall is paper.
piotr: Fair.
piotr +

@@ 11 pr zofia 2025-10-06 merged 2025-10-08 zofia
Freeze the clock in the escalation tests
labels: flaky-test
files: tests/test_callout.py

Failed every day between 23:55 and midnight.
--

@@ release v1.5.0 2025-10-14 gwen
Nearest crew
- Call-out by minutes of road (#8).
- Leaving the company closes account and feed (#10).

@@ 12 issue jonas 2025-11-06 fixed
Acknowledging by text needs the exact word
labels: bug, field-report
milestone: Winter readiness 2025

I answered "ok" and "OK!" and "yes going" and was called five times. It wants "ACK".
--
eunice: I once answered with a thumb. It called my mother next, she is my second contact.

@@ 13 pr piotr 2025-11-10 merged 2025-11-13 gwen
Accept any friendly answer as acknowledgement
labels: bug
milestone: Winter readiness 2025
files: crewboard/callout/ack.py tests/test_callout.py

A list of 31 words collected from a year of real answers, in English, Welsh, Polish and Spanish; "no", "can't" and everything unknown escalate at once. Fixes #12.
--
jonas + "Voy" works.
gwen @ crewboard/callout/ack.py: "iawn" can also be "very" as in "prysur iawn", very busy. Only alone, please.
piotr: Only alone.
daudi +
eunice + Thumbs are in, I see.
gwen +

@@ 14 issue gwen 2025-11-24 fixed
Rota PDF for the wall in the pumping station
labels: enhancement

Not everything is an app. The wall in Holme wants an A3 sheet.

@@ 15 pr gwen 2025-12-02 merged 2025-12-05 piotr
Print the rota
labels: enhancement
files: A:crewboard/exports/pdf.py crewboard/urls.py crewboard/templates/rota.html tests/test_exports.py

A3, landscape, large letters. Closes #14.
--
eunice + It hangs. People look at it.
piotr +

@@ 16 pr dep 2025-12-08 merged 2025-12-08 gwen
Bump django from 5.2.7 to 5.2.9
labels: dependencies, security
files: pyproject.toml

Security release of the framework.
--
yusra +

@@ push piotr 2025-12-11
Raise the worker count for the duty-year export
files: deploy/values.yaml

@@ 17 issue piotr 2025-12-18 open
What happens when the telephone exchange is down?
labels: question

Calls, voice and text all pass through one provider. I could not find anything written about the case that it is gone.
--
daudi: Floodline would log errors and the console would stay red. Nobody would be called.
gwen: There was a paper plan before us: three people drive. We should write down that it still exists.
wren: I have added it to the agenda of the exercise in March.
[2026-03-25] wren: In the exercise it took us 25 minutes to find the paper plan. It is in the drawer under the old modem.

@@ 18 pr piotr 2026-01-09 closed 2026-01-15
Repeat an unacknowledged alert after 20 minutes instead of 60
files: crewboard/callout/{engine.py,escalation.py}

Sixty minutes is too long at night.
--
gwen ! The repeat is not the problem, what happens before it is. With twenty minutes the Holme officer would have had four messages. See merefold/floodline#24.
piotr: True. I close this until acknowledgements are right.
daudi ~ Agree with Gwenllian, four messages in an hour would be held against us.

@@ 19 pr piotr 2026-01-14 merged 2026-01-16 gwen
Recognise voice acknowledgements
labels: bug
files: crewboard/callout/{ack.py,engine.py} tests/test_callout.py

The voice provider sends the call's id, not the alert's. We now keep the pair when the call is placed. Until this is out every alert confirmed by voice is repeated after an hour.

Fixes merefold/floodline#24.
--
daudi + Confirmed with my own phone at lunch.
eunice +
piotr @ crewboard/callout/engine.py: The pair is kept for a day. Longer, anybody?
daudi: A day is plenty.
gwen +

@@ release v1.6.1 2026-01-19 gwen
Voice
Alerts that were confirmed by voice are not repeated any more (#19). Also: any friendly answer counts (#13), and the rota can be printed (#15).

@@ 20 issue eunice 2026-02-10 open
Show the battery of loggers
labels: enhancement

When merefold/gauge-stream#24 is done: a list of sites sorted by voltage, for the weekly round.

@@ 21 pr gwen 2026-02-16 merged 2026-03-02 gwen
Count rest hours between two call-outs
labels: enhancement
files: crewboard/rota/{models.py,views.py} crewboard/callout/engine.py crewboard/migrations/0004_rest.py tests/{test_rota.py,test_callout.py} docs/escalation.md

Eleven hours of rest after a call-out of more than two hours. The engine skips people who rest, and shows whose rest it had to break and why.
--
piotr ! If everybody rests, nobody is called and nobody is told. Call the supervisor in that case.
gwen: Added, with the sentence "everyone is resting" so that it is understood at four in the morning.
piotr +
eunice: Eleven hours is the law, by the way, not a wish.
eunice +

@@ 22 issue piotr 2026-03-09 fixed
Calling order changes between two attempts
labels: bug

Sorting by minutes is not stable when two crews have the same distance. The second attempt sometimes starts with the crew that had just refused.

@@ 23 pr piotr 2026-03-10 merged 2026-03-11 piotr
Keep the calling order of an alert
labels: bug
files: crewboard/callout/engine.py tests/test_callout.py

The order is fixed when the alert begins. Fixes #22.
--

@@ release v1.7.0 2026-03-17 gwen
Rest
- Rest hours are counted and respected (#21).
- The order of a call-out does not change while it lasts (#23).

@@ 24 pr luc 2026-03-16 merged 2026-03-30 gwen
API for the crew panel of the console
labels: enhancement
files: A:crewboard/api/crews.py crewboard/urls.py tests/test_rota.py

Eleven fields of JSON: who is on duty now, for which district, until when, and how to reach them. For the crew panel that the console is getting.
--
luc: The other half is merefold/control-room#33.
gwen @ crewboard/api/crews.py: Telephone numbers only for viewers with the dispatcher role.
luc: Done, others get a "call" link that goes through the exchange.
gwen +
priya +
yusra +

@@ push gwen 2026-03-26
Note where the paper plan is kept
files: docs/escalation.md

@@ 25 issue zofia 2026-03-31 open
Two test suites, two ways to make a person
labels: testing, good first issue

tests/test_rota.py builds people by hand and tests/test_callout.py has a factory. Every new field breaks one of them.

@@ 26 issue gwen 2026-04-02 fixed
Call-outs after midnight go to yesterday's crew
labels: bug, regression

Since Sunday. A pump trip at 00:25 called the crew whose shift had ended at midnight; they went anyway, bless them.
--
piotr: Sunday was the change to summer time. The alert says 23:25, so the engine is right about what it is told.
daudi: We send UTC without saying so. It is ours, fix is coming in floodline.
eunice: They got a box of chocolates from me.

@@ 27 pr piotr 2026-04-06 merged 2026-04-10 gwen
Refuse a time without a zone
labels: enhancement
files: crewboard/callout/engine.py crewboard/api/crews.py tests/test_callout.py

So that #26 becomes an error and not a wrong crew.
--
daudi +
gwen +

@@ 28 issue yusra 2026-04-21 closed 2026-07-02 gwen
Export holds more personal data than its readers need
labels: privacy

The yearly CSV for the boards has names, depots and rest hours. They need hours per district.
--
gwen: I did not even know that rest hours were in there. Will reduce it to sums.
[2026-07-02] gwen: Reduced in #31 together with the flags.

@@ 29 pr gwen 2026-05-11 merged 2026-05-26 piotr
Plan a duty year in one sitting
labels: enhancement
files: crewboard/rota/{models.py,views.py,swap.py} A:crewboard/rota/planner.py crewboard/migrations/0005_duty_year.py tests/test_rota.py crewboard/templates/rota.html

The planner proposes, people move things around, the rest rules are checked while they do. Districts with fewer than five people get a warning instead of a plan.
--
piotr ~ 1,400 lines is more than I can review honestly. I read the rest rules and the migration, please have someone else read the solver, @hamid for example.
hamid ! The solver has no upper limit on time; district 7 runs for ever because no plan exists. Stop after a minute and say which rule cannot be met.
gwen: Stops after 45 seconds and names the rule.
hamid + Read the solver. It is a nice one.
eunice + Planned my own year in it, found one Christmas too many.
piotr +

@@ 30 issue luc 2026-06-16 open
Crew API: tell when the shift ends early
labels: enhancement

The panel shows "until 06:00" for somebody who went home sick at two.
--
gwen: We learn it when the supervisor enters it. So it would be right an hour later, which is better than never.

@@ push yusra 2026-06-23
Shorten the lifetime of feed secrets
files: deploy/values.yaml

@@ 31 pr gwen 2026-06-30 merged 2026-07-02 gwen
Move the CSV export to quality flags
labels: telemetry
files: crewboard/exports/csv.py tests/test_exports.py

Last reader of `valid` here (merefold/fenproto#19).
--
ilse + Thanks!

@@ release v1.8.0 2026-07-02 gwen
branch: release/1.8
from: 2026-07-01
Duty year
- Plan a whole duty year (#29).
- The console can ask who is on duty (#24); times need a zone (#27).

@@ 32 issue jonas 2026-07-20 not_planned 2026-07-27
Dark mode for the call-out page
labels: enhancement

At three in the morning the page is the brightest thing in the county.
--
gwen: The page will be replaced by the console's panel this winter, so I would rather not.

@@ 33 issue piotr 2026-08-03 open
Pagers never acknowledge
labels: enhancement

Daudi wants to send alerts to the boards' radio pagers, and a pager has no way to answer. Such an alert needs a second channel or a "no answer expected" mark.
--
daudi: The mark is fine, with the second channel as a fallback after ten minutes.
eunice: Please never let a pager be the only channel. Batteries.

@@ release v1.8.1 2026-08-10 gwen
Export
The CSV export reads quality flags (#31): it missed v1.8.0, whose branch was cut the day before.

@@ 34 pr piotr 2026-09-10 open
Do not expect an answer from a pager
labels: enhancement
files: crewboard/callout/{ack.py,engine.py,escalation.py} tests/test_callout.py docs/escalation.md

For #33. The alert counts as delivered, not as acknowledged, and the second channel starts after ten minutes.
--
gwen ! "Delivered" is green on the call-out page. It must not be green.
piotr: Amber then.
daudi +

@@ 35 pr gwen 2026-09-28 open
Remove the old call-out page
files: crewboard/callout/ack.py D:crewboard/templates/callout.html crewboard/urls.py

After the panel in the console is live everywhere. Waiting for Sutton.
--
luc + The panel has everything that page had.
eunice ~ Keep the address alive and redirect, it is on stickers in three vans.
priya +
