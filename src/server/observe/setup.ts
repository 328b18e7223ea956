// Features that this server lacks for want of configuration: printed at the start, and named on `/readyz`. Contains no
// values of variables, which may be secrets.
import type { Config } from '../config.ts';

export interface NotSetUp {
  /** Stable, for programs. */
  readonly name: string;
  /** The consequence, for the operator. */
  readonly words: string;
}

type SetUp = Pick<
  Config,
  | 'publicUrl'
  | 'smtpUrl'
  | 'mailDomain'
  | 'downloadUrl'
  | 'appStoreUrl'
  | 'socialUrl'
  | 'communityUrl'
  | 'bucket'
  | 'backupDir'
>;

/** In the order in which people miss them. */
const PARTS: readonly (NotSetUp & { readonly isMissing: (config: SetUp) => boolean })[] = [
  {
    name: 'public-url',
    words: 'Links in emails only work on this machine (PUBLIC_URL).',
    isMissing: ({ publicUrl }) => publicUrl === null,
  },
  {
    name: 'outgoing-mail',
    words: "Emails aren't sent. Password links and confirmation codes stay in DATA_DIR/outbox (SMTP_URL).",
    isMissing: ({ smtpUrl }) => smtpUrl === null,
  },
  {
    name: 'incoming-mail',
    words: "Lists don't have email addresses (MAIL_DOMAIN).",
    isMissing: ({ mailDomain }) => mailDomain === null,
  },
  {
    name: 'push',
    words: 'Reminders only ring in an open app, or on this machine. Other devices need HTTPS (PUBLIC_URL).',
    isMissing: ({ publicUrl }) => publicUrl?.startsWith('https:') !== true,
  },
  {
    name: 'backups',
    words: 'No backups are made (BACKUPS).',
    isMissing: ({ backupDir }) => backupDir === null,
  },
  {
    name: 'object-storage',
    words: 'Attached files are in DATA_DIR/files (BLOB_URL).',
    isMissing: ({ bucket }) => bucket === null,
  },
  {
    name: 'download',
    words: "The site doesn't offer an installer (DOWNLOAD_URL).",
    isMissing: ({ downloadUrl }) => downloadUrl === null,
  },
  {
    name: 'app-store',
    words: "The site doesn't link to the App Store (APP_STORE_URL).",
    isMissing: ({ appStoreUrl }) => appStoreUrl === null,
  },
  {
    name: 'social',
    words: "The site doesn't link to a social profile (SOCIAL_URL).",
    isMissing: ({ socialUrl }) => socialUrl === null,
  },
  {
    name: 'community',
    words: "The site doesn't link to a chat workspace (COMMUNITY_URL).",
    isMissing: ({ communityUrl }) => communityUrl === null,
  },
];

/** The features that are not configured. */
export function notSetUp(config: SetUp): readonly NotSetUp[] {
  return PARTS.filter(({ isMissing }) => isMissing(config)).map(({ name, words }) => ({ name, words }));
}

/** One block for a terminal or a log. */
export function setUpBlock(config: SetUp): string {
  const lines = notSetUp(config).map(({ name, words }) => `  ${name}: ${words}`);
  return ['Not set up (see docs/configuration.md):', ...lines].join('\n');
}
