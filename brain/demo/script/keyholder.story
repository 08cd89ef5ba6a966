@@ 107 issue nadia 2026-04-29 open
A stolen service token is good for a whole day
labels: security

Tokens of services live for 24 hours. The audit wants less, and so do I.

@@ 108 pr greta 2026-05-05 merged 2026-05-07 yusra
Cut the lifetime of service tokens to ten minutes
labels: security
files: tokens/lifetime.go docs/tokens.md

For #107. Services renew by themselves, so ten minutes are enough.
--
ilmari ~ Do all of them renew? The exports of the boards run for an hour.
greta: The library renews.
yusra +

@@ 109 issue tamsin 2026-05-08 fixed
Exports of the boards are signed out halfway
labels: bug, security

Last evening, from 19:36 on, every export that ran longer than ten minutes ended with "not signed in". The portal hands its token to the job, and the job cannot renew what is not its own.
--
ilmari: So that is who does not renew.

@@ 110 pr greta 2026-05-08 merged 2026-05-08 ilmari
Revert "Cut the lifetime of service tokens to ten minutes"
labels: security
reverts: 108
files: tokens/lifetime.go docs/tokens.md

Reverts #108. Fixes #109. Jobs that carry a token of somebody else cannot renew it. Production has been on the version before since 20:20.
--
ilmari +

@@ 113 pr ilmari 2026-05-13 merged 2026-05-19 tamsin
Keep a service token alive for the longest job that carries it
labels: security
files: tokens/lifetime.go docs/tokens.md

ADR-0011, in code: the lifetime is never less than the longest job in the list of jobs, at present one hour. Who wants it shorter has to shorten the job first.
--
tamsin + The exports stay at an hour for now.
yusra + I can live with an hour. Not with a day.

@@ 131 pr greta 2026-07-22 merged 2026-07-29 solomon
Drop accounts that the directory no longer lists
labels: security, privacy
files: signin/directory.go signin/sessions.go

The sync removes who is gone, the same night, with everything that hangs on the account.
--
solomon + Was overdue.
gwen ~ The rota hangs on the account. What does it see?
greta: An account that is gone. Shifts of people who left should be empty anyway.

@@ 132 issue piotr 2026-07-30 fixed
Crowland had no rota because the directory answered with half a list
labels: bug, security

At 23:40 the new sync asked a directory that was being moved, and took half a list for everything. Nobody of Crowland was on it, so their accounts went, the rota emptied their shifts, and at 01:12 nobody was called.
--
solomon: An incomplete answer must never remove anybody.

@@ 133 pr greta 2026-07-30 merged 2026-07-30 piotr
Remove nobody on an incomplete list
labels: security, safety
files: signin/directory.go docs/signing-in.md

An answer without its last page is no answer. More than five removals in one night wait for a person. Fixes #132.
--
piotr + Tried it with the broken page.
solomon +

@@ 147 issue dario 2026-09-14 open
The audit asks again for shorter service tokens
labels: security

One hour is noted as a finding of low severity. What would it take?

@@ 149 pr ilmari 2026-09-18 merged 2026-09-22 solomon
Shorten service tokens to fifteen minutes
labels: security
files: tokens/lifetime.go tokens/renewal.go docs/tokens.md

Closes the finding of #147. The renewal now starts after ten minutes, so fifteen are plenty. The list of jobs has been empty since the jobs moved to the runner.
--
greta + The renewal works, I watched it for an hour.
solomon +

@@ 151 pr ilmari 2026-09-23 merged 2026-09-24 tamsin
Give service tokens an hour again
labels: security
files: tokens/lifetime.go docs/tokens.md

The portal carries its token through sign-in for as long as a page is open, and that was on no list. Back to an hour until it is.
--
tamsin +
yusra + Write down who carries tokens, please, before anybody tries a third time.
