// The operator's commands, as functions from words to lines. They work beside a running server, which notices within
// seconds; only restoring needs it stopped. Not here: the terminal (admin.ts).
import { counted } from '#core/counted.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAccounts, type AccountFailure, type Accounts } from './accounts/accounts.ts';
import { createPasskeys } from './accounts/passkeys.ts';
import { createPasswords, defaultHashParameters, type HashParameters } from './accounts/password-hash.ts';
import { findLostSecrets, replaceLostSecrets } from './accounts/sealed.ts';
import { createSealing, createServerKey, hasServerKey, openServerKey } from './accounts/sealing.ts';
import { createSecondFactor, type SecondFactor } from './accounts/second-factor.ts';
import { plainWrites } from './care/room.ts';
import { createSecurityEvents, type SecurityEvents } from './accounts/security-events.ts';
import { createSessions, type Account, type Sessions } from './accounts/sessions.ts';
import { createEndings, type Endings } from './accounts/endings.ts';
import { createBilling } from './billing/billing.ts';
import { hasSubscription } from './billing/records.ts';
import { createCare } from './care/care.ts';
import { ERASURE_GRACE_MS } from './care/erasure.ts';
import { revokedEntries, type Ledger } from './care/ledger.ts';
import { openLedgerOf } from './care/shared-ledger.ts';
import { createSystemIds, systemClock } from './clock.ts';
import { configurationPage, readConfig, variables, type Config } from './config.ts';
import { restoreDatabase } from './data/backup.ts';
import type { RowCounts } from './data/backup-report.ts';
import { openDatabase, type Database } from './data/database.ts';
import { groupsCommand, groupsUsage } from './data/history-groups/admin.ts';
import { contentOf, FILES_FOLDER } from './files/content-places.ts';
import { createLetters } from './mail/letters.ts';
import { openFolderOutbox, OUTBOX_FOLDER } from './mail/outbox.ts';
import { openPost } from './mail/post.ts';
import { openSpool, SPOOL_FOLDER } from './mail/spool.ts';
import { createLogger } from './observe/log.ts';
import { createLimiter, parseRates } from './limits/rates.ts';
import { siteCommand, siteUsage } from './site/admin.ts';
import { publishExample } from './public-links/example.ts';
import { LinkStore } from './public-links/links.ts';
import { createSharing } from './sharing/sharing.ts';
import { createBus } from './live/bus.ts';
import { createExchange, type Exchange } from './sync/exchange.ts';

export const usage = `Usage: npm run admin -- <command>

  user add <email>               create an account; asks for the password
  user list                      every account
  user disable <email>           end all its sessions and refuse new ones
  user enable <email>            undo that
  user password <email>          set a new password and end all its sessions
  user codes-off <email>         turn one-time codes off, for someone who lost them; ends all its sessions
  user erase <email>             erase it in seven days, unless someone signs in first
  user sessions <email>          its live sessions
  user delete-sessions <email>   end all its sessions
  user limits <email> <figures>  its own limits, as in RATE_LIMITS; default removes them
  secrets                        what the key of the server does not open
  secrets replace                give that up: new addresses of lists, a new key for reminders
${groupsUsage}
${siteUsage}
  example-list <email>           make a list in this account, with a public link for looking only
  backup <file>                  write a verified copy of the database; the server may be running
  restore <file>                 replace the database with a copy; stop the server first
  care                           empty the trash and delete old records, as the server does every hour
  config                         the configuration, without secrets
  config-table                   docs/configuration.md

The password comes from the terminal, or from the first line of the input.`;

export interface AdminPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly readPassword: () => Promise<string>;
  /** Absent: those for real passwords. */
  readonly hashParameters?: HashParameters;
}

/** A message for the operator; nothing was changed. */
class Refusal extends Error {}

interface Tools {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly events: SecurityEvents;
  readonly secondFactor: SecondFactor;
  readonly endings: Endings;
  readonly ledger: Ledger;
}

interface Call extends AdminPorts {
  readonly config: Config;
  readonly tools: Tools;
}

function configOf({ environment }: AdminPorts): Config {
  const result = readConfig(environment);
  if (result.ok) return result.value;
  throw new Refusal(result.problem.join('\n'));
}

const locationOf = ({ dataDir, databaseUrl, historyGroups }: Config) => ({
  dataDir,
  historyGroups,
  ...(databaseUrl === null ? {} : { url: databaseUrl }),
});

function createTools(database: Database, ledger: Ledger, ports: AdminPorts): Tools {
  const { db, store } = database;
  const clock = systemClock;
  const newId = createSystemIds(clock);
  const events = createSecurityEvents(db, clock, plainWrites);
  const passwords = createPasswords(ports.hashParameters ?? defaultHashParameters);
  const limiter = createLimiter({}, clock);
  const sealing = createSealing(createServerKey());
  const secondFactor = createSecondFactor({ db, clock, sealing, room: plainWrites, ledger });
  const passkeys = createPasskeys({ db, clock, room: plainWrites, ledger });
  const sessions = createSessions({
    db,
    clock,
    newId,
    writeDown: (ids) => ledger.record(revokedEntries(ids, clock.now())),
    onRevoked: () => undefined,
    room: plainWrites,
  });
  return {
    database,
    events,
    secondFactor,
    sessions,
    endings: createEndings({ db, sessions, secondFactor, passkeys, room: plainWrites }),
    ledger,
    accounts: createAccounts({
      db,
      store,
      clock,
      limiter,
      passwords,
      events,
      secondFactor,
      newId,
      ledger,
      room: plainWrites,
    }),
  };
}

function explain(failure: AccountFailure): Refusal {
  if (failure.type === 'invalid') return new Refusal(failure.message);
  if (failure.type === 'taken') return new Refusal("There's already an account with this email address.");
  return new Refusal("That didn't work. Try again.");
}

async function accountOf({ tools }: Call, email: string): Promise<Account> {
  const account = await tools.accounts.byEmail(email);
  if (!account) throw new Refusal(`There's no account ${email}.`);
  return account;
}

function endSessions({ tools }: Call, account: Account): Promise<number> {
  return tools.endings.sessions(account.id, { kept: null, tokens: true });
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
type UserCommand = (call: Call, email: string) => Promise<void>;

const userCommands: Readonly<Record<string, UserCommand>> = {
  async add(call, email) {
    const result = await call.tools.accounts.create(email, await call.readPassword());
    if (!result.ok) throw explain(result.problem);
    await call.tools.events.record({
      type: 'signed_up',
      account: result.value.account.id,
      detail: { door: 'admin' },
    });
    call.print(`Created ${result.value.account.email} with number ${result.value.account.id}.`);
  },
  async disable(call, email) {
    const account = await accountOf(call, email);
    await call.tools.accounts.setDisabled(account, true);
    const ended = await endSessions(call, account);
    await call.tools.events.record({
      type: 'account_disabled',
      account: account.id,
      detail: { count: ended },
    });
    call.print(`Disabled ${account.email} and ended ${counted(ended, 'session')}.`);
  },
  async enable(call, email) {
    const account = await accountOf(call, email);
    await call.tools.accounts.setDisabled(account, false);
    await call.tools.events.record({ type: 'account_enabled', account: account.id, detail: {} });
    call.print(`Enabled ${account.email}.`);
  },
  async password(call, email) {
    const account = await accountOf(call, email);
    const failure = await call.tools.accounts.setPassword(account, await call.readPassword());
    if (failure) throw explain(failure);
    const ended = await endSessions(call, account);
    await call.tools.events.record({
      type: 'password_changed',
      account: account.id,
      detail: { door: 'admin' },
    });
    call.print(`Set the password of ${account.email} and ended ${counted(ended, 'session')}.`);
  },
  async 'codes-off'(call, email) {
    const account = await accountOf(call, email);
    await call.tools.secondFactor.turnOff(account.id);
    const ended = await endSessions(call, account);
    await call.tools.events.record({ type: 'codes_off', account: account.id, detail: { door: 'admin' } });
    call.print(`Signing in to ${account.email} no longer takes a code. Ended ${counted(ended, 'session')}.`);
  },
  async erase(call, email) {
    const account = await accountOf(call, email);
    const at = systemClock.now() + ERASURE_GRACE_MS;
    await call.tools.accounts.setErasure(account, at);
    const ended = await endSessions(call, account);
    await call.tools.events.record({ type: 'erasure_asked', account: account.id, detail: { door: 'admin' } });
    call.print(
      `${account.email} is erased on ${day(at)} unless someone signs in first. Ended ${counted(ended, 'session')}.`,
    );
  },
  async sessions(call, email) {
    const account = await accountOf(call, email);
    const sessions = await call.tools.sessions.list(account.id);
    for (const { id, kind, name, created_at: createdAt, last_used_at: lastUsedAt } of sessions)
      call.print(
        `${id}  ${kind.padEnd(6)}  since ${day(createdAt)}  used ${minute(lastUsedAt)} UTC  ${name}`,
      );
    call.print(counted(sessions.length, 'session'));
  },
  async 'delete-sessions'(call, email) {
    const account = await accountOf(call, email);
    const ended = await endSessions(call, account);
    await call.tools.events.record({ type: 'session_ended', account: account.id, detail: { count: ended } });
    call.print(`Ended ${counted(ended, 'session')} of ${account.email}.`);
  },
};

/** Limits for one account, in the syntax of RATE_LIMITS; the running server follows within a second. */
async function setLimits(call: Call, email: string, figures: string): Promise<void> {
  const account = await accountOf(call, email);
  const parsed = parseRates(figures);
  if (!parsed.ok) throw new Refusal(`${parsed.problem}.`);
  const rates = figures === 'default' ? null : figures;
  const { db } = call.tools.database;
  await db.updateTable('account').set({ rates }).where('id', '=', account.id).execute();
  call.print(`${account.email} has ${rates === null ? 'the usual limits' : `the limits ${rates}`}.`);
}

async function listUsers({ tools, print }: Call): Promise<void> {
  const accounts = await tools.accounts.all();
  for (const { id, email, created_at: createdAt, disabled_at: disabledAt } of accounts)
    print(
      `${String(id).padStart(10)}  ${day(createdAt)}  ${disabledAt === null ? 'active  ' : 'disabled'}  ${email}`,
    );
  print(counted(accounts.length, 'account'));
}

/** Opens the database for one command and always closes it. */
async function withTools(ports: AdminPorts, work: (call: Call) => Promise<void>): Promise<void> {
  const config = configOf(ports);
  const database = await openDatabase(locationOf(config));
  try {
    const quiet = createLogger({ level: 'off', clock: systemClock, write: () => undefined });
    const ledger = await openLedgerOf(config, systemClock.now(), quiet);
    try {
      await work({ ...ports, config, tools: createTools(database, ledger, ports) });
    } finally {
      await ledger.close();
    }
  } finally {
    await database.close();
  }
}

const nextTurn = (work: () => void) => void setImmediate(work);

/** The write path of this process. The server's devices learn of it when they next sync. */
async function exchangeOf({ database: { db, store } }: Tools): Promise<Exchange> {
  const generations = await db.selectFrom('generation').select(['idx', 'nonce']).orderBy('idx').execute();
  return createExchange({
    store,
    clock: systemClock,
    generations: generations.map(({ idx, nonce }) => ({ index: idx, nonce })),
    publish: () => undefined,
    nextTurn,
  });
}

async function exampleList(call: Call, email: string): Promise<void> {
  const { tools, config, print } = call;
  const { id: account, personal_scope: personal } = await accountOf(call, email);
  const { db } = tools.database;
  const run = await db.selectFrom('generation').select('idx').executeTakeFirst();
  if (run === undefined) throw new Refusal('Start the server once first, then run this again.');
  const exchange = await exchangeOf(tools);
  const ports = {
    ...tools.database,
    clock: systemClock,
    newId: createSystemIds(systemClock),
    sealing: createSealing(config.serverKey ?? openServerKey(config.dataDir)),
    ledger: tools.ledger,
    room: plainWrites,
  };
  const links = new LinkStore(ports);
  const { lists } = createSharing({
    ...ports,
    exchange,
    bus: createBus(),
    publicLinks: links,
    // A list this small moves at once.
    mover: { run: () => Promise.resolve() },
    onError: (error) => print(String(error)),
  });
  const now = () => systemClock.now();
  const made = await publishExample({ ...ports, exchange, lists, links, now }, { account, personal });
  if (!made.ok) throw new Refusal(made.problem.message);
  print(`${config.publicUrl ?? `http://localhost:${config.port}`}/p/${made.value}`);
}

async function care({ tools, config, print }: Call): Promise<void> {
  const { db } = tools.database;
  const exchange = await exchangeOf(tools);
  const from = `Posthaste <${config.mailFrom}>`;
  const quiet = createLogger({ level: 'off', clock: systemClock, write: () => undefined });
  // The server sends what is queued here; two senders would send twice.
  const post = await openPost({
    outbox: await openFolderOutbox(join(config.dataDir, OUTBOX_FOLDER)),
    smtpUrl: null,
    from,
    clock: systemClock,
    log: quiet,
  });
  const mail = join(config.dataDir, SPOOL_FOLDER);
  const report = await createCare({
    db,
    clock: systemClock,
    devices: { save: () => Promise.resolve() },
    ledger: tools.ledger,
    blobs: contentOf(config, FILES_FOLDER),
    letters: createLetters({ post, limiter: createLimiter({}, systemClock) }),
    spool: existsSync(mail) ? await openSpool(mail) : null,
    // This shell may lack what the server is configured with: nobody is erased whose subscription it can't end.
    billing: createBilling({ config, db, clock: systemClock, bus: createBus(), log: quiet }) ?? {
      erasing: async (account) => !(await hasSubscription(db, account)),
    },
    older: tools.database.older,
    onOlderError: (error) => print(error instanceof Error ? error.message : String(error)),
    trashDays: config.trashDays,
    exchange,
    newId: createSystemIds(systemClock),
    nextTurn,
  }).run();
  print('Permanently deleted:');
  const { historyCopied, ...deleted } = report;
  for (const [what, count] of Object.entries(deleted)) print(`  ${String(count).padStart(10)}  ${what}`);
  if (historyCopied > 0)
    print(`Copied to groups of the history: ${counted(historyCopied, 'entry', 'entries')}.`);
}

/** What the key of this server does not open; with `replace`, after giving it up. */
async function secrets({ tools, config, print }: Call, replaces: boolean): Promise<void> {
  const { db } = tools.database;
  const { serverKey, dataDir } = config;
  const isWithout = serverKey === null && !hasServerKey(dataDir);
  if (isWithout) print(`${dataDir} has no server.key, and SERVER_KEY isn’t set.`);
  // Looking makes no key; nothing is open to one that was just made.
  const key = serverKey ?? (isWithout && !replaces ? createServerKey() : openServerKey(dataDir));
  const sealing = createSealing(key);
  const lost = replaces
    ? await replaceLostSecrets({ db, clock: systemClock, sealing, ledger: tools.ledger })
    : await findLostSecrets(db, sealing);
  const { isPushKeyLost, mailAddresses, codes, calendars } = lost;
  if (!isPushKeyLost && mailAddresses + codes.length + calendars === 0) {
    print(isWithout ? 'Nothing is sealed.' : 'The key opens everything that is sealed.');
    return;
  }
  if (mailAddresses > 0)
    print(
      replaces
        ? `${counted(mailAddresses, 'list')} got a new email address. Mail to the old ones no longer arrives.`
        : `The email addresses of ${counted(mailAddresses, 'list')} can’t be shown. Mail to them still arrives.`,
    );
  if (isPushKeyLost)
    print(
      replaces
        ? 'Push services know the server by a new key. Browsers subscribe again when the app is next opened in them.'
        : 'The key for push services can’t be opened. No reminder is sent to closed apps.',
    );
  for (const email of codes)
    print(
      `The one-time codes of ${email} can’t be checked. Recovery codes work; user codes-off turns them off.`,
    );
  if (calendars > 0)
    print(`${counted(calendars, 'calendar')} can’t be read anymore. Who added one has to add it again.`);
  if (!replaces)
    print(
      'The key they were sealed with opens them. If it’s lost, secrets replace makes new ones where it can.',
    );
}

/** Where the older history lies, and moving it. */
async function historyGroups(call: Call, words: readonly string[]): Promise<void> {
  const { tools, print } = call;
  const scopeOf = async (email: string) => (await accountOf(call, email)).personal_scope;
  const outcome = await groupsCommand(words, { older: tools.database.older, scopeOf, print });
  if (outcome === undefined) throw new Refusal(usage);
  if (outcome !== null) throw new Refusal(outcome);
}

/** Variables that are secrets as a whole. */
const SECRETS: ReadonlySet<string> = new Set([
  'SERVER_KEY',
  'GOOGLE_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]);
const SECRET_IN_URL = /\/\/[^/@]*@/g;

function printConfig(ports: AdminPorts): void {
  configOf(ports);
  for (const [name, { without }] of Object.entries(variables)) {
    const given = ports.environment[name];
    const shown = SECRETS.has(name) ? '***' : given?.replaceAll(SECRET_IN_URL, '//***@');
    ports.print(`${name}=${given ? shown : `(not set: ${without})`}`);
  }
}

function printRows(rows: RowCounts, print: AdminPorts['print']): void {
  for (const [table, count] of Object.entries(rows))
    if (count > 0) print(`  ${String(count).padStart(10)}  ${table}`);
}

async function run(words: readonly string[], ports: AdminPorts): Promise<void> {
  const [command = '', first = '', second = '', third = ''] = words;
  const is = (name: string, count: number) => command === name && words.length === count;
  const ofUser = Object.hasOwn(userCommands, first) ? userCommands[first] : undefined;
  if (is('user', 2) && first === 'list') return withTools(ports, listUsers);
  if (is('user', 3) && ofUser !== undefined) return withTools(ports, (call) => ofUser(call, second));
  if (is('user', 4) && first === 'limits') return withTools(ports, (call) => setLimits(call, second, third));
  const ofSite = siteCommand(words);
  if (ofSite)
    return withTools(ports, async ({ tools, config, print }) => {
      const clock = systemClock;
      const admin = { config, db: tools.database.db, clock, newId: createSystemIds(clock), print };
      const wrong = await ofSite.run(admin, ofSite.rest);
      if (wrong !== null) throw new Refusal(wrong);
    });
  if (command === 'history') return withTools(ports, (call) => historyGroups(call, words));
  if (is('example-list', 2)) return withTools(ports, (call) => exampleList(call, first));
  if (is('care', 1)) return withTools(ports, care);
  if (is('secrets', 1)) return withTools(ports, (call) => secrets(call, false));
  if (is('secrets', 2) && first === 'replace') return withTools(ports, (call) => secrets(call, true));
  if (is('backup', 2))
    return withTools(ports, async ({ tools, print }) => {
      const report = await tools.database.backup(first);
      print(
        `Wrote ${report.path}, ${report.sizeBytes} bytes, schema version ${report.schemaVersion}, read back:`,
      );
      printRows(report.rows, print);
    });
  if (is('restore', 2)) {
    const report = await restoreDatabase({ ...locationOf(configOf(ports)), from: first });
    ports.print(`Restored ${first}:`);
    printRows(report.rows, ports.print);
    return ports.print(
      report.previous === null
        ? 'There was no database before this.'
        : `The previous one is ${report.previous}.`,
    );
  }
  if (is('config', 1)) return printConfig(ports);
  if (is('config-table', 1)) return ports.print(configurationPage().trimEnd());
  const said = words.join(' ').trim();
  throw new Refusal(
    said === '' ? usage : `${usage}\n\nThis is none of them, or a word is missing or left over: ${said}`,
  );
}

/** Runs one command and resolves with the exit code. Errors are printed. */
export async function runAdmin(words: readonly string[], ports: AdminPorts): Promise<number> {
  if (words[0] === 'help' || words[0] === '--help') {
    ports.print(usage);
    return 0;
  }
  try {
    await run(words, ports);
    return 0;
  } catch (error) {
    ports.print(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
