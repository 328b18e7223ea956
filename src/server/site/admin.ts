// The operator's commands for the public site: promo codes, releases, sign-ups, messages, counts of visits. Words in, lines
// out; the terminal is not here.
import { readFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import { billingCommands, billingUsage } from '../billing/admin.ts';
import { createLetters } from '../mail/letters.ts';
import { createMemoryPost } from '../mail/post.ts';
import { createLimiter } from '../limits/rates.ts';
import { createDesktopReleases, openReleaseFiles } from './desktop-releases.ts';
import { createPromoCodes, parsePromoCode } from './promo-codes.ts';
import { createReleases } from './releases.ts';
import { createSignUps } from './sign-ups.ts';
import { createVisits } from './visits.ts';

/** Help for the site's commands, a part of the usage of `npm run admin`. */
export const siteUsage = `  promo add <code> <percent> <months> <commission> <partner…>
                                 a promo code: percent off the first months, percent commission
  promo list                     every promo code
  promo disable <code>           stop accepting it
  release write <version> <file> write or replace the notes of a version, in markdown
  release publish <version> [day]
                                 make it public from that day, YYYY-MM-DD; without a day, from now
  release add <folder>           take a signed release of the desktop client, with its files and notes
  release stage <version> <percent>
                                 how many of a hundred desktop clients take it by themselves
  release list                   every release
  sign-ups <newsletter|affiliate>
                                 confirmed addresses as CSV
  messages [count]               the newest messages from the contact page
  visits [days]                  counts of visits and downloads as CSV, 30 days without a number
${billingUsage}`;

/** What the commands work with: the configuration, the database, and lines to print. */
export interface SiteAdmin {
  readonly config: Pick<Config, 'dataDir' | 'bucket' | 'billing' | 'publicUrl' | 'port' | 'appHost'>;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly print: (line: string) => void;
}

/** Null: done. A text: the error; nothing was changed. */
type Outcome = Promise<string | null>;
/** A command with its words: null when it is done, or the problem in words, and then nothing was changed. */
export type Command = (admin: SiteAdmin, words: readonly string[]) => Outcome;

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function wholeNumber(text: string | undefined, lowest: number, highest: number): number | null {
  const number = /^\d{1,4}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return number >= lowest && number <= highest ? number : null;
}

async function addPromo({ db, clock, print }: SiteAdmin, words: readonly string[]): Outcome {
  const [text = '', percent, months, commission, ...partner] = words;
  const code = parsePromoCode(text);
  if (code === null) return 'A code has 2 to 40 letters, digits, - and _.';
  const discountPercentage = wholeNumber(percent, 1, 100);
  if (discountPercentage === null) return 'The percentage must be a whole number from 1 to 100.';
  const discountMonths = wholeNumber(months, 1, 1_200);
  if (discountMonths === null) return 'The months must be a whole number from 1 to 1200.';
  const commissionPercentage = wholeNumber(commission, 0, 100);
  if (commissionPercentage === null) return 'The commission must be a whole number from 0 to 100.';
  const name = partner.join(' ').trim();
  if (name === '') return "Enter the partner's name.";
  const terms = { discountPercentage, discountMonths, commissionPercentage };
  if (!(await createPromoCodes(db, clock).create(code, name, terms))) return `${code} is already taken.`;
  print(`Created ${code} for ${name}: /a/${code}`);
  return null;
}

async function listPromos({ db, clock, print }: SiteAdmin): Outcome {
  const codes = createPromoCodes(db, clock);
  const redeemed = await codes.redemptions();
  for (const promo of await codes.all())
    print(
      `${promo.code.padEnd(20)}  ${promo.disabled_at === null ? 'active  ' : 'disabled'}  ${promo.discount_percentage}% for ${counted(promo.discount_num_months, 'month')}  ${promo.commission_percentage}% commission  redeemed ${counted(redeemed.get(promo.code) ?? 0, 'time')}  ${promo.partner}`,
    );
  return null;
}

async function disablePromo({ db, clock, print }: SiteAdmin, [text = '']: readonly string[]): Outcome {
  const code = parsePromoCode(text) ?? '';
  if (!(await createPromoCodes(db, clock).disable(code))) return `There's no active code ${text}.`;
  print(`Disabled ${code}.`);
  return null;
}

async function writeRelease(admin: SiteAdmin, [version = '', file = '']: readonly string[]): Outcome {
  if (!/^\d+\.\d+(?:\.\d+)?(?:-[0-9a-z.]+)?$/i.test(version)) return 'Write the version like 1.2.3.';
  let markdown: string;
  try {
    markdown = readFileSync(file, 'utf8');
  } catch {
    // The path is the operator's own, so the reason adds nothing.
    return `${file} can't be read.`;
  }
  if (markdown.trim() === '') return `${file} is empty.`;
  const releases = createReleases(admin.db, admin.clock, admin.newId);
  await releases.write(version, markdown);
  const [written] = (await releases.all()).filter((release) => release.version === version);
  const isSeen = written?.made_generally_available_at !== null;
  admin.print(
    isSeen
      ? `Wrote the notes of ${version}.`
      : `Wrote the notes of ${version}. They are shown once it is published: release publish ${version}`,
  );
  return null;
}

async function publishRelease(admin: SiteAdmin, [version = '', on]: readonly string[]): Outcome {
  const at = on === undefined ? Math.round(admin.clock.now()) : Date.parse(`${on}T00:00:00Z`);
  // A day that does not exist would become one of the next month.
  if (Number.isNaN(at) || (on !== undefined && day(at) !== on)) return 'Write the day like 2027-01-31.';
  if (!(await createReleases(admin.db, admin.clock, admin.newId).publish(version, at)))
    return `There are no notes for ${version}.`;
  admin.print(`${version} is available from ${day(at)}.`);
  return null;
}

const desktopOf = ({ db, clock, config }: SiteAdmin) =>
  createDesktopReleases(db, clock, openReleaseFiles(config));

async function addRelease(admin: SiteAdmin, [folder = '']: readonly string[]): Outcome {
  const added = await desktopOf(admin).add(folder);
  if (!added.ok) return added.problem;
  const { version, files, notes } = added.value;
  const releases = createReleases(admin.db, admin.clock, admin.newId);
  const isKnown = (await releases.all()).some((release) => release.version === version);
  if (!isKnown) await releases.write(version, notes);
  for (const { name, platform } of files) admin.print(`  ${platform.padEnd(8)} ${name}`);
  admin.print(`Added ${version}. Clients are offered it once it is published: release publish ${version}`);
  return null;
}

async function stageRelease(admin: SiteAdmin, [version = '', text]: readonly string[]): Outcome {
  const percent = wholeNumber(text, 0, 100);
  if (percent === null) return 'The percentage must be a whole number from 0 to 100.';
  if (!(await desktopOf(admin).stage(version, percent))) return `There's no desktop release ${version}.`;
  admin.print(`${percent} of a hundred desktop clients take ${version} by themselves.`);
  return null;
}

async function listReleases(admin: SiteAdmin): Outcome {
  const desktop = new Map((await desktopOf(admin).all()).map((each) => [each.manifest.version, each]));
  for (const release of await createReleases(admin.db, admin.clock, admin.newId).all()) {
    const available = release.made_generally_available_at;
    const files = desktop.get(release.version);
    const platforms = files?.manifest.files.map(({ platform }) => platform).join(', ');
    const staged = files && files.stagedPercent < 100 ? ` (${files.stagedPercent}%)` : '';
    const when = available === null ? 'not available yet' : day(available);
    admin.print(
      `${release.version.padEnd(12)}  ${when}${platforms === undefined ? '' : `  ${platforms}${staged}`}`,
    );
  }
  return null;
}

async function signUps({ db, clock, print }: SiteAdmin, [list]: readonly string[]): Outcome {
  if (list !== 'newsletter' && list !== 'affiliate') return 'Choose newsletter or affiliate.';
  const reading = createSignUps({
    db,
    clock,
    letters: createLetters({ post: createMemoryPost(), limiter: createLimiter({}, clock) }),
    origin: '',
  });
  print('email,confirmed');
  for (const { email, confirmed_at: at } of await reading.confirmed(list))
    print(`${cell(email)},${day(at ?? 0)}`);
  return null;
}

async function messages({ db, print }: SiteAdmin, [text = '20']: readonly string[]): Outcome {
  const count = wholeNumber(text, 1, 1_000);
  if (count === null) return 'Enter a number from 1 to 1000.';
  const newest = await db
    .selectFrom('contact_message')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(count)
    .execute();
  // Other people's texts are printed without control characters.
  const plain = (words: string) => words.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
  for (const { email, subject, message, created_at: at } of newest)
    print(plain(`${day(at)}  ${email}  ${subject}\n${message}\n`));
  return null;
}

async function visits({ db, clock, print }: SiteAdmin, [text = '30']: readonly string[]): Outcome {
  const days = wholeNumber(text, 1, 3_660);
  if (days === null) return 'Enter a number of days from 1 to 3660.';
  print('day,what,ref,count');
  for (const row of await createVisits(db, clock).since(days))
    print(`${row.day},${row.what},${cell(row.ref)},${row.count}`);
  return null;
}

/** A command of the operator. */
export interface Entry {
  readonly run: Command;
  /** The least number of words after its name. */
  readonly least: number;
  readonly most: number;
}

const commands: Readonly<Record<string, Entry>> = {
  ...billingCommands,
  'promo add': { run: addPromo, least: 5, most: Infinity },
  'promo list': { run: listPromos, least: 0, most: 0 },
  'promo disable': { run: disablePromo, least: 1, most: 1 },
  'release write': { run: writeRelease, least: 2, most: 2 },
  'release publish': { run: publishRelease, least: 1, most: 2 },
  'release add': { run: addRelease, least: 1, most: 1 },
  'release stage': { run: stageRelease, least: 2, most: 2 },
  'release list': { run: listReleases, least: 0, most: 0 },
  'sign-ups': { run: signUps, least: 1, most: 1 },
  messages: { run: messages, least: 0, most: 1 },
  visits: { run: visits, least: 0, most: 1 },
};

/** The command that these words name, with its arguments; null: no such command, or too few or too many words. */
export function siteCommand(
  words: readonly string[],
): { readonly run: Command; readonly rest: readonly string[] } | null {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const rest = words.slice(count);
    if (entry && rest.length >= entry.least && rest.length <= entry.most) return { run: entry.run, rest };
  }
  return null;
}
