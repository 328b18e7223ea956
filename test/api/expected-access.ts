// THE table of who gets what: every route and every kind of operation, for every actor. authorisation-matrix.test.ts
// replays it; an entry of the server that is missing here, or one here that the server lacks, fails the build.

export const actors = [
  'anonymous',
  'owner',
  'stranger',
  'revoked session',
  'expired session',
  'api token',
  'reading api token',
  'device token',
  'disabled account',
] as const;
export type ActorName = (typeof actors)[number];

/** Status by actor; `in` and `out` stand for the two answers most rows have. */
type Row = Readonly<Record<ActorName, number>>;

/** `in` for those with a good web session, `out` for everybody else. */
const webOnly = (own: number, foreign: number, out = 401): Row => ({
  anonymous: out,
  owner: own,
  stranger: foreign,
  'revoked session': out,
  'expired session': out,
  'api token': out,
  'reading api token': out,
  'device token': out,
  'disabled account': out,
});

const everybody = (status: number): Row => webOnly(status, status, status);

/** Only a good API token, in its own carrier, opens these. */
const apiOnly = (status: number): Row => ({
  ...everybody(401),
  'api token': status,
  'reading api token': status,
});

/** Only one that is good for writing. */
const apiWriting = (status: number): Row => ({ ...apiOnly(status), 'reading api token': 403 });

/** The public API answers at the root and under /api. `:id` is a session's, and so the id of nothing here. */
const dataCalls: Readonly<Record<string, Row>> = {
  // No body: 422 says that the door opened.
  'POST /tasks': apiWriting(422),
  'GET /tasks': apiOnly(200),
  'GET /tasks/:id': apiOnly(404),
  'PATCH /tasks/:id': apiWriting(404),
  'DELETE /tasks/:id': apiWriting(404),
  'GET /tasks/:id/comments': apiOnly(404),
  'POST /tasks/:id/comments': apiWriting(422),
  'PATCH /comments/:id': apiWriting(422),
  'DELETE /comments/:id': apiWriting(404),
  'GET /events': apiOnly(422),
  'GET /tasks/:id/blocks': apiOnly(404),
  'POST /tasks/:id/blocks': apiWriting(422),
  'PATCH /tasks/:id/blocks/:block': apiWriting(404),
  'DELETE /tasks/:id/blocks/:block': apiWriting(404),
  'GET /todo_items/with_ids': apiOnly(422),
  'POST /todo_items/bulk_create': apiWriting(422),
  'POST /todo_items/bulk_update': apiWriting(422),
  'POST /todo_items/bulk_delete': apiWriting(422),
  'POST /todo_items/bulk_restore': apiWriting(422),
  'GET /lists': apiOnly(200),
  'POST /lists': apiWriting(422),
  'PATCH /lists/:id': apiWriting(404),
  'DELETE /lists/:id': apiWriting(404),
  'POST /lists/:id/duplicate': apiWriting(404),
  'GET /lists/:id/public_links': apiOnly(404),
  'POST /lists/:id/public_links': apiWriting(404),
  'PATCH /lists/:id/public_links/:link': apiWriting(404),
  'DELETE /lists/:id/public_links/:link': apiWriting(404),
  'GET /macros': apiOnly(200),
  'POST /macro_runs': apiWriting(422),
  'GET /macro_runs/:id': apiOnly(404),
  'GET /export': apiOnly(200),
  'GET /labels': apiOnly(200),
  'GET /openapi.json': everybody(200),
  'POST /labels': apiWriting(422),
  'PATCH /labels/:id': apiWriting(404),
  'DELETE /labels/:id': apiWriting(404),
};
const underApi = Object.fromEntries(
  Object.entries(dataCalls).map(([call, row]) => [call.replace(' ', ' /api'), row]),
);

/** For programs that hold a copy: devices' routes for API tokens. */
const copies: Readonly<Record<string, Row>> = {
  'GET /api/copy/v1': apiOnly(200),
  'POST /api/copy/v1/sync': apiOnly(422),
  'GET /api/copy/v1/snapshot/:scope': { ...apiOnly(200) },
  'GET /api/copy/v1/sealing': apiOnly(200),
  'POST /api/copy/v1/sealing/directory': apiWriting(422),
  'POST /api/copy/v1/sealing/step': apiWriting(422),
  'GET /api/copy/v1/sealing/left': apiOnly(200),
  'POST /api/copy/v1/sealing/reencode': apiWriting(422),
  'GET /api/copy/v1/sealing/lists/:scope': apiOnly(404),
  'POST /api/copy/v1/sealing/lists/:scope/directory': apiWriting(404),
  'GET /api/copy/v1/sealing/lists/:scope/left': apiOnly(404),
  'POST /api/copy/v1/sealing/lists/:scope/reencode': apiWriting(404),
  'GET /api/copy/v1/sealing/lists/:scope/members': apiOnly(404),
  'POST /api/copy/v1/sealing/identity': apiWriting(422),
  'POST /api/copy/v1/pairings': apiOnly(422),
  'GET /api/copy/v1/pairings/:id': apiOnly(404),
  'POST /api/copy/v1/pairings/:id/reveal': apiOnly(404),
  'POST /api/copy/v1/pairings/:id/refuse': apiOnly(404),
  'POST /api/copy/v1/pairings/:id/taken': apiOnly(404),
};

/** A link that nobody signed opens nothing, whoever comes with it. */
const fileLinks: Readonly<Record<string, Row>> = {
  'GET /attachments/:id': everybody(404),
  'GET /api/attachments/:id': everybody(404),
};

/** Pages of public links take no account: without a good token nobody gets anything (public-links-access.test.ts has the others). */
const publicPages: Readonly<Record<string, Row>> = {
  'GET /p/:token': everybody(404),
  'GET /p/:token/tasks': everybody(404),
  'GET /p/:token/stream': everybody(404),
  'GET /p/:token/logo': everybody(404),
  'POST /p/:token/changes': everybody(404),
};

/** The site's calls answer anybody, at the root and under /api. Codes and tokens are those of nothing. */
const siteCalls: Readonly<Record<string, Row>> = {
  'GET /affiliate_promo_codes/:code': everybody(404),
  'POST /affiliate_sign_ups': everybody(422),
  'POST /newsletter_signups': everybody(422),
  'POST /sessions/reset_password': everybody(422),
  'POST /sessions/request_password_reset': everybody(422),
  'GET /app_releases': everybody(200),
  'GET /update-check/latest': everybody(200),
  'GET /desktop_releases/:platform/latest': everybody(404),
  'GET /list_invitations/:token': everybody(404),
  // Whatever is sent, the answer says nothing.
  'POST /landing/pl': everybody(200),
  'POST /landing/dl': everybody(200),
};

/** Forms without scripts lead back to their page, which is not built here. */
const formPages: Readonly<Record<string, Row>> = Object.fromEntries(
  [
    '/newsletter',
    '/guides/affiliates',
    '/contact',
    '/forgot-password',
    '/reset-password',
    '/confirm',
  ].flatMap((path) => [
    [`GET ${path}`, everybody(404)],
    [`POST ${path}`, everybody(303)],
  ]),
);

/**
 * Key: method and path of the route table. `:id` and `:scope` are replaced by the owner's own session and scope, so
 * the stranger's column is what somebody with an account of their own gets for another's things.
 */
export const expectedRoutes: Readonly<Record<string, Row>> = {
  // An empty body: 422 says that the door opened and the form was read.
  'POST /app/api/sign_up': everybody(422),
  'POST /app/api/sign_in': everybody(422),
  'POST /app/api/sign_out': everybody(200),
  'GET /app/api/me': webOnly(200, 200),
  'GET /app/api/sessions': webOnly(200, 200),
  'DELETE /app/api/sessions': webOnly(200, 200),
  'DELETE /app/api/sessions/:id': webOnly(200, 404),
  'POST /app/api/macro-runs/take': webOnly(200, 200),
  // The id of a session is that of no run.
  'POST /app/api/macro-runs/:id/outcome': webOnly(404, 404),
  // No pairing has this id, and those with a body say first that there is none.
  'POST /app/api/pairings': webOnly(422, 422),
  'GET /app/api/pairings': webOnly(200, 200),
  'GET /app/api/pairings/:id': webOnly(404, 404),
  'POST /app/api/pairings/:id/answer': webOnly(404, 404),
  'POST /app/api/pairings/:id/reveal': webOnly(404, 404),
  'POST /app/api/pairings/:id/hand-over': webOnly(404, 404),
  'POST /app/api/pairings/:id/taken': webOnly(404, 404),
  'POST /app/api/pairings/:id/refuse': webOnly(404, 404),
  'GET /app/api/tokens': webOnly(200, 200),
  'POST /app/api/tokens': webOnly(422, 422),
  // Mail is off here.
  'POST /app/api/mail_address': webOnly(403, 403),
  'POST /app/api/mail_address/new': webOnly(403, 403),
  'GET /app/api/security': webOnly(200, 200),
  'GET /app/api/promo': webOnly(200, 200),
  'POST /app/api/promo': webOnly(422, 422),
  'GET /app/api/plan': webOnly(200, 200),
  'GET /app/api/plan/invoices': webOnly(200, 200),
  // It is no id of a checkout, and nobody has bought anything.
  'GET /app/api/plan/checkout/:session': webOnly(404, 404),
  'POST /app/api/plan/checkout': webOnly(422, 422),
  'POST /app/api/plan/change': webOnly(422, 422),
  'POST /app/api/plan/change/preview': webOnly(422, 422),
  'POST /app/api/plan/portal': webOnly(409, 409),
  // Whoever has signed it; nobody here has.
  'POST /stripe/webhook': everybody(403),
  'GET /partner/:secret': everybody(404),
  // The name is none of a file.
  'POST /app/api/files/:scope/:name': webOnly(404, 404),
  'GET /app/api/files/:scope/:name': webOnly(404, 404),
  // Empty bodies: 422 says that the door opened and the form was read.
  'POST /app/api/confirm': webOnly(422, 422),
  'POST /app/api/confirm/passkey/options': webOnly(200, 200),
  'POST /app/api/confirm/passkey': webOnly(422, 422),
  'POST /app/api/sign_in/passkey/options': everybody(200),
  'POST /app/api/sign_in/passkey': everybody(422),
  // These ask for a fresh proof; whoever just signed up has given one.
  'POST /app/api/password': webOnly(422, 422),
  'POST /app/api/email': webOnly(422, 422),
  'POST /app/api/email/proof': webOnly(422, 422),
  'POST /app/api/codes': webOnly(200, 200),
  'POST /app/api/codes/confirm': webOnly(422, 422),
  'DELETE /app/api/codes': webOnly(200, 200),
  'POST /app/api/recovery_codes': webOnly(422, 422),
  'POST /app/api/passkeys/options': webOnly(200, 200),
  'POST /app/api/passkeys': webOnly(422, 422),
  'DELETE /app/api/passkeys/:key': webOnly(404, 404),
  'POST /app/api/erasure': webOnly(200, 200),
  'POST /sessions/sign_in': everybody(422),
  'POST /sessions/sign_up': everybody(422),
  'POST /sessions/sign_out': apiOnly(200),
  'POST /api/sessions/sign_in': everybody(422),
  'POST /api/sessions/sign_up': everybody(422),
  'POST /api/sessions/sign_out': apiOnly(200),
  ...dataCalls,
  ...underApi,
  ...copies,
  // No body: 422 says that replication was reached.
  'POST /sync/v1': webOnly(422, 422),
  // Each leads to one's own scope alone. No body: 422 says that the door opened.
  'GET /sealing/v1': webOnly(200, 200),
  'GET /sealing/v1/left': webOnly(200, 200),
  'POST /sealing/v1/step': webOnly(422, 422),
  'POST /sealing/v1/directory': webOnly(422, 422),
  'POST /sealing/v1/wraps': webOnly(422, 422),
  'POST /sealing/v1/reencode': webOnly(422, 422),
  'POST /sealing/v1/files': webOnly(422, 422),
  'POST /sealing/v1/identity': webOnly(422, 422),
  // One's own scope is no list's.
  'GET /sealing/v1/lists/:scope': webOnly(404, 404),
  'GET /sealing/v1/lists/:scope/left': webOnly(404, 404),
  'GET /sealing/v1/lists/:scope/members': webOnly(404, 404),
  'POST /sealing/v1/lists/:scope/step': webOnly(404, 404),
  'POST /sealing/v1/lists/:scope/directory': webOnly(404, 404),
  'POST /sealing/v1/lists/:scope/reencode': webOnly(404, 404),
  'GET /snapshot/v1/:scope': webOnly(200, 404),
  'GET /app/api/history/:scope': webOnly(200, 404),
  'GET /app/api/devices': webOnly(200, 200),
  // No body: 422 says that the door opened; it leads to one's own trash alone.
  'POST /app/api/trash': webOnly(422, 422),
  // The list is the owner's, and not shared; their e-mail address is not confirmed.
  'GET /app/api/sharing/lists/:list': webOnly(200, 404),
  'POST /app/api/sharing/lists/:list': webOnly(403, 404),
  // No body.
  'POST /app/api/sharing/lists/:list/encrypted': webOnly(422, 422),
  'POST /app/api/sharing/lists/:list/link': webOnly(404, 404),
  'DELETE /app/api/sharing/lists/:list/link': webOnly(404, 404),
  'POST /app/api/sharing/lists/:list/leave': webOnly(404, 404),
  'POST /app/api/sharing/lists/:list/private': webOnly(200, 404),
  'POST /app/api/sharing/lists/:list/members/:account/remove': webOnly(404, 404),
  'POST /app/api/sharing/lists/:list/members/:account/owner': webOnly(404, 404),
  // The token is that of nothing.
  'GET /app/api/sharing/invitations/:token': webOnly(404, 404),
  'POST /app/api/sharing/invitations/:token': webOnly(404, 404),
  // The list has no public link; the id is a session's, and so that of no link.
  'GET /app/api/sharing/lists/:list/links': webOnly(200, 404),
  'POST /app/api/sharing/lists/:list/links': webOnly(403, 404),
  'POST /app/api/sharing/lists/:list/links/:link': webOnly(404, 404),
  'DELETE /app/api/sharing/lists/:list/links/:link': webOnly(200, 404),
  'GET /app/api/sharing/lists/:list/links/:link/logo': webOnly(404, 404),
  'POST /app/api/sharing/lists/:list/links/:link/logo': webOnly(404, 404),
  'DELETE /app/api/sharing/lists/:list/links/:link/logo': webOnly(404, 404),
  // No body: 422 says that the door opened.
  'POST /app/api/sharing/lists/:list/links/:link/undo': webOnly(422, 422),
  ...publicPages,
  'GET /app/api/profile': webOnly(200, 200),
  'POST /app/api/profile': webOnly(200, 200),
  // The id is none of a calendar; no body: 422 says that the door opened.
  'GET /app/api/calendars': webOnly(200, 200),
  'POST /app/api/calendars': webOnly(422, 422),
  'POST /app/api/calendars/discover': webOnly(422, 422),
  'GET /app/api/calendars/window': webOnly(422, 422),
  'POST /app/api/calendars/:calendar': webOnly(404, 404),
  'POST /app/api/calendars/:calendar/read': webOnly(404, 404),
  'POST /app/api/calendars/:calendar/restore': webOnly(404, 404),
  'DELETE /app/api/calendars/:calendar': webOnly(404, 404),
  'GET /app/api/google': webOnly(200, 200),
  'POST /app/api/google/connect': webOnly(403, 403),
  'GET /app/api/google/back': everybody(400),
  'POST /app/api/google/calendars': webOnly(403, 403),
  'DELETE /app/api/google': webOnly(200, 200),
  'GET /calendar/:file': everybody(404),
  'GET /app/api/calendar_feed': webOnly(200, 200),
  'POST /app/api/calendar_feed': webOnly(422, 422),
  'POST /app/api/calendar_feed/new': webOnly(404, 404),
  'DELETE /app/api/calendar_feed': webOnly(200, 200),
  'GET /app/api/push': webOnly(200, 200),
  // No body: 422 says that the door opened; both lead to one's own alone.
  'POST /app/api/push': webOnly(422, 422),
  'POST /app/api/push/dismiss': webOnly(422, 422),
  'DELETE /app/api/push/:push': webOnly(200, 404),
  'GET /live': webOnly(426, 426),
  'GET /': everybody(302),
  'GET /favicon.ico': everybody(204),
  'GET /healthz': everybody(200),
  'GET /readyz': everybody(200),
  // Asked from another machine.
  'GET /metrics': everybody(404),
  'GET /app': everybody(308),
  // The test's server has no built app to serve.
  'GET /app/*': everybody(503),
  // Nor a built site: what it would answer is missing.
  'GET /download': everybody(404),
  'GET /*': everybody(404),
  ...formPages,
  ...siteCalls,
  ...fileLinks,
  ...Object.fromEntries(Object.entries(siteCalls).map(([call, row]) => [call.replace(' ', ' /api'), row])),
  'POST /api/contact': everybody(422),
  'GET /changelog.atom': everybody(200),
  'GET /downloads/:version/:name': everybody(404),
};

/** In the order of these columns: the owner of the scope, a member of it, somebody who is neither. */
export type Verdicts = readonly [owner: string, member: string, stranger: string];

const both: Verdicts = ['allowed', 'allowed', 'hidden'];
const nobody: Verdicts = ['forbidden', 'forbidden', 'hidden'];
const ownScopeOnly: Verdicts = ['allowed', 'forbidden', 'hidden'];

/**
 * Key: action and entity type. The owner acts in their own personal scope, the member in a scope shared with them.
 * Whether an action makes sense for a type (a label is not completed) is not asked here but when it is applied.
 */
export const expectedOperations: Readonly<Record<string, Verdicts>> = {
  'create task': both,
  // In a shared scope there is the list that it is about, and no other.
  'create list': ownScopeOnly,
  'create label': both,
  'create labelGroup': both,
  'create mine': ownScopeOnly,
  'create completion': both,
  'create attachment': both,
  'create comment': both,
  'create setting': ownScopeOnly,
  'create mount': ownScopeOnly,
  'create member': nobody,
  'set task': both,
  'set list': both,
  'set label': both,
  'set labelGroup': both,
  'set mine': both,
  'set completion': nobody,
  'set attachment': both,
  // Its author is the owner.
  'set comment': ownScopeOnly,
  'set setting': both,
  'set mount': both,
  'set member': nobody,
  'note task': both,
  'note list': both,
  'note label': both,
  'note labelGroup': both,
  'note mine': both,
  'note completion': nobody,
  'note attachment': both,
  'note comment': ownScopeOnly,
  'note setting': both,
  'note mount': both,
  'note member': nobody,
  'place task': both,
  // Where a shared list is in the sidebar is said by its mount.
  'place list': ownScopeOnly,
  'place label': both,
  'place labelGroup': both,
  'place mine': both,
  'place completion': nobody,
  'place attachment': both,
  'place comment': ownScopeOnly,
  'place setting': both,
  'place mount': both,
  'place member': nobody,
  'delete task': both,
  // The row is the list its scope is about.
  'delete list': ['allowed', 'forbidden', 'hidden'],
  'delete label': both,
  'delete labelGroup': both,
  'delete mine': both,
  'delete completion': nobody,
  'delete attachment': both,
  'delete comment': ownScopeOnly,
  'delete setting': both,
  'delete mount': both,
  'delete member': nobody,
  'restore task': both,
  'restore list': ownScopeOnly,
  'restore label': both,
  'restore labelGroup': both,
  'restore mine': both,
  'restore completion': nobody,
  'restore attachment': both,
  'restore comment': ownScopeOnly,
  'restore setting': both,
  'restore mount': both,
  'restore member': nobody,
  'complete task': both,
  'complete list': both,
  'complete label': both,
  'complete labelGroup': both,
  'complete mine': both,
  'complete completion': nobody,
  'complete attachment': both,
  'complete comment': ownScopeOnly,
  'complete setting': both,
  'complete mount': both,
  'complete member': nobody,
  'reopen task': both,
  'reopen list': both,
  'reopen label': both,
  'reopen labelGroup': both,
  'reopen mine': both,
  'reopen completion': nobody,
  'reopen attachment': both,
  'reopen comment': ownScopeOnly,
  'reopen setting': both,
  'reopen mount': both,
  'reopen member': nobody,
  'reoffer task': both,
  // That a scope gets its own list back is asked apart: here it is another one.
  'reoffer list': ownScopeOnly,
  'reoffer label': both,
  'reoffer labelGroup': both,
  'reoffer mine': ownScopeOnly,
  'reoffer completion': both,
  'reoffer attachment': both,
  // Somebody else’s only as the server has had it, which it sees by its seal.
  'reoffer comment': ownScopeOnly,
  'reoffer setting': ownScopeOnly,
  'reoffer mount': ownScopeOnly,
  'reoffer member': nobody,
};

/** Registers that no account writes, of rows that exist. */
export const refusedRegisters: Readonly<Record<string, readonly string[]>> = {
  task: ['origin'],
  list: ['listType', 'mailAddress'],
  label: [],
  labelGroup: [],
  mine: ['of'],
  completion: ['task', 'occ', 'at', 'title', 'due', 'start'],
  attachment: ['hash', 'sizeBytes', 'fileType', 'content'],
  comment: ['author', 'seal'],
  setting: ['key'],
  mount: ['of'],
  member: ['account'],
};
