// Everything an operator can set: environment variables, read once at start and checked by one schema. All are optional.
// The table in docs/configuration.md is generated from this file.
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import { parseEmail } from '#core/email.ts';
import { failed, ok, type Result } from '#core/result.ts';
import {
  portSchema,
  hostNameSchema,
  mailDomainSchema,
  fileSchema,
  urlSchema,
  originSchema,
  networksSchema,
  ratesSchema,
  bucketSchema,
  serverKeySchema,
  groupsSchema,
  databaseSchema,
} from './config-values.ts';
import { type BillingConfig, readBilling } from './billing/billing-config.ts';
import type { GoogleConfig } from './calendars/google/client.ts';
import type { BucketLocation } from './files/bucket.ts';
import type { GroupLocation } from './data/history-groups/location.ts';
import { defaultRates, type Rates } from './limits/rates.ts';

/** The data folder of a server that keeps nothing. */
export const IN_MEMORY = ':memory:';

/** Threshold of the log: lines below it are dropped; `off` drops all. */
export type LogLevel = 'debug' | 'info' | 'error' | 'off';

/** The checked configuration of a server, with defaults filled in. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Key for what the database keeps sealed; null: that of the data folder. */
  readonly serverKey: Uint8Array | null;
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Databases for older history; none: it stays in the one of `databaseUrl`. */
  readonly historyGroups: readonly GroupLocation[];
  /** Origin without a trailing slash. Null: any host name, over plain HTTP. */
  /** A Valkey for what servers of one database tell each other; null: the database itself. */
  readonly busUrl: string | null;
  readonly publicUrl: string | null;
  readonly apiHost: string | null;
  readonly appHost: string | null;
  readonly filesHost: string | null;
  readonly smtpUrl: string | null;
  /** Sender of outgoing mail. */
  readonly mailFrom: string;
  /** Recipient of messages to the operator; null: `mailFrom`. */
  readonly contactEmail: string | null;
  /** Addresses that the public site links to. */
  readonly downloadUrl: string | null;
  readonly appStoreUrl: string | null;
  readonly socialUrl: string | null;
  readonly communityUrl: string | null;
  /** Null: the server receives no mail. */
  readonly mailDomain: string | null;
  readonly mailPort: number;
  readonly mailHost: string;
  /** PEM files for incoming mail; null: no encryption. */
  readonly mailCertificate: { readonly cert: string; readonly key: string } | null;
  /** Null: files are kept in the data folder. */
  readonly bucket: BucketLocation | null;
  /** Networks besides the public internet that push services may be in. */
  readonly pushNetworks: readonly string[];
  /** Likewise for the addresses of calendars. */
  readonly calendarNetworks: readonly string[];
  /** The id of this server at Google, for its calendars; null: it has none. */
  readonly google: GoogleConfig | null;
  /** Null: this server takes no money, and nothing of it exists. */
  readonly billing: BillingConfig | null;
  /** `mailto:` or `https:` URL given to push services. */
  readonly pushContact: string | null;
  /** Makes browsers remove the app's service worker. */
  readonly appWorkerIsOff: boolean;
  /** How long it answers after it was told to stop; null: by whether there are others. */
  readonly drainMs: number | null;
  readonly rates: Rates;
  readonly logLevel: LogLevel;
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Folder of automatic backups; null: none are made. */
  readonly backupDir: string | null;
  /** Space reserved for the day the disk is full; 0: none. */
  readonly ballastBytes: number;
  /** How long deleted rows can be restored. */
  readonly trashDays: number;
  /** Addresses and networks in CIDR form. */
  readonly trustedProxies: readonly string[];
}

/** One variable: its check, its default, and the sentence that documents it. */
interface Variable<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly without: string;
  readonly doc: string;
}

const variable = <S extends z.ZodType>(schema: S, without: string, doc: string): Variable<S> => ({
  schema,
  without,
  doc,
});

export const variables = {
  PORT: variable(portSchema(0).default(4040), '4040', 'Port the server listens on. 0 picks any free one.'),
  HOST: variable(
    z
      .string()
      .refine((text) => isIP(text) !== 0 || text === 'localhost', 'isn\'t an IP address or "localhost"')
      .default('127.0.0.1'),
    '127.0.0.1',
    'Address the server listens on. Use `0.0.0.0` or `::` to reach it from other machines.',
  ),
  DATA_DIR: variable(
    z
      .string()
      .default('./data')
      .transform((path) => resolve(path)),
    './data',
    'Folder for the database, files, and all other data. Only its owner can read it.',
  ),
  DATABASE_URL: variable(
    databaseSchema.nullable().default(null),
    'SQLite in `DATA_DIR`',
    'A `postgres://` URL to keep the data in PostgreSQL instead of SQLite.',
  ),
  HISTORY_GROUPS: variable(
    groupsSchema.default([]),
    'the database of `DATABASE_URL`',
    'PostgreSQL databases that take the history once it is a month old: `name=postgres://…`, several separated by spaces. [operating.md](operating.md#groups-for-the-history) says when and how.',
  ),
  BUS_URL: variable(
    urlSchema(['valkey:', 'valkeys:', 'redis:', 'rediss:']).nullable().default(null),
    'the database of `DATABASE_URL`',
    'A `valkey://` or `redis://` URL (`valkeys://`, `rediss://` for TLS) for what the servers of one PostgreSQL tell each other and count together, with more than six of them. [operating.md](operating.md#between-nodes) says more.',
  ),
  SERVER_KEY: variable(
    serverKeySchema.nullable().default(null),
    'the file `DATA_DIR/server.key`, made at the first start',
    'Key for what the database keeps sealed, 32 bytes in base64: email addresses of lists, one-time codes, the key for reminders. All servers of one database need the same. [operating.md](operating.md#the-key-of-the-server) says what for.',
  ),
  PUBLIC_URL: variable(
    originSchema.nullable().default(null),
    'the host name the browser used, over HTTP',
    'Origin people use to reach the server, like `https://tasks.example.org`. Set it if a proxy ends TLS.',
  ),
  API_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that serves only the public API.',
  ),
  APP_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that serves only the app.',
  ),
  FILES_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that serves only attached files. Has no effect in this version.',
  ),
  SMTP_URL: variable(
    urlSchema(['smtp:', 'smtps:']).nullable().default(null),
    'a folder in `DATA_DIR`',
    'Mail server for outgoing email, with its user name and password in the URL if it needs them. Without one, emails stay in `DATA_DIR/outbox`.',
  ),
  MAIL_FROM: variable(
    z
      .string()
      .transform((text) => parseEmail(text) ?? '')
      .refine((email) => email !== '', "isn't an email address")
      .nullable()
      .default(null),
    '`posthaste@` the host of `PUBLIC_URL`',
    'Address outgoing email comes from.',
  ),
  CONTACT_EMAIL: variable(
    z
      .string()
      .transform((text) => parseEmail(text) ?? '')
      .refine((email) => email !== '', "isn't an email address")
      .nullable()
      .default(null),
    '`MAIL_FROM`',
    'Address that gets the messages from the contact page.',
  ),
  DOWNLOAD_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page about installing the web app',
    'Where the site’s Download links go: the Mac installer. Phones go to `APP_STORE_URL`, or to the page for phones.',
  ),
  APP_STORE_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page about installing the web app',
    'Page of the app in the App Store.',
  ),
  SOCIAL_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    "a page saying there isn't one",
    'The social profile the site’s footer links to.',
  ),
  COMMUNITY_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    "a page saying there isn't one",
    'Invitation to the community chat workspace.',
  ),
  MAIL_DOMAIN: variable(
    mailDomainSchema.nullable().default(null),
    'no incoming email',
    'Domain of the addresses that turn email into tasks, like `in.example.org`. Point its MX record here; [operating.md](operating.md#incoming-mail) says how.',
  ),
  MAIL_PORT: variable(
    portSchema(0).default(2525),
    '2525',
    'Port for incoming email when `MAIL_DOMAIN` is set. Other mail servers expect 25. 0 picks any free one.',
  ),
  MAIL_HOST: variable(
    z
      .string()
      .refine((text) => isIP(text) !== 0 || text === 'localhost', 'isn\'t an IP address or "localhost"')
      .nullable()
      .default(null),
    '`HOST`',
    "Address for incoming email, if it's not the website's. Use `0.0.0.0` or `::` to accept email from everywhere.",
  ),
  MAIL_CERT: variable(
    fileSchema.nullable().default(null),
    "incoming email isn't encrypted",
    'Certificate file (PEM, with its chain) for encrypted incoming email (STARTTLS). Reread every hour.',
  ),
  MAIL_KEY: variable(
    fileSchema.nullable().default(null),
    "incoming email isn't encrypted",
    'File with the private key for `MAIL_CERT`.',
  ),
  BLOB_URL: variable(
    bucketSchema.nullable().default(null),
    'files in `DATA_DIR/files`',
    'S3-compatible storage for attached files: `s3://key:secret@host/bucket?region=…`; with `http://` or `https://` instead for other schemes. Several servers of one database need it: [operating.md](operating.md#several-servers-on-one-database).',
  ),
  PUSH_CONTACT: variable(
    urlSchema(['mailto:', 'https:']).nullable().default(null),
    '`PUBLIC_URL` if it is HTTPS',
    'Where push services can reach you about reminders sent from here: a `mailto:` or `https:` URL.',
  ),
  PUSH_NETWORKS: variable(
    networksSchema.default([]),
    'the public internet only',
    'More networks push services can be in, separated by commas, for your own push service.',
  ),
  CALENDAR_NETWORKS: variable(
    networksSchema.default([]),
    'the public internet only',
    'More networks calendars can be read from, separated by commas, for your own calendar server. In them `http://` works as well.',
  ),
  GOOGLE_CLIENT_ID: variable(
    z.string().max(500).nullable().default(null),
    'calendars of Google by their secret address only',
    'Client ID of an OAuth client of type “Web application” at Google, for reading Google calendars. [operating.md](operating.md#google-calendars) says how to get one.',
  ),
  GOOGLE_CLIENT_SECRET: variable(
    z.string().max(500).nullable().default(null),
    'likewise',
    'The client secret of `GOOGLE_CLIENT_ID`.',
  ),
  GOOGLE_URL: variable(
    originSchema.nullable().default(null),
    'Google',
    'Origin that answers in place of Google’s sign-in and calendars, for tests.',
  ),
  BILLING: variable(
    z.enum(['on', 'off']).default('off'),
    'off',
    'Whether people pay for their accounts through Stripe: `on`, or `off` to have nothing of it. [operating.md](operating.md#plans-and-payments) says what `on` needs.',
  ),
  STRIPE_SECRET_KEY: variable(
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_\S{1,500}$/, "isn't a secret key of Stripe, which begins with sk_ or rk_")
      .nullable()
      .default(null),
    'none; needed when `BILLING` is on',
    'The secret key of the account at Stripe. A live key does not start on data of a test key, nor the other way round.',
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    z
      .string()
      .regex(
        /^whsec_[^\s,]+(,\s*whsec_[^\s,]+)?$/,
        "isn't one signing secret, or two with a comma, each beginning with whsec_",
      )
      .transform((text) => text.split(',').map((part) => part.trim()))
      .nullable()
      .default(null),
    'none; needed when `BILLING` is on',
    'The signing secret of the webhook at Stripe; two, separated by a comma, while you replace one.',
  ),
  STRIPE_PRICE_MONTH: variable(
    z
      .string()
      .regex(/^price_\w+$/, "isn't the id of a price, which begins with price_")
      .nullable()
      .default(null),
    'a price of $6 a month, made at the first purchase',
    'Id of the monthly price at Stripe.',
  ),
  STRIPE_PRICE_YEAR: variable(
    z
      .string()
      .regex(/^price_\w+$/, "isn't the id of a price, which begins with price_")
      .nullable()
      .default(null),
    'a price of $48 a year, made at the first purchase',
    'Id of the yearly price at Stripe.',
  ),
  STRIPE_URL: variable(
    originSchema.nullable().default(null),
    'Stripe',
    'Origin that answers in place of Stripe, for tests; never with a live key.',
  ),
  APP_WORKER: variable(
    z.enum(['on', 'off']).default('on'),
    'on',
    'The service worker that lets the app start offline: `on`, or `off` to remove it from every browser; [operating.md](operating.md#when-the-app-itself-is-broken) says when.',
  ),
  DRAIN_SECONDS: variable(
    z
      .string()
      .regex(/^\d{1,3}$/, "isn't a number of seconds")
      .transform(Number)
      .refine((seconds) => seconds <= 120, 'is more than 120')
      .nullable()
      .default(null),
    '5 while other servers of the database run, else 0',
    'Seconds a server that is told to stop goes on answering while `/readyz` says `not ready`, so that no more requests are sent to it. [operating.md](operating.md#between-nodes) says more.',
  ),
  RATE_LIMITS: variable(
    ratesSchema.default(defaultRates),
    'default',
    'Rate limits: `default`, `off`, or your own numbers for some of them, like `listing=20/1m+400/1h,sign_up_ip=50/30m`.',
  ),
  LOG_LEVEL: variable(
    z.enum(['debug', 'info', 'error', 'off']).default('info'),
    'info',
    'How much is logged: `debug`, `info`, `error` or `off`.',
  ),
  METRICS_PORT: variable(
    portSchema(1).nullable().default(null),
    'only `/metrics` for this machine',
    'Port that serves metrics for Prometheus, and nothing else.',
  ),
  METRICS_HOST: variable(
    z.string().default('127.0.0.1'),
    '127.0.0.1',
    'Address of `METRICS_PORT`. Metrics name no one, but a network that you don’t trust has no business there.',
  ),
  BACKUPS: variable(
    z
      .string()
      .refine(
        (text) => text === 'on' || text === 'off' || isAbsolute(text),
        "isn't `on`, `off`, or the full path of a folder",
      )
      .default('on'),
    'on',
    'Hourly verified backups: `on` saves them in `DATA_DIR/backups`, a full path saves them in that folder, `off` turns them off.',
  ),
  BALLAST_MB: variable(
    z
      .string()
      .regex(/^\d{1,5}$/, "isn't a number of megabytes")
      .transform(Number)
      .default(128),
    '128',
    'Megabytes to reserve in the file `DATA_DIR/ballast`, at most a twentieth of the disk, and free up when the disk is full. 0 for none. [operating.md](operating.md#when-the-disk-is-full) says what for.',
  ),
  TRASH_DAYS: variable(
    z
      .string()
      .regex(/^\d{1,3}$/, "isn't a number of days")
      .transform(Number)
      .refine((days) => days >= 1 && days <= 400, "isn't between 1 and 400")
      .default(30),
    '30',
    'Days before items in the trash are permanently deleted.',
  ),
  TRUSTED_PROXIES: variable(
    networksSchema.default([]),
    'none',
    'Addresses or networks of proxies to trust for `X-Forwarded-For`, separated by commas.',
  ),
} as const satisfies Readonly<Record<string, Variable>>;

type VariableName = keyof typeof variables;

const environmentSchema = z.object(
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [Name in VariableName]: (typeof variables)[Name]['schema'];
  },
);

function backupFolder(backups: string, dataDir: string): string | null {
  if (backups === 'off') return null;
  return backups === 'on' ? join(dataDir, 'backups') : backups;
}

const hostOf = (publicUrl: string | null) => (publicUrl === null ? 'localhost' : new URL(publicUrl).hostname);

/**
 * Reads the configuration from environment variables; an empty one counts as absent. Problems never quote values: they may
 * hold passwords.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Result<Config, readonly string[]> {
  const given = Object.fromEntries(
    Object.keys(variables).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    return failed(result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
  }
  const read = result.data;
  if ((read.MAIL_CERT === null) !== (read.MAIL_KEY === null))
    return failed(['MAIL_CERT and MAIL_KEY go together. Set both or neither.']);
  if ((read.GOOGLE_CLIENT_ID === null) !== (read.GOOGLE_CLIENT_SECRET === null))
    return failed(['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together. Set both or neither.']);
  if (read.BUS_URL !== null && read.DATABASE_URL === null)
    return failed([
      'BUS_URL is for several servers of one PostgreSQL. Set DATABASE_URL as well, or neither.',
    ]);
  if (read.HISTORY_GROUPS.length > 0 && read.DATABASE_URL === null)
    return failed(['HISTORY_GROUPS go with PostgreSQL. Set DATABASE_URL as well, or neither.']);
  const billing = readBilling(read);
  if (!billing.ok) return failed([billing.problem]);
  return ok({
    port: read.PORT,
    host: read.HOST,
    dataDir: read.DATA_DIR,
    serverKey: read.SERVER_KEY,
    databaseUrl: read.DATABASE_URL,
    historyGroups: read.HISTORY_GROUPS,
    busUrl: read.BUS_URL,
    publicUrl: read.PUBLIC_URL,
    apiHost: read.API_HOST,
    appHost: read.APP_HOST,
    filesHost: read.FILES_HOST,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? `posthaste@${hostOf(read.PUBLIC_URL)}`,
    contactEmail: read.CONTACT_EMAIL,
    downloadUrl: read.DOWNLOAD_URL,
    appStoreUrl: read.APP_STORE_URL,
    socialUrl: read.SOCIAL_URL,
    communityUrl: read.COMMUNITY_URL,
    mailDomain: read.MAIL_DOMAIN,
    mailPort: read.MAIL_PORT,
    mailHost: read.MAIL_HOST ?? read.HOST,
    mailCertificate:
      read.MAIL_CERT === null || read.MAIL_KEY === null ? null : { cert: read.MAIL_CERT, key: read.MAIL_KEY },
    bucket: read.BLOB_URL,
    pushNetworks: read.PUSH_NETWORKS,
    pushContact: read.PUSH_CONTACT,
    calendarNetworks: read.CALENDAR_NETWORKS,
    google:
      read.GOOGLE_CLIENT_ID === null || read.GOOGLE_CLIENT_SECRET === null
        ? null
        : { id: read.GOOGLE_CLIENT_ID, secret: read.GOOGLE_CLIENT_SECRET, base: read.GOOGLE_URL },
    billing: billing.value,
    appWorkerIsOff: read.APP_WORKER === 'off',
    drainMs: read.DRAIN_SECONDS === null ? null : read.DRAIN_SECONDS * 1_000,
    rates: read.RATE_LIMITS,
    logLevel: read.LOG_LEVEL,
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    backupDir: backupFolder(read.BACKUPS, read.DATA_DIR),
    ballastBytes: read.BALLAST_MB * 1_048_576,
    trashDays: read.TRASH_DAYS,
    trustedProxies: read.TRUSTED_PROXIES,
  });
}

/** The configuration as a page of markdown: docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(
    ([name, { doc, without }]) => `| \`${name}\` | ${without} | ${doc} |`,
  );
  return [
    '# Configuration',
    '',
    "Environment variables, all optional. If a value is wrong, the server names the variable and doesn't start.",
    '`npm run admin -- config-table` makes this page from `src/server/config.ts`.',
    '',
    '| Variable | Default | What it does |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
