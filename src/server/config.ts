// Everything an operator can set: environment variables, read once at start and checked by one schema.
// All are optional. The table in docs/configuration.md is made from this file.
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import { parseEmail } from './accounts/email.ts';
import { parseBucket, type BucketLocation } from './files/blobs.ts';
import { parseRates, type Rates } from './limits/rates.ts';

export type LogLevel = 'debug' | 'info' | 'error' | 'off';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Origin without a trailing slash. Null: whatever name a browser used, over plain HTTP. */
  readonly publicUrl: string | null;
  readonly apiHost: string | null;
  readonly appHost: string | null;
  readonly filesHost: string | null;
  readonly smtpUrl: string | null;
  /** Address that outgoing mail comes from. */
  readonly mailFrom: string;
  /** Where messages to whoever runs this go; null: `mailFrom`. */
  readonly contactEmail: string | null;
  /** Addresses that the public site leads to. */
  readonly downloadUrl: string | null;
  readonly appStoreUrl: string | null;
  readonly socialUrl: string | null;
  readonly communityUrl: string | null;
  /** Null: no mail comes in. */
  readonly mailDomain: string | null;
  readonly mailPort: number;
  readonly mailHost: string;
  /** Files in PEM form for incoming mail; null: it comes without encryption. */
  readonly mailCertificate: { readonly cert: string; readonly key: string } | null;
  /** Null: files are kept in the data folder. */
  readonly bucket: BucketLocation | null;
  /** Networks besides the public internet that push services may be in. */
  readonly pushNetworks: readonly string[];
  /** `mailto:` or `https:` URL that push services are told. */
  readonly pushContact: string | null;
  /** Browsers are to let go of the app's service worker. */
  readonly appWorkerIsOff: boolean;
  readonly rates: Rates;
  readonly logLevel: LogLevel;
  readonly metricsPort: number | null;
  /** Folder of automatic backups; null: none are made. */
  readonly backupDir: string | null;
  /** How long what was deleted can be restored. */
  readonly trashDays: number;
  /** Addresses and networks in CIDR form. */
  readonly trustedProxies: readonly string[];
}

const portSchema = (lowest: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'is not a port number')
    .transform(Number)
    .refine((port) => port >= lowest && port <= 65_535, `is not between ${lowest} and 65535`);

const hostNameSchema = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/,
    'is not a host name in lower case, with a port if it is not the usual one',
  );

const mailDomainSchema = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    'is not a domain in lower case',
  );

const fileSchema = z.string().transform((path) => resolve(path));

const urlSchema = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `is not a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

const originSchema = urlSchema(['http:', 'https:'])
  .refine(
    (text) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`,
    'has a path, a query or a name in it; only the origin is wanted, like https://tasks.example.org',
  )
  .transform((text) => new URL(text).origin);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const networksSchema = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isNetwork), 'is not a list of addresses or networks like 10.0.0.0/8,::1');

const ratesSchema = z.string().transform((text, context) => {
  const rates = parseRates(text);
  if (typeof rates !== 'string') return rates;
  context.addIssue({ code: 'custom', message: rates });
  return z.NEVER;
});

const bucketSchema = urlSchema(['http:', 'https:', 's3:']).transform((text, context) => {
  const bucket = parseBucket(text);
  if (bucket) return bucket;
  context.addIssue({ code: 'custom', message: 'names no bucket, or no key and secret' });
  return z.NEVER;
});

const databaseSchema = urlSchema(['postgres:', 'postgresql:']);

/** One variable: how it is checked, what holds without it, and the sentence that documents it. */
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
  PORT: variable(portSchema(0).default(4040), '4040', 'Port the server listens on; 0 takes any free one.'),
  HOST: variable(
    z
      .string()
      .refine((text) => isIP(text) !== 0 || text === 'localhost', 'is not an IP address or "localhost"')
      .default('127.0.0.1'),
    '127.0.0.1',
    'Address the server listens on; `0.0.0.0` or `::` makes it reachable from other machines.',
  ),
  DATA_DIR: variable(
    z
      .string()
      .default('./data')
      .transform((path) => resolve(path)),
    './data',
    'Folder for the database, files and everything else that is kept; only its owner may read it.',
  ),
  DATABASE_URL: variable(
    databaseSchema.nullable().default(null),
    'SQLite in `DATA_DIR`',
    'A `postgres://` URL to keep the data in PostgreSQL instead of SQLite.',
  ),
  PUBLIC_URL: variable(
    originSchema.nullable().default(null),
    'the name the browser used, over HTTP',
    'Origin under which people reach the server, like `https://tasks.example.org`; needed behind a proxy that ends TLS.',
  ),
  API_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that answers only the public API.',
  ),
  APP_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that answers only the app.',
  ),
  FILES_HOST: variable(
    hostNameSchema.nullable().default(null),
    'the same host',
    'Host name that serves only attached files. Without effect in this version.',
  ),
  SMTP_URL: variable(
    urlSchema(['smtp:', 'smtps:']).nullable().default(null),
    'a folder in `DATA_DIR`',
    'Mail server for outgoing mail, with name and password in the URL when it asks for them. Without one, letters stay in `DATA_DIR/outbox`.',
  ),
  MAIL_FROM: variable(
    z
      .string()
      .transform((text) => parseEmail(text) ?? '')
      .refine((email) => email !== '', 'is not an email address')
      .nullable()
      .default(null),
    '`posthaste@` the host of `PUBLIC_URL`',
    'Address that outgoing mail comes from.',
  ),
  CONTACT_EMAIL: variable(
    z
      .string()
      .transform((text) => parseEmail(text) ?? '')
      .refine((email) => email !== '', 'is not an email address')
      .nullable()
      .default(null),
    '`MAIL_FROM`',
    'Address that receives what people write on the contact page.',
  ),
  DOWNLOAD_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page that says how to install the web app',
    'Where the site’s Download links lead: the installer for the Mac. Phones are led to `APP_STORE_URL`, else to the page for phones.',
  ),
  APP_STORE_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page that says how to install the web app',
    'Page of the app in the App Store.',
  ),
  SOCIAL_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page that says that there is none',
    'The social profile that the site’s footer links to.',
  ),
  COMMUNITY_URL: variable(
    urlSchema(['http:', 'https:']).nullable().default(null),
    'a page that says that there is none',
    'Invitation to the community chat workspace.',
  ),
  MAIL_DOMAIN: variable(
    mailDomainSchema.nullable().default(null),
    'no incoming mail',
    'Domain of the addresses that turn mail into tasks, like `in.example.org`. Its MX record has to lead here; [operating.md](operating.md#incoming-mail) says how.',
  ),
  MAIL_PORT: variable(
    portSchema(0).default(2525),
    '2525',
    'Port that mail is received on while `MAIL_DOMAIN` is set; other mail servers expect 25. 0 takes any free one.',
  ),
  MAIL_HOST: variable(
    z
      .string()
      .refine((text) => isIP(text) !== 0 || text === 'localhost', 'is not an IP address or "localhost"')
      .nullable()
      .default(null),
    '`HOST`',
    'Address that mail is received on, where it is not the one of the website; `0.0.0.0` or `::` for mail from everywhere.',
  ),
  MAIL_CERT: variable(
    fileSchema.nullable().default(null),
    'mail comes in without encryption',
    'File with the certificate (PEM, with its chain) for mail that comes in encrypted (STARTTLS). Read anew every hour.',
  ),
  MAIL_KEY: variable(
    fileSchema.nullable().default(null),
    'mail comes in without encryption',
    'File with the private key of `MAIL_CERT`.',
  ),
  BLOB_URL: variable(
    bucketSchema.nullable().default(null),
    'files in `DATA_DIR/files`',
    'S3-compatible storage for attached files: `s3://key:secret@host/bucket?region=…`; with `http://` or `https://` instead for other schemes.',
  ),
  PUSH_CONTACT: variable(
    urlSchema(['mailto:', 'https:']).nullable().default(null),
    '`PUBLIC_URL` if it is HTTPS',
    'Who push services may write to about reminders sent from here: a `mailto:` or `https:` URL.',
  ),
  PUSH_NETWORKS: variable(
    networksSchema.default([]),
    'the public internet only',
    'Further networks that push services may be in, separated by commas, for a push service of your own.',
  ),
  APP_WORKER: variable(
    z.enum(['on', 'off']).default('on'),
    'on',
    'The service worker that lets the app start without a network: `on`, or `off` to take it away from every browser; [operating.md](operating.md#when-the-app-itself-is-broken) says when.',
  ),
  RATE_LIMITS: variable(
    ratesSchema.default(parseRates('default') as Rates),
    'default',
    'Rate limits: `default`, `off`, or figures for some doors like `listing=20/1m+400/1h,sign_up_ip=50/30m`.',
  ),
  LOG_LEVEL: variable(
    z.enum(['debug', 'info', 'error', 'off']).default('info'),
    'info',
    'How much is logged: `debug`, `info`, `error` or `off`.',
  ),
  METRICS_PORT: variable(
    portSchema(1).nullable().default(null),
    'only `/metrics` for this machine',
    'Loopback port that serves metrics for Prometheus.',
  ),
  BACKUPS: variable(
    z
      .string()
      .refine(
        (text) => text === 'on' || text === 'off' || isAbsolute(text),
        'is neither `on`, `off` nor the full path of a folder',
      )
      .default('on'),
    'on',
    'Hourly verified backups: `on` keeps them in `DATA_DIR/backups`, the full path of a folder keeps them there, `off` makes none.',
  ),
  TRASH_DAYS: variable(
    z
      .string()
      .regex(/^\d{1,3}$/, 'is not a number of days')
      .transform(Number)
      .refine((days) => days >= 1 && days <= 400, 'is not between 1 and 400')
      .default(30),
    '30',
    'Days after which what is in the trash is removed for good.',
  ),
  TRUSTED_PROXIES: variable(
    networksSchema.default([]),
    'none',
    'Addresses or networks of proxies whose `X-Forwarded-For` is believed, separated by commas.',
  ),
} as const satisfies Readonly<Record<string, Variable>>;

type VariableName = keyof typeof variables;

const environmentSchema = z.object(
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [Name in VariableName]: (typeof variables)[Name]['schema'];
  },
);

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

function backupFolder(backups: string, dataDir: string): string | null {
  if (backups === 'off') return null;
  return backups === 'on' ? join(dataDir, 'backups') : backups;
}

const hostOf = (publicUrl: string | null) => (publicUrl === null ? 'localhost' : new URL(publicUrl).hostname);

/** Reads the configuration from environment variables; an empty one counts as absent. Values are never repeated in problems: they may hold passwords. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ConfigResult {
  const given = Object.fromEntries(
    Object.keys(variables).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    return {
      ok: false,
      problems: result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`),
    };
  }
  const read = result.data;
  if ((read.MAIL_CERT === null) !== (read.MAIL_KEY === null))
    return { ok: false, problems: ['MAIL_CERT and MAIL_KEY are needed both, or neither.'] };
  return {
    ok: true,
    config: {
      port: read.PORT,
      host: read.HOST,
      dataDir: read.DATA_DIR,
      databaseUrl: read.DATABASE_URL,
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
        read.MAIL_CERT === null || read.MAIL_KEY === null
          ? null
          : { cert: read.MAIL_CERT, key: read.MAIL_KEY },
      bucket: read.BLOB_URL,
      pushNetworks: read.PUSH_NETWORKS,
      pushContact: read.PUSH_CONTACT,
      appWorkerIsOff: read.APP_WORKER === 'off',
      rates: read.RATE_LIMITS,
      logLevel: read.LOG_LEVEL,
      metricsPort: read.METRICS_PORT,
      backupDir: backupFolder(read.BACKUPS, read.DATA_DIR),
      trashDays: read.TRASH_DAYS,
      trustedProxies: read.TRUSTED_PROXIES,
    },
  };
}

/** The configuration as a page of markdown: docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(
    ([name, { doc, without }]) => `| \`${name}\` | ${without} | ${doc} |`,
  );
  return [
    '# Configuration',
    '',
    'Environment variables, all optional. A wrong value stops the server at once and names the variable.',
    'This page is made from `src/server/config.ts` by `npm run admin -- config-table`.',
    '',
    '| Variable | Without it | What it does |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
