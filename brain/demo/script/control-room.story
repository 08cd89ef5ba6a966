@@ tree priya 2025-04-08
Operator console, first version without the pilot's frames
files: src/map/{Map.tsx,tiles.ts,layers.ts,legend.tsx} src/alarms/{AlarmList.tsx,sound.ts,ack.ts} src/auth/{session.ts,roles.ts,oidc.ts} src/timeline/{Timeline.tsx,scale.ts} src/i18n/{en.json,nl.json,cy.json} src/gates/{GatePanel.tsx,StopButton.tsx} src/api/{client.ts,live.ts} tests/{map.spec.ts,alarms.spec.ts,auth.spec.ts} e2e/operator.spec.ts docs/accessibility.md .github/workflows/ci.yaml package.json package-lock.json CHANGELOG.md README.md

@@ 1 issue eunice 2025-04-16 fixed
Map is unreadable in direct sun
labels: bug, accessibility, field-report

Blue water on a blue base map. In the cab, at noon, I see nothing but my own face.
--
priya: There is a high-contrast style in the tile set, we never offered it.
jonas: Same in the boat. I use the paper map before ten.

@@ 2 pr priya 2025-04-24 merged 2025-04-29 luc
Offer a high-contrast map
labels: accessibility
files: src/map/{Map.tsx,tiles.ts,legend.tsx} src/i18n/{en.json,nl.json,cy.json} docs/accessibility.md

Follows the system's setting, with a switch in the legend. Fixes #1.
--
eunice + Photo from the cab: works.
luc @ src/map/legend.tsx: The switch needs a name for screen readers.
priya: It has one now, in three languages.
jonas +
luc +

@@ 3 pr luc 2025-05-07 merged 2025-05-14 priya
Play a sound for unacknowledged alarms
labels: enhancement
files: src/alarms/{sound.ts,AlarmList.tsx} src/i18n/{en.json,nl.json,cy.json} tests/alarms.spec.ts

Browsers forbid sound before the first click, so signing in counts as one. Repeats every 30 seconds, stops on acknowledgement.
--
priya ! Two tabs play two sounds, half a second apart. It is quite terrifying.
luc: One tab is the speaker now, elected through a lock.
priya +
eunice: Can it be a different sound from the microwave in Holme?

@@ 4 issue yusra 2025-05-20 fixed
Session survives the end of a shift
labels: security

The tablet on the hook stays signed in as whoever used it last, for 30 days.
--
gwen: On the tablet in Holme that is Piotr, who has not been there since March.
piotr: I wondered who acknowledged things in my name.

@@ 5 pr yusra 2025-05-28 merged 2025-06-05 priya
Sign out at the end of a shift
labels: security
files: src/auth/{session.ts,oidc.ts,roles.ts} tests/auth.spec.ts

The session ends with the shift that crewboard knows, or after twelve hours. A warning ten minutes before, and never in the middle of a movement.

Closes #4.
--
priya @ src/auth/session.ts: What if the clock of the tablet is wrong? They often are.
yusra: Uses the server's time from the token response.
priya +
piotr +
gwen + Shifts come from the API with their real end, swaps included.

@@ 6 pr dep 2025-06-09 merged 2025-06-10 priya
Bump vite from 6.2.0 to 6.3.5
labels: dependencies
files: package.json package-lock.json

Bumps vite from 6.2.0 to 6.3.5.
--
luc +

@@ release v5.0.0 2025-06-16 priya
Fifth console
- High contrast (#2), sounds (#3), sessions that end with the shift (#5).

@@ 7 issue gwen 2025-06-23 closed 2025-07-17 luc
Names of districts are not in Welsh anywhere
labels: i18n

The list comes from the server in English. At least the ones on the Dee have official Welsh names.
--
luc: Can the server send both?
gwen: It can, crewboard has a column for it.
[2025-07-17] luc: Shown since #9.

@@ push luc 2025-06-27
Link the keyboard shortcuts from the README
files: README.md

@@ 8 issue luc 2025-07-01 fixed
Alarm list jumps while one reads it
labels: bug, accessibility

New alarms push the list down just as the finger comes down. An operator acknowledged the wrong gauge that way.
--
priya: Freeze the order while a pointer is over the list, and show "3 new" at the top.
jonas: That was me. Sorry, gauge 118.

@@ 9 pr luc 2025-07-08 merged 2025-07-17 priya
Hold the alarm list still while it is in use
labels: accessibility
files: src/alarms/{AlarmList.tsx,ack.ts} tests/alarms.spec.ts src/i18n/{en.json,nl.json,cy.json}

Fixes #8. New alarms wait in a bar at the top, except red ones, which are shown at once above the list without moving it.
--
priya + 
zofia ! On a touch screen there is no pointer over anything. Hold while the list has scrolled or was touched in the last five seconds.
luc: Done, with a test for touch.
luc: The red bar has a border as well, colour alone would not be enough.
zofia +

@@ 10 pr priya 2025-07-22 merged 2025-07-24 priya
Load the client as an ES module
files: src/api/client.ts package.json package-lock.json

Removes the last CommonJS import, so that fenproto can drop it too.
--

@@ 11 issue jonas 2025-08-04 fixed
Confirm before a gate moves
labels: safety, enhancement

A tap on "open" opens. In a pocket as well, as I know since Friday.
--
sanna: Agreed, with what will happen in words: "Open Thornwick gate 2 by 300 mm. Downstream 12 cm lower."
luc: Two taps at two places, or hold to confirm?
sanna: Hold, one second. Stop must remain a single tap.
eunice: One second feels long in a hurry and short in a pocket. Good compromise.

@@ 12 pr luc 2025-08-12 merged 2025-08-20 sanna
Hold to confirm a movement
labels: safety
files: src/gates/{GatePanel.tsx,StopButton.tsx} src/api/client.ts src/i18n/{en.json,nl.json,cy.json} e2e/operator.spec.ts

Says what will happen, then wants one second of holding. Stop is one tap and always there. Closes #11.
--
sanna ! The sentence uses the level from when the panel was opened. If it is older than 90 s say so in the sentence.
luc: It counts up now: "downstream 12 cm lower, 40 seconds ago".
sanna +
tomasz +
jonas + My pocket failed to open a gate for a whole day.
priya +

@@ 13 pr luc 2025-09-03 merged 2025-09-05 priya
Show the reason of a refusal
labels: enhancement
files: src/gates/GatePanel.tsx src/api/client.ts src/i18n/{en.json,nl.json,cy.json}

Uses the codes of merefold/gatekeeper#21. Unknown codes show the sentence that came with them.
--
tomasz +
sanna +
priya +

@@ 14 issue zofia 2025-09-08 fixed
Acknowledge button can be reached but not pressed by keyboard
labels: bug, accessibility

It is a div with a role and without a key handler.

@@ 15 issue priya 2025-09-15 fixed
Freshness badge stays "live" when the stream is dead
labels: bug, safety

On Saturday the stream stood still for 50 minutes and every tile said "live". The badge turns grey when a reading is older than the gauge's schedule, but the console does not
know the schedule and takes an hour.
--
luc: We could ask for the schedule from somewhere, or have the stream say "I am alive, nothing new".
ilse: The second one. A heartbeat per gauge is cheap.
priya: Then there is nothing to do here: the badge already looks at the last message of any kind. Leaving it open until it is seen to work.
wren: The dead stream was my doing, an upgrade of the broker. It should have paged me as well.
aoife: The forecast noticed, by the way: it went "stale" after 20 minutes, in a log that nobody reads.

@@ 16 pr zofia 2025-09-16 merged 2025-09-18 luc
Make the acknowledge button a button
labels: accessibility
files: src/alarms/AlarmList.tsx tests/alarms.spec.ts

Fixes #14.
--
luc + Obvious in hindsight.

@@ 17 pr yusra 2025-09-22 merged 2025-09-30 priya
Send the operator's subject with every command
labels: security
files: src/auth/{session.ts,oidc.ts} src/api/client.ts tests/auth.spec.ts package.json package-lock.json

For merefold/fenproto#9. The display name stays on the screen.
--
tomasz + Accepted by gatekeeper on staging.
tomasz @ src/api/client.ts: Only the subject, not the whole token, please.
yusra: Only the subject. The test looks at the request body.
luc +
priya +

@@ release v5.2.0 2025-10-06 priya
Careful hands
- Hold to confirm a movement (#12), refusals with a reason (#13).
- The alarm list holds still (#9) and works with the keyboard (#16).
- Commands carry the operator's identity (#17). Needed for gatekeeper 2.3.

@@ 18 issue gwen 2025-10-20 fixed
Welsh is cut off on the gate panel
labels: bug, i18n

"Wedi'i chloi'n lleol" does not fit where "Local" does.

@@ 19 pr gwen 2025-10-22 merged 2025-10-24 luc
Let labels on the gate panel wrap
labels: i18n
files: src/gates/GatePanel.tsx src/i18n/cy.json

My first change in this repository, be kind. Fixes #18.
--
priya +
luc + Diolch, and welcome.

@@ 20 issue jonas 2025-10-30 not_planned 2025-11-14
Swipe to acknowledge
labels: enhancement

Like in the mail app. Faster with cold hands.
--
luc: I worry about pockets again, see #11. An acknowledgement is a promise.
jonas: Fair, my pocket has made promises before.

@@ 21 pr priya 2025-11-03 merged 2025-11-20 luc
Draw 4,000 gauges without dropping frames
labels: enhancement
milestone: Winter readiness 2025
files: src/map/{Map.tsx,tiles.ts,layers.ts} tests/map.spec.ts package.json package-lock.json

One layer on the GPU instead of 4,000 nodes. From 9 to 60 frames a second on the old laptop in Spalding.
--
luc ! Markers are no longer in the accessibility tree. The list below the map is not a substitute if it does not follow the selection.
priya: It follows now, in both directions.
luc +
wren + Old laptop in Spalding says thank you.
bjarki ~ Did you try with 12,000? The Fens are not the end of the world.
priya: 12,000 gives 41 frames on the same machine. Good enough for the next county.
zofia + Also with the screen reader.

@@ 22 issue ghost 2025-11-11 open
Offer a Dutch keyboard shortcut list
labels: i18n, good first issue

The help page shows shortcuts with English key names only.
--
luc: The reporter's account is gone, but the point stands.
priya: Anyone who can type Dutch is welcome, the file is `src/i18n/nl.json`.

@@ 23 pr luc 2025-11-25 merged 2025-12-02 luc
Keep the console usable without a network
labels: enhancement
milestone: Winter readiness 2025
files: src/api/{live.ts,client.ts} src/map/Map.tsx A:src/offline/store.ts A:src/offline/banner.tsx src/i18n/{en.json,nl.json,cy.json}

Last known values in grey with their age, commands disabled, a banner that says since when.
--
priya + 
yusra @ src/offline/store.ts: Please nothing personal in the offline store. Levels and positions only.
luc: Levels, positions, thresholds. No names.
yusra +
zofia +
sanna + I like that commands are disabled and not queued.

@@ 24 issue wren 2025-12-09 fixed
Console opens 14 connections to the live feed
labels: bug

One per widget. Multiplied by 60 operators it is what made the broker sweat during Sunday's storm.
--
bjarki: That explains why the broker had more sessions than there are employees.

@@ push priya 2025-12-10
Correct a contrast value in the guide
files: docs/accessibility.md

@@ 25 pr luc 2025-12-11 merged 2025-12-18 priya
Share one connection to the live feed
labels: enhancement
files: src/api/live.ts src/map/layers.ts src/timeline/Timeline.tsx

Fixes #24. From 14 to 1.
--
wren + 
zofia +
priya +

@@ 26 pr luc 2026-01-06 merged 2026-02-02 priya
Show alarms on the timeline
labels: enhancement
files: src/timeline/{Timeline.tsx,scale.ts} src/alarms/{AlarmList.tsx,ack.ts} src/i18n/{en.json,nl.json,cy.json} tests/alarms.spec.ts

One line per gauge: level, thresholds, and when which alarm was seen by whom. Waits for identities that survive a restart.
--
priya ! Time runs to the left on touch devices because the scroll direction is inverted twice.
luc: Once now.
daudi + Identities match.
zofia +
miho ~ Could the line of the tide prediction be drawn behind the level? Later, I mean.
luc: Later, with pleasure.
priya +

@@ 27 issue tomasz 2026-01-19 closed 2026-02-02 luc
Gate panel polls while it is hidden
labels: bug

Each open tab asks for status once a second, also in the background. At the weekend somebody had nine.
--
priya: Visibility API, four lines.
[2026-02-02] luc: Went in with #26, since I was in that file anyway.

@@ push gwen 2026-01-22
Better Welsh for "acknowledge"
files: src/i18n/cy.json

@@ 28 issue yusra 2026-01-29 fixed
<script> in the name of a site is shown as text, except in the map's tooltip
labels: security

I named a test site `<img src=x onerror=alert(1)>`. The tooltip of the GPU layer is built with innerHTML. Nothing is exploitable from outside, names come from
us, but still.
--
luc: The title of this issue is a good test by itself.

@@ 29 pr yusra 2026-02-09 merged 2026-02-12 luc
Ask for the subject again when a token is refreshed
labels: bug, regression
files: src/auth/{oidc.ts,session.ts} tests/auth.spec.ts

The refreshed token came without a subject because the scope was not repeated.

Fixes merefold/gatekeeper#37.
--
luc + Survived three refreshes on my tablet.
tomasz + No ACTOR_MISSING since noon.

@@ 30 pr priya 2026-02-10 merged 2026-02-11 yusra
Build tooltips from nodes
labels: security
files: src/map/{layers.ts,legend.tsx} tests/map.spec.ts

No innerHTML is left in the repository, and a lint keeps it that way. Fixes #28.
--
luc +
yusra +

@@ release v5.3.0 2026-02-16 priya
Timeline
- Alarms on the timeline (#26).
- 4,000 gauges at 60 frames a second (#21), one connection instead of fourteen (#25).
- Works without a network, read-only (#23).
- Fixes: tooltips (#30), refreshed tokens (#29).

@@ 31 issue luc 2026-03-02 fixed
Nobody knows who is on duty without opening crewboard
labels: enhancement

Dispatchers have a second window open all night for one name and one number.
--
piotr: @luc, crewboard could offer that as JSON, there is half an API in a branch.

@@ 32 issue miho 2026-03-10 open
Show high water on the map
labels: enhancement, tides

Time and height of the next high water at each outfall. It is the first thing that people at the coast ask and they look it up in a printed table.
--
priya: Where would the numbers come from, the forecast file?
miho: From the predictions, they exist a year ahead and are cached.

@@ 33 pr luc 2026-03-17 merged 2026-04-08 priya
Panel: who is on duty here
labels: enhancement
files: A:src/crews/CrewPanel.tsx A:src/crews/api.ts src/auth/roles.ts src/map/legend.tsx src/i18n/{en.json,nl.json,cy.json} e2e/operator.spec.ts

District under the cursor, crew, until when, and a way to call. Needs merefold/crewboard#24 on the other side. Closes #31.
--
gwen +
yusra ! roles.ts: a viewer who loses the dispatcher role keeps the numbers until reload, because they are in the cache. Drop the cache when roles change.
luc: Dropped.
yusra +
piotr +
eunice ~ The "call" button is next to the "close" cross. Guess what I did.
luc: Moved apart.
priya +

@@ 34 pr dep 2026-03-23 closed 2026-03-24
Bump react from 18.3.1 to 19.2.0
labels: dependencies
files: package.json package-lock.json

Bumps react from 18.3.1 to 19.2.0.
--
priya: Not by itself, the map library is not ready. Closing.

@@ 35 issue eunice 2026-04-13 fixed
Wrong unit on the rain tile
labels: bug

It says mm/h and shows the total of the day.

@@ 36 pr priya 2026-04-14 merged 2026-04-14 priya
Name the rain tile after what it shows
labels: bug
files: src/map/legend.tsx src/i18n/{en.json,nl.json,cy.json}

"mm today". Fixes #35.
--

@@ push luc 2026-04-21
Say which tablets we test on
files: docs/accessibility.md

@@ 37 issue priya 2026-05-04 fixed
Level tiles show 3.10 m too much at Crowland for a minute after reload
labels: bug, telemetry

The first value comes from the history endpoint, which has no datum yet, the following ones from the live feed, which has.
--
bjarki: History before 5 May stays "unknown" until the backfill has run.
priya: Then I hide the number when the datum is unknown.
aoife: The history endpoint is ours to fix in the long run.

@@ 38 pr priya 2026-05-06 merged 2026-05-12 luc
Show no level whose datum is unknown
labels: telemetry
files: src/map/{layers.ts,tiles.ts} src/timeline/scale.ts src/i18n/{en.json,nl.json,cy.json} package.json package-lock.json

A dash and the reason. Fixes #37.
--
luc +
ilse +
zofia @ src/timeline/scale.ts: The scale divides by zero when no level at all is shown.
priya: Shows an empty axis now.
zofia +
bjarki +

@@ 39 issue sanna 2026-05-18 fixed
Stop button is below the fold on small tablets
labels: bug, safety
milestone: Flood season 2026

At 800 by 1280 the wish form pushes it off the screen. It must never scroll.
--
jonas: Found by trying to stop a gate. I scrolled. It stopped two centimetres later than I wanted.

@@ 40 pr luc 2026-05-20 merged 2026-05-22 priya
Pin the stop button
labels: safety
milestone: Flood season 2026
files: src/gates/{StopButton.tsx,GatePanel.tsx} e2e/operator.spec.ts docs/accessibility.md

Bottom right, on every size, above everything. Fixes #39.
--
sanna ~ Works on the small one. On the large one it covers "hold to confirm" if the text is long; that is the lesser evil but please look.
priya ! It overlaps with the cookie bar of the help page. Who put a cookie bar there?
luc: Removed the cookie bar. We set no cookies.

@@ 41 pr priya 2026-06-02 merged 2026-06-15 luc
Form for wishes with a deadline
labels: enhancement
milestone: Flood season 2026
files: A:src/gates/WishForm.tsx src/gates/GatePanel.tsx src/api/client.ts src/i18n/{en.json,nl.json,cy.json} tests/gates.spec.ts

"Closed by 21:40, because of the tide." Uses merefold/gatekeeper#49.
--
sanna +
luc ! The deadline picker allows the past.
priya: And yesterday's tide cannot be held back. Fixed.
zofia @ src/gates/WishForm.tsx: Label for the time field is missing in Dutch.
priya: Added.
zofia +
luc +

@@ release v5.4.0 2026-06-22 priya
Duty, wishes, stop
- Who is on duty (#33).
- Ask for a gate to be closed by a time (#41); the stop button stays in place (#40).
- Levels with an unknown datum are not shown (#38).

@@ 42 issue luc 2026-07-06 fixed
Alarm sound does not play after the tablet slept
labels: bug, regression

The audio context is suspended when the screen goes dark and nobody wakes it. Found by an operator who wondered why the night was so quiet.
--
priya: That is serious. Would a silent loop keep it awake?
luc: It would also empty the battery. I would rather wake it when an alarm arrives and vibrate if that fails.
wren: Does the phone's do-not-disturb matter as well?
[2026-08-17] eunice: It happened again on the Samsung in Sutton, last night. Screen off, no sound, no vibration either.
[2026-08-17] priya: Reopened. Waking the page is not something we can promise, it seems.

@@ 43 pr luc 2026-07-07 merged 2026-07-10 priya
Wake the audio when an alarm arrives
labels: bug
files: src/alarms/{sound.ts,AlarmList.tsx} tests/alarms.spec.ts

Vibrates and blinks if the browser refuses. Closes #42.
--
zofia ~ I cannot test what a Samsung does in its sleep. We should have one on the shelf.
priya +

@@ push gwen 2026-07-16
One word for "rising" in Welsh
files: src/i18n/cy.json

@@ 44 issue eunice 2026-07-21 closed 2026-09-01 luc
Map forgets where I was
labels: bug

Every alarm takes me back to the whole county. On a small tablet that means pinching for half a minute, in the rain.
--
luc: Done on purpose, years ago, so that nobody misses an alarm elsewhere. A small arrow at the edge would do the same.
[2026-09-01] luc: The push of #45 replaces the jump.

@@ 45 pr luc 2026-08-18 merged 2026-09-01 priya
Deliver alarms through the system's notifications
labels: bug, enhancement
files: src/alarms/{sound.ts,ack.ts} A:src/alarms/push.ts src/auth/session.ts src/i18n/{en.json,nl.json,cy.json} tests/alarms.spec.ts

The page cannot be trusted to be awake, the system can. Web push with the alarm's identity as a tag, so that an acknowledgement elsewhere removes it.

Fixes #42, for good this time.
--
yusra @ src/alarms/push.ts: The text of the alarm passes through the browser maker's server. Send the identity only and fetch the text.
luc: Identity only.
yusra +
priya + 
zofia +
eunice + Slept next to it for two nights. It works.

@@ release v5.5.0 2026-09-08 priya
Alarms that arrive
Alarms come as system notifications (#45), so that they are heard when the tablet sleeps. The fix of July (#43) was not enough.

@@ 46 pr hamid 2026-09-09 open
Take alert texts from floodline's phrase files
labels: i18n
files: src/alarms/AlarmList.tsx src/i18n/{en.json,nl.json,cy.json} package.json

One wording for console, text message and voice. Dutch is missing on the other side.
--
luc ~ Happy about the direction. Please wait for the answer of the boards on "amber".
daudi + Dutch will come, I have asked a board.
gwen + Welsh is right.

@@ 47 issue priya 2026-09-21 open
Print view of the timeline
labels: enhancement, good first issue

For the report after a storm, people photograph their screens.

@@ 48 pr yusra 2026-09-24 open
Passkeys for shared tablets
labels: security, enhancement
milestone: Winter readiness 2026
files: src/auth/{oidc.ts,session.ts,roles.ts} A:src/auth/passkey.ts tests/auth.spec.ts src/i18n/{en.json,nl.json,cy.json}

Tap with the badge instead of typing a password with gloves on. The tablet keeps nothing.
--
eunice + With gloves: 2 seconds. Before: I took them off.
priya ~ Recovery when the badge is lost?
yusra: The supervisor's badge opens a session of one hour, in the name of the person, marked in the audit log.
wren +
sanna ~ A movement that is under way must not depend on the badge staying on the reader.
yusra: It does not, the reader is only for signing in.

@@ 49 issue wren 2026-09-29 open
Bundle grew by 900 kB in a year
labels: tech-debt

The laptop in Spalding needs eleven seconds to the first tile. The largest pieces are the map library twice, in two versions, and a font with 14,000 glyphs for one site name.
--
priya: The second map library is the legend's. I can get rid of that one.
miho: I am the one site name. Sorry!

@@ 50 pr luc 2026-10-06 open
Draw the stop button whatever the heartbeat says
labels: safety, bug
files: src/gates/{StopButton.tsx,GatePanel.tsx} e2e/operator.spec.ts

The console's half of merefold/gatekeeper#62.
--
zofia +
sanna +

@@ push priya 2026-10-13
Replace a screenshot in the README
files: README.md
