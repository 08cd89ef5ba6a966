@@ tree aoife 2025-04-09
Forecast, thresholds and notifications in one package
files: floodline/{__init__.py,config.py,main.py} floodline/forecast/{ensemble.py,routing.py,skill.py} floodline/thresholds/{rules.py,store.py} floodline/notify/{sms.py,email.py,dedupe.py} floodline/tides/{harmonics.py,surge.py,constants.toml} tests/{test_forecast.py,test_thresholds.py,test_notify.py,test_tides.py} docs/{thresholds.md,forecast.md} deploy/values.yaml .github/workflows/ci.yaml pyproject.toml CHANGELOG.md README.md

@@ 1 pr miho 2025-04-17 merged 2025-04-23 aoife
Fit 37 harmonic constituents per outfall
labels: enhancement, tides
files: floodline/tides/{harmonics.py,constants.toml} tests/test_tides.py

The pilot used the eight constituents of the nearest port. The outfalls lie up to nine miles inland and the shallow-water terms matter: with 37 the high
water at Fosdyke is right within four minutes instead of nineteen.
--
daudi ~ No opinion on the sea. The code is clean.
aoife + I can check the code but not the oceanography. The numbers on last year's data convince me.

@@ 2 issue daudi 2025-04-28 fixed
Text messages are cut in the middle of a place name
labels: bug

160 characters, and the board's name alone can have 50. People received "Flood alert Upper Witham Third District Intern".
--
eunice: The duty officer called me to ask who Intern is.
daudi: Place first, then level, then time. The board knows its own name.
gwen: One of our boards is called "Welland and Deepings Internal Drainage Board". Good luck.

@@ 3 pr daudi 2025-05-05 merged 2025-05-08 aoife
Put the place first in a text message
labels: bug
files: floodline/notify/sms.py tests/test_notify.py

Place, level, trend, time, link; the name of the board only if there is room. Never longer than one message.

Fixes #2.
--
eunice + 
aoife @ floodline/notify/sms.py: "ř" costs you 70 characters because the whole message becomes UCS-2. Do we have such place names?
daudi: Not yet. There is a test that fails when one is added.
aoife +

@@ 4 pr aoife 2025-05-12 merged 2025-05-21 aoife
Weight ensemble members by their recent skill
labels: enhancement
files: floodline/forecast/{ensemble.py,skill.py} tests/test_forecast.py docs/forecast.md

Members that did well over the last 20 days count more. The spread stays untouched, only the mean moves.
--
miho + Reads well. Twenty days is one spring-neap cycle and a bit, was that on purpose?
aoife: No, but I will pretend.
daudi +
ilse +

@@ 5 issue jonas 2025-05-22 fixed
Threshold of the wrong gauge after a site was renamed
labels: bug, field-report

"Cowbit Wash" became "Cowbit Wash North" and since then it alarms at the level of the south gauge.
--
aoife: The thresholds are keyed by the display name. That was never a good idea, they need the gauge id.
eunice: The board found it, not us. They were nice about it.

@@ 6 pr aoife 2025-05-27 merged 2025-06-04 daudi
Key thresholds by gauge id
labels: bug
files: floodline/thresholds/{rules.py,store.py} tests/test_thresholds.py docs/thresholds.md

A name is for people. The migration prints what it cannot match; there were two, both retired gauges.

Fixes #5.
--
daudi ! The import of the boards' spreadsheets still goes by name. If it is left like that the bug comes back with the next spreadsheet.
aoife: The import now asks for the id and proposes one by name.
daudi +
zofia +
ilse +

@@ release v3.0.0 2025-06-12 aoife
Third generation
- Ensemble members weighted by skill (#4).
- Tides with 37 constituents for every outfall (#1).
- Thresholds belong to a gauge, not to its name (#6).
- Text messages that fit (#3).

@@ push daudi 2025-06-18
Test number for text messages on staging
files: deploy/values.yaml

@@ 7 issue jonas 2025-06-19 closed 2025-07-28 daudi
Boards want to see who was told and when
labels: enhancement

They keep a paper log beside the telephone. If we had the list with times they would stop ringing us to ask.
--
daudi: The log has it, in my handwriting so to speak. A page with three columns?
[2025-07-28] daudi: Every board has the page since this morning, the dry run of #9 needed the same list.
eunice: The paper log at Holme has been retired with honours.

@@ 8 issue eunice 2025-06-25 fixed
No way to try a threshold before it is live
labels: enhancement

Boards change thresholds in spring and find out in November what they did. They ask for "what would this have done last winter".
--
aoife: The data is there. A dry run over a season takes about a minute.

@@ 9 pr aoife 2025-07-01 merged 2025-07-15 daudi
Dry-run a threshold over a season
labels: enhancement
files: floodline/thresholds/{rules.py,store.py} floodline/main.py tests/test_thresholds.py docs/thresholds.md
co: eunice

`floodline dry-run GAUGE LEVEL --season 2024` lists every alert that there would have been. Eunice wrote the page for the boards.

Closes #8.
--
daudi @ floodline/main.py: It sends the messages! The notifier is called with dry_run=None.
aoife: Nobody received anything, staging has no provider. But still. Fixed, and the notifier refuses None.
daudi ! Please also a test which fails if a dry run reaches any sender.
aoife: There is one now, it fails if any sender is even imported.
eunice +
zofia @ tests/test_thresholds.py: Season 2024 has a leap day, please assert the number of days.
aoife: 366, asserted.
zofia +
daudi +

@@ 10 issue miho 2025-07-17 fixed
Surge residual is computed against the wrong datum in March
labels: bug, tides

From 1 to 29 March the residual at the outfall is off by exactly the height of the new staff gauge. I think the survey moved the zero and nobody moved the constants.
--
jonas: The new staff gauge was mounted on the first of March. I have a photo with a sandwich for scale.

@@ 11 pr miho 2025-07-23 merged 2025-07-30 miho
Date the zero of each outfall gauge
labels: bug, tides
files: floodline/tides/{harmonics.py,surge.py,constants.toml} tests/test_tides.py A:docs/tides.md

A zero has a first day. Fixes #10.
--
aoife ~ I trust you on this one; I could not find out by reading how `z0` and `msl` differ. A line in the docs?
miho: docs/tides.md has it now. Short: msl moves, z0 does not.

@@ 12 pr daudi 2025-08-06 merged 2025-08-12 aoife
Ignore corrections of a reading that was already judged
labels: enhancement
files: floodline/notify/dedupe.py floodline/thresholds/rules.py tests/test_notify.py

A correction changes the record, not the alarm. If the corrected value would have tripped a threshold that did not trip, that is an alarm of its own, marked as late.

For merefold/gauge-stream#12.
--
aoife +
ilse +
luc + The console can show "late", it had a place for it.

@@ 13 pr daudi 2025-08-20 merged 2025-08-22 aoife
Give every channel a module of its own
files: R:floodline/notify/sms.py>floodline/notify/channels/sms.py R:floodline/notify/email.py>floodline/notify/channels/email.py A:floodline/notify/channels/voice.py floodline/notify/dedupe.py tests/test_notify.py

Voice is coming: a machine that reads out the alert, because of the boards whose duty officer has no smartphone. Nothing else changes here.
--
zofia +
aoife +

@@ 14 issue aoife 2025-09-09 fixed
Routing ignores a closed sluice
labels: bug

Water is sent down the Vernatt's drain although the sluice is shut, so we forecast a flood in Spalding and dry feet upstream. It was the other way round.
--
sanna: Gatekeeper publishes gate openings each minute, if that helps.
aoife: It does. The routing needs the opening and a rating curve for each gate.
eunice: Spalding thanked us for the warning. Politely.

@@ 15 pr aoife 2025-09-17 merged 2025-10-01 aoife
Route water through the gates as they stand
labels: enhancement
milestone: Winter readiness 2025
files: floodline/forecast/{routing.py,ensemble.py} floodline/config.py tests/test_forecast.py docs/forecast.md deploy/values.yaml

Openings come from gatekeeper, rating curves from the boards. Where there is none, a weir of the same width is assumed and the forecast says so.

Closes #14.
--
sanna @ floodline/forecast/routing.py: opening_mm is zero for "unknown" as well as for "closed" here. Look at the state first.
aoife: Right. Unknown means the last known, with a wider spread.
sanna +
daudi +
tomasz ~ If the forecast depends on us now, please say which of our outages hurts you.
aoife: Anything over an hour. Below that the last known opening is good enough.
ilse +

@@ release v3.1.0 2025-10-08 aoife
Gates in the forecast
- The forecast knows which gates are shut (#15).
- Dry run for thresholds (#9).
- Corrections do not alarm twice (#12), voice calls prepared (#13).
- The zero of an outfall gauge has a date (#11).

@@ 16 issue wren 2025-09-25 open
Forecast run has no owner at night
labels: question

If the run at 02:00 fails, the alert goes to the general on-call person, who can restart it and nothing else. Is there a list of what can be tried?
--
aoife: Restart, then use the previous run, then wake me. I will write it down properly.
[2026-02-11] wren: It is February. I had to wake you.

@@ 17 pr miho 2025-10-14 merged 2025-10-24 aoife
Add wind set-up to the surge
labels: tides
milestone: Winter readiness 2025
files: floodline/tides/{surge.py,constants.toml} tests/test_tides.py docs/tides.md

With a north-easterly over 15 m/s the Wash fills by up to 40 cm more than pressure alone explains. One coefficient per outfall, fitted on eleven storms.
--
daudi ~ Approving needs someone who understands it; I only see that the tests are good.
aoife + Eleven storms are not many, but it is eleven more than before.

@@ 18 issue yusra 2025-10-27 fixed
Phone numbers of duty officers are in the log
labels: security, privacy

At level INFO, with the text of the message. The log is kept for 400 days.
--
daudi: Sorry. I will log the id of the person from crewboard and nothing else.
gwen: Should we tell the people? They asked me about data protection last year.
yusra: We tell them. I have written the text.

@@ 19 pr daudi 2025-10-28 merged 2025-10-29 yusra
Log who was notified by id, not by number
labels: security, privacy
files: floodline/notify/{dedupe.py,channels/sms.py,channels/voice.py}

Fixes #18. The old logs were purged by Yusra on the 28th.
--
zofia +
yusra +

@@ 20 pr dep 2025-11-03 merged 2025-11-04 aoife
Bump numpy from 2.1.3 to 2.3.4
labels: dependencies
files: pyproject.toml

Bumps numpy from 2.1.3 to 2.3.4.
--

@@ 21 issue gwen 2025-11-19 open
Which duty officer gets an alert for two boards?
labels: question

If a gauge is on the border both boards are alerted, and the same person is on duty for both on Wednesdays. She gets everything twice.
--
daudi: By design: each board must be able to prove that its officer was told.
gwen: I know. But could the second message say "same as before"?

@@ push aoife 2025-11-20
Describe how members are weighted
files: docs/forecast.md

@@ 22 pr zofia 2025-12-01 merged 2025-12-04 aoife
Replay the storm of December 2013 in CI
labels: testing
files: tests/test_forecast.py tests/test_thresholds.py A:tests/data/december_2013.csv .github/workflows/ci.yaml

The whole chain from readings to messages over the worst night on record. Takes 70 seconds, runs nightly.
--
aoife + I was seventeen and filling sandbags that night. Good to see the numbers.
ilse +
daudi +

@@ 23 issue priya 2025-12-10 closed 2026-01-28 aoife
Send the forecast as one file for the timeline
labels: enhancement

The console asks 300 times, once for each gauge.
--
aoife: One file per district and run, 80 kB compressed. Is that small enough?
priya: Very.
[2026-01-28] aoife: Shipped with #25 because the format changed anyway.

@@ 24 issue eunice 2026-01-12 fixed
Surge alert reached the Holme board twice, an hour apart
labels: bug, field-report

Same text, same level, 04:10 and 05:10, to the same person. They rang to ask whether it was a second surge.
--
daudi: Our log shows one message. The second was sent by crewboard: it treats an alert without acknowledgement as lost and repeats it, but the officer had acknowledged by voice.
piotr: Then it is ours. The voice acknowledgement arrives with an id that we do not know.

@@ push miho 2026-01-14
New constants for Wainfleet after the survey
files: floodline/tides/constants.toml

@@ 25 pr aoife 2026-01-19 merged 2026-01-28 daudi
Read quality flags instead of the valid bit
labels: telemetry
files: floodline/thresholds/rules.py floodline/forecast/{ensemble.py,routing.py} tests/{test_thresholds.py,test_forecast.py} pyproject.toml

FROZEN and OUT_OF_RANGE are ignored, MAINTENANCE is filled from the neighbours, SUSPECT counts with half its weight. For tides SUSPECT counts fully.
--
ilse +
miho ~ Confirmed for the tides.
zofia +
daudi +

@@ 26 pr daudi 2026-01-26 merged 2026-02-03 aoife
Derive an alarm's identity from threshold and onset
labels: enhancement
files: floodline/notify/dedupe.py floodline/thresholds/{rules.py,store.py} tests/test_notify.py pyproject.toml

As in merefold/fenproto#16. A restart keeps every open alarm.
--
luc + Duplicates in the console are gone.
piotr + We key our repeats on the same identity.
aoife +

@@ release v3.2.0 2026-02-10 aoife
Flags and identities
- Quality flags decide what a reading is worth (#25).
- Alarms keep their identity over restarts (#26).
- Wind set-up for the outfalls (#17).
- No telephone numbers in the log (#19).

@@ 27 issue aoife 2026-02-16 fixed
Forecast of 11 February was 40 minutes late
labels: bug

The run waits for all 30 members. One of them came from a host that was being drained, and the 29 others had been ready since 05:50.
--
wren: The drain was announced, but not to the forecast.
aoife: We should not need all thirty. With 24 the mean is the same to the centimetre.
bjarki: Same drain also made two uploads late, by the way. It was a busy morning.

@@ 28 pr aoife 2026-02-18 merged 2026-02-26 aoife
Publish when 24 of 30 members are in
labels: enhancement
files: floodline/forecast/{ensemble.py,skill.py} floodline/config.py tests/test_forecast.py docs/forecast.md

The late ones update the forecast when they come. Fixes #27.
--
daudi ~ Would an update trigger a second message?
aoife: Only when a threshold changes sides.
wren +

@@ 29 issue hamid 2026-02-24 not_planned 2026-03-10
Replace our ensemble by a learned model?
labels: question

A paper from Delft does better than routing on lowland rivers. Would anyone like to try it on our data?
--
aoife: I read it. It is better on average and worse on the ten worst days. Our customers pay for the ten worst days.
miho: Also it cannot say why, and the boards always ask why.
hamid: Convinced, closing.

@@ 30 pr miho 2026-03-05 merged 2026-03-13 miho
Cache tidal predictions for a month
labels: tides
files: floodline/tides/harmonics.py tests/test_tides.py

A prediction depends on nothing but constants and time. Each run recomputed 400,000 values.
--
aoife + Eleven seconds faster.

@@ 31 issue bjarki 2026-04-02 fixed
Offset of Hydra gauges is applied here as well
labels: bug, telemetry
milestone: Flood season 2026

Counterpart to merefold/gauge-stream#30. Once readings carry the datum, the table in `routing.py` has to go.

@@ 32 pr daudi 2026-04-09 merged 2026-04-14 aoife
Let the notification say the local time of the board
labels: bug
milestone: Flood season 2026
files: floodline/notify/{dedupe.py,channels/sms.py,channels/voice.py} floodline/notify/zones.py tests/test_notify.py

We handed UTC to crewboard, which took it for local time; since the end of March every alert between midnight and one belongs to the day before. All times now carry their zone.

Closes merefold/crewboard#26.
--
gwen + Tested with the April rota, the right crew is called.
aoife +

@@ push miho 2026-04-22
Spell out z0 and msl once more
files: docs/tides.md

@@ 33 pr aoife 2026-04-29 merged 2026-05-06 daudi
Believe the datum of a reading
labels: telemetry
milestone: Flood season 2026
files: floodline/forecast/routing.py floodline/thresholds/rules.py tests/{test_forecast.py,test_thresholds.py} docs/thresholds.md

The table of offsets is gone. A level with an unknown datum is never compared with a threshold; it raises a maintenance notice instead.

Fixes #31.
--
bjarki +
ilse +
zofia @ tests/test_thresholds.py: Add one reading with the datum missing in the middle of a series.
aoife: Added. It found an off-by-one in the notice.
zofia +
daudi + The manual switch for Crowland and Holme is back to normal.

@@ 34 issue gwen 2026-05-06 closed 2026-06-17 daudi
Voice calls speak the name of the board like a robot from 1985
labels: bug, i18n

"Wel-land and Dee-pings". The people there take it personally.
--
daudi: I can give each board a spelling for the machine.
[2026-06-17] daudi: The phrase files of #39 have a field for it.

@@ 35 pr aoife 2026-05-12 merged 2026-05-20 aoife
Use the ensemble median for alerts
labels: enhancement
files: floodline/forecast/{ensemble.py,skill.py} floodline/thresholds/rules.py tests/test_forecast.py docs/forecast.md

The mean is pulled up by one wild member and cost us three false alarms in April. The median is calmer.
--
daudi +
miho ~ For surges the wild member was right twice. I would not do this at the coast.

@@ release v3.3.0 2026-05-21 aoife
Median
- Alerts follow the median of the ensemble (#35).
- A reading's own datum is believed (#33).
- Alert times carry their zone (#32).
- 24 of 30 members are enough to publish (#28); tidal predictions are cached (#30).

@@ 36 issue eunice 2026-06-01 fixed
Missed alert at Fosdyke on 30 May
labels: bug, field-report, regression

The surge came in 25 cm over the amber threshold and nobody was told until the gauge itself tripped, twenty minutes before high water. The forecast page shows four of thirty members above amber.
--
miho: The median cannot see four of thirty. The weighted mean would have.
aoife: Reverting for tonight, then thinking.
wren: The page of the forecast was right, all the time. We looked at the wrong number.
sanna: Nobody closed the gate at Fosdyke because nobody was told. Please invite me to the review.

@@ 37 issue zofia 2026-06-01 open
December 2013 replay does not cover the coast
labels: testing

The missed alert of #36 would have shown up if the replay had an outfall in it. All nine gauges in it are inland.

@@ 38 pr aoife 2026-06-01 merged 2026-06-01 aoife
Revert "Use the ensemble median for alerts"
labels: regression
reverts: 35
files: floodline/forecast/{ensemble.py,skill.py} floodline/thresholds/rules.py tests/test_forecast.py docs/forecast.md

This reverts #35. Alerts follow the weighted mean again, everywhere.
--
wren +
daudi + On call tonight, deploying now.

@@ release v3.3.1 2026-06-01 daudi
Back to the mean
Reverts the median (#38). Deploy before tonight's high water.

@@ 39 pr daudi 2026-06-10 merged 2026-06-17 aoife
Read alerts aloud in Welsh
labels: enhancement, i18n
files: floodline/notify/channels/voice.py tests/test_notify.py A:floodline/notify/phrases/cy.toml A:floodline/notify/phrases/en.toml

For the first customer on the Dee. Gwenllian spoke the numbers so that we could check the machine's.
--
gwen + "Un deg wyth" sounds right now. Diolch!
zofia @ floodline/notify/phrases/cy.toml: Tab in line 12, toml does not care but I do.
daudi: Gone.
aoife +

@@ 40 issue daudi 2026-06-22 fixed
Provider counts a message with an emoji as five
labels: bug

A board put a wave into its signature. The bill for May has 11,000 segments instead of 2,300.
--
gwen: Was it Sutton? It was Sutton.

@@ 41 pr daudi 2026-06-24 merged 2026-06-26 daudi
Strip what does not fit into the GSM alphabet
labels: bug
files: floodline/notify/channels/sms.py tests/test_notify.py

Signature included. Fixes #40.
--

@@ 42 pr aoife 2026-06-29 closed 2026-07-10
Separate thresholds for coast and inland
files: floodline/thresholds/{rules.py,store.py} docs/thresholds.md

Two tables, so that the coast can follow the mean and inland the median.
--
daudi ! Two tables means that somebody will forget one. Could the gauge carry the statistic instead?
miho ~ A gauge knows whether it is tidal, it has a tag. Use that.
aoife: Better. Closing this, see #43.

@@ 43 pr aoife 2026-07-10 merged 2026-07-24 miho
Choose mean or median per gauge
labels: enhancement
files: floodline/forecast/{ensemble.py,skill.py} floodline/thresholds/{rules.py,store.py} tests/{test_forecast.py,test_thresholds.py} docs/{forecast.md,thresholds.md}

Brings back #35 for inland gauges only. Tidal gauges keep the weighted mean, and for them a third of the weight above a threshold is enough for an early notice.

Fixes #36.
--
miho ! One fifth, please. On 30 May it was four of thirty, which is less than a third and less than a fifth only by weight. With weights it was 0.22.
aoife: One fifth by weight, and 30 May is a test.
miho +
zofia +
eunice + Tried the season with it. 30 May alerts 75 minutes before high water.
daudi +

@@ push daudi 2026-07-15
Second provider for voice calls
files: deploy/values.yaml

@@ release v3.4.0 2026-08-04 aoife
Mean or median
- Each gauge says whether it follows the mean or the median (#43). The coast gets an early notice at one fifth of the weight.
- Voice alerts in Welsh (#39), cheaper text messages (#41).

@@ 44 issue miho 2026-08-11 open
Who maintains the tide model when I am away?
labels: tides, tech-debt

I will be at sea from 9 November to 18 December. Everything under floodline/tides has been written by me and I do not see who would notice a wrong constituent. Could somebody, perhaps @aoife, sit with me for two afternoons in October?
--
aoife: Me, and I would like Daudi to come as well since he is on call in November.
daudi: Booked the 20th and the 21st.
wren: Is there anything that a machine could watch, such as the residual's mean over a week?
miho: Yes! If the mean residual exceeds 6 cm for three tides something is wrong. That would be a good alarm.

@@ 45 pr miho 2026-08-18 merged 2026-08-27 aoife
Fit constituents on minute data
labels: tides
files: floodline/tides/{harmonics.py,constants.toml} tests/test_tides.py docs/tides.md

The stream keeps the minute now (merefold/gauge-stream#36), so the fit does not see a staircase any more. Error of high water at Fosdyke: 2 minutes, 3 cm.
--
daudi +
aoife +

@@ 46 issue bjarki 2026-08-24 open
Thresholds ignore the age of a reading
labels: bug, safety

A reading that arrives two hours late trips a threshold as if it were now. Since the readings carry LATE we could tell.
--
daudi: A late red level is still news, people want to know. But it should say that it is old.
aoife: And it must not start a call-out by itself, in my opinion.
bjarki: Then two decisions, and I do not want to take either of them alone.

@@ 47 issue ghost 2026-09-01 closed 2026-09-02 aoife
Is there a public API for levels?

I live beside the Glen and would like a widget.
--
aoife: Not from us, but the environment agency publishes the same gauges with fifteen minutes of delay. Good luck with the widget!

@@ 48 pr aoife 2026-09-07 open
Ask gatekeeper for a closed gate by a deadline
labels: enhancement
files: floodline/forecast/routing.py floodline/thresholds/rules.py A:floodline/wishes.py tests/test_thresholds.py

Uses the wishes of merefold/gatekeeper#49 instead of sending commands. The deadline is the earliest time of the band, as agreed in merefold/gatekeeper#44.
--
sanna + From gatekeeper's side.
daudi ! If gatekeeper is down we now do nothing at all, before we at least got an error. Raise an alarm when a wish is not confirmed within a minute.
aoife: Will do, after the training week.
tomasz + The queue side has been in production since June.

@@ 49 pr daudi 2026-09-15 open
Send alerts over the boards' own radio pagers
labels: enhancement
files: A:floodline/notify/channels/pager.py floodline/notify/dedupe.py tests/test_notify.py deploy/values.yaml

POCSAG through the gateway at Boston. Eighty characters, no acknowledgement, works when the mobile network does not.
--
eunice + Please. In January the mast at Holme was under water.
aoife ~ No acknowledgement means crewboard will repeat it for ever, or not?
daudi: It has to learn that a pager never answers. Talking to @piotr.
luc ~ The console has no icon for "sent, will never be confirmed".

@@ push miho 2026-09-17
Constants for the equinox springs
files: floodline/tides/constants.toml

@@ 50 pr miho 2026-09-24 draft
Surge from the operational ensemble of the met office
labels: tides
files: floodline/tides/{surge.py,constants.toml} A:floodline/tides/members.py docs/tides.md

Draft, not for this winter.
--

@@ 51 issue luc 2026-10-07 open
Alarm texts are built in three places
labels: tech-debt

Console, text message and voice each have their own wording of "rising, 12 cm above amber". They drifted: the console says amber where the voice says "second warning level".
--
daudi: phrases/*.toml could be the one place, if the console can read it.
gwen: And Welsh has three words for "rising" now.

@@ push aoife 2026-10-12
Correct the name of the Vernatt's drain
files: docs/forecast.md
