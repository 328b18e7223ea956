// Releases of the app: written in markdown by the operator, and shown on the changelog page, in its feed and on the front
// page from the day on which they are available. Newest first by that day; unpublished ones by the day of writing.
import type { Kysely, Selectable } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { AppReleaseTable, Tables } from '../data/tables.ts';
import { releaseNotesHtml } from './release-notes.ts';

export type Release = Selectable<AppReleaseTable>;

export interface Releases {
  /** For the operator: includes unpublished ones and those available later. */
  all(): Promise<readonly Release[]>;
  /** For the public: those available by now. */
  available(): Promise<readonly Release[]>;
  /** Writes or replaces the notes of a version. */
  write(version: string, markdown: string): Promise<void>;
  /** False: no such version. */
  publish(version: string, at: number): Promise<boolean>;
}

const dateOf = (release: Release) => release.made_generally_available_at ?? release.created_at;

/** The releases that are public at this moment. */
export const availableAt = (releases: readonly Release[], now: number): readonly Release[] =>
  releases.filter(({ made_generally_available_at: at }) => at !== null && at <= now);

export function createReleases(db: Kysely<Tables>, clock: Clock, newId: () => Id): Releases {
  const all = async (): Promise<readonly Release[]> => {
    const releases = await db.selectFrom('app_release').selectAll().execute();
    return releases.toSorted((one, two) => dateOf(two) - dateOf(one));
  };
  return {
    all,
    available: async () => availableAt(await all(), clock.now()),
    async write(version, markdown) {
      const now = Math.round(clock.now());
      const notes = { notes_markdown: markdown, notes_html: releaseNotesHtml(markdown), updated_at: now };
      await db
        .insertInto('app_release')
        .values({ version, id: newId(), ...notes, made_generally_available_at: null, created_at: now })
        .onConflict((conflict) => conflict.column('version').doUpdateSet(notes))
        .execute();
    },
    async publish(version, at) {
      const { numUpdatedRows } = await db
        .updateTable('app_release')
        .set({ made_generally_available_at: at, updated_at: Math.round(clock.now()) })
        .where('version', '=', version)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** In the form of the public call. */
export function releaseJson(release: Release): Readonly<Record<string, unknown>> {
  const { id, version, notes_html: notes, made_generally_available_at: available } = release;
  return {
    id,
    version,
    release_notes: notes,
    made_generally_available_at: available === null ? null : iso(available),
    created_at: iso(release.created_at),
    updated_at: iso(release.updated_at),
  };
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const releaseAnchor = (version: string) => `v${version.replaceAll(/[^0-9a-z]+/gi, '-')}`;

const DAYS = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function time(release: Release): string {
  const at = dateOf(release);
  return `<time datetime="${iso(at)}">${DAYS.format(at)}</time>`;
}

function article(release: Release): string {
  const anchor = releaseAnchor(release.version);
  return `<article class="release" id="${anchor}"><h2><a href="#${anchor}">${escape(release.version)}</a> ${time(release)}</h2>${release.notes_html}</article>`;
}

/** The list in the page before scripts request a newer one. */
export const releasesHtml = (releases: readonly Release[]): string => releases.map(article).join('');

/** Number of releases on the front page. */
const NEWS = 3;

/** The first paragraph or item of the notes. They are our own markup: these contain only inline elements. */
const firstWords = ({ notes_html: notes }: Release) => /<(p|li)>(.*?)<\/\1>/s.exec(notes)?.[2] ?? '';

function newsItem(release: Release): string {
  const words = firstWords(release);
  const link = `<a href="/changelog#${releaseAnchor(release.version)}">${escape(release.version)}</a>`;
  return `<li><h3>${link} ${time(release)}</h3>${words === '' ? '' : `<p>${words}</p>`}</li>`;
}

/** The section of the front page with the latest releases; empty without any. */
export function newsHtml(releases: readonly Release[]): string {
  if (releases.length === 0) return '';
  const items = releases.slice(0, NEWS).map(newsItem).join('');
  return `<section class="news" aria-labelledby="news"><h2 id="news">Lately in Posthaste</h2><ul>${items}</ul><p><a class="more" href="/changelog">The whole changelog</a></p></section>`;
}

/** A release published for a later day changes on that day. */
const changedAt = (release: Release) => Math.max(release.updated_at, dateOf(release));

/** The Atom feed, RFC 4287. */
export function releasesFeed(releases: readonly Release[], origin: string): string {
  const updated = Math.max(0, ...releases.map(changedAt));
  const entries = releases.map((release) => {
    const link = `${origin}/changelog#${releaseAnchor(release.version)}`;
    return [
      '<entry>',
      `<id>urn:uuid:${release.id}</id>`,
      `<title>Posthaste ${escape(release.version)}</title>`,
      `<link href="${escape(link)}"/>`,
      `<published>${iso(dateOf(release))}</published>`,
      `<updated>${iso(changedAt(release))}</updated>`,
      `<content type="html">${escape(release.notes_html)}</content>`,
      '</entry>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escape(origin)}/changelog</id>`,
    '<title>Posthaste changelog</title>',
    '<author><name>Posthaste</name></author>',
    `<link href="${escape(origin)}/changelog"/>`,
    `<link rel="self" href="${escape(origin)}/changelog.atom"/>`,
    `<updated>${iso(updated)}</updated>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}
