// Releases of the desktop client on this server: signed by the people who built them, added by the operator, and offered once the release
// of the same version is available. The server checks them, and can change nothing in them.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  compareVersions,
  type DesktopPlatform,
  mostReleaseBytes,
  readRelease,
  type ReleaseFile,
  releaseFileName,
  type ReleaseManifest,
  releasePath,
  type SignedRelease,
  signedReleaseSchema,
} from '#wire/releases/release.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import type { Blobs } from '../files/blobs.ts';
import { contentOf } from '../files/content-places.ts';
import type { Range } from '../http/range.ts';

/** Name of the folder of release files in the data folder. */
const RELEASES_FOLDER = 'releases';

/** The files of releases: apart from what people attach, which is swept. */
export const openReleaseFiles = (config: Pick<Config, 'dataDir' | 'bucket'>): Blobs =>
  contentOf(config, RELEASES_FOLDER);

export interface DesktopRelease {
  readonly signed: SignedRelease;
  readonly manifest: ReleaseManifest;
  readonly stagedPercent: number;
}

/** Releases of the desktop client. */
export interface DesktopReleases {
  /** Takes `release.json` and the files that it names from a folder. A problem in words: nothing was changed. */
  add(folder: string): Promise<Result<ReleaseManifest, string>>;
  /** How many of a hundred devices may take it by themselves. False: there is no such version. */
  stage(version: string, percent: number): Promise<boolean>;
  /** The newest that is available for a platform; null: none. */
  newest(platform: DesktopPlatform): Promise<DesktopRelease | null>;
  /** The newest that is available at all; null: none. */
  shown(): Promise<DesktopRelease | null>;
  /** All, the newest first, for the operator. */
  all(): Promise<readonly DesktopRelease[]>;
  /** A file of a release that is available; null: there is none of this name, or it is gone. */
  file(version: string, name: string): Promise<ReleaseFile | null>;
  read(file: ReleaseFile, range: Range | null): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** Opens the file when the first part is asked for: nobody would hear of a failure before. */
async function* partsOf(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}

function parseRelease(text: string): DesktopRelease['signed'] | null {
  try {
    const read = signedReleaseSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

class StoredReleases implements DesktopReleases {
  readonly #db: Kysely<Tables>;
  readonly #clock: Clock;
  readonly #blobs: Blobs;

  constructor(db: Kysely<Tables>, clock: Clock, blobs: Blobs) {
    this.#db = db;
    this.#clock = clock;
    this.#blobs = blobs;
  }

  async add(folder: string): Promise<Result<ReleaseManifest, string>> {
    const text = await readFile(join(folder, releaseFileName), 'utf8').catch(() => null);
    if (text === null) return failed(`${folder} has no ${releaseFileName}.`);
    const signed = parseRelease(text);
    const manifest = signed && readRelease(signed, signed.key);
    if (!signed || !manifest)
      return failed(`${releaseFileName} isn’t what was signed. Make the release anew.`);
    const before = await this.#stored(manifest.version);
    if (
      before !== null &&
      before.signed.manifest !== signed.manifest &&
      (await this.#isOut(manifest.version))
    )
      return failed(`${manifest.version} is available already, with other files. Make a new version.`);
    for (const file of manifest.files) {
      const problem = await this.#take(folder, file);
      if (problem !== null) return failed(problem);
    }
    const values = { signed: JSON.stringify(signed), staged_percent: 100 };
    await this.#db
      .insertInto('desktop_release')
      .values({ version: manifest.version, ...values, created_at: Math.round(this.#clock.now()) })
      .onConflict((conflict) => conflict.column('version').doUpdateSet({ signed: values.signed }))
      .execute();
    return ok(manifest);
  }

  async stage(version: string, percent: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('desktop_release')
      .set({ staged_percent: percent })
      .where('version', '=', version)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async newest(platform: DesktopPlatform): Promise<DesktopRelease | null> {
    const available = await this.#available();
    return (
      available.find(({ manifest }) => manifest.files.some((file) => file.platform === platform)) ?? null
    );
  }

  async shown(): Promise<DesktopRelease | null> {
    return (await this.#available())[0] ?? null;
  }

  async all(): Promise<readonly DesktopRelease[]> {
    return this.#read(await this.#db.selectFrom('desktop_release').selectAll().execute());
  }

  async file(version: string, name: string): Promise<ReleaseFile | null> {
    const found = (await this.#isOut(version)) ? await this.#stored(version) : null;
    const file = found?.manifest.files.find((each) => each.name === name);
    // A database that was restored may know of files that are gone.
    return file && (await this.#blobs.size(file.sha256)) === file.bytes ? file : null;
  }

  async read(file: ReleaseFile, range: Range | null): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const content = range === null ? this.#blobs.read(file.sha256) : this.#blobs.read(file.sha256, range);
    return (await content) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  /** Null: it is stored. */
  async #take(folder: string, file: ReleaseFile): Promise<string | null> {
    const path = join(folder, file.name);
    const problems = {
      too_large: `${file.name} is larger than signed.`,
      mismatch: `${file.name} isn’t the file that was signed.`,
      cut: `${path} can’t be read.`,
    } as const;
    if ((await this.#blobs.size(file.sha256)) === file.bytes) return null;
    try {
      const put = await this.#blobs.put(file.sha256, partsOf(path), Math.min(file.bytes, mostReleaseBytes));
      return put.ok ? null : problems[put.problem];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return problems.cut;
      throw error;
    }
  }

  #read(
    rows: readonly { readonly signed: string; readonly staged_percent: number }[],
  ): readonly DesktopRelease[] {
    return rows
      .flatMap((row) => {
        const signed = parseRelease(row.signed);
        const manifest = signed && readRelease(signed, signed.key);
        return signed && manifest ? [{ signed, manifest, stagedPercent: row.staged_percent }] : [];
      })
      .toSorted((one, other) => compareVersions(other.manifest.version, one.manifest.version));
  }

  async #stored(version: string): Promise<DesktopRelease | null> {
    const rows = await this.#db
      .selectFrom('desktop_release')
      .selectAll()
      .where('version', '=', version)
      .execute();
    return this.#read(rows)[0] ?? null;
  }

  async #available(): Promise<readonly DesktopRelease[]> {
    const rows = await this.#db
      .selectFrom('desktop_release')
      .innerJoin('app_release', 'app_release.version', 'desktop_release.version')
      .select(['desktop_release.signed', 'desktop_release.staged_percent'])
      .where('app_release.made_generally_available_at', '<=', Math.round(this.#clock.now()))
      .execute();
    return this.#read(rows);
  }

  async #isOut(version: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('app_release')
      .select('made_generally_available_at')
      .where('version', '=', version)
      .executeTakeFirst();
    const at = row?.made_generally_available_at ?? null;
    return at !== null && at <= this.#clock.now();
  }
}

/** On the database and a place for files. */
export const createDesktopReleases = (db: Kysely<Tables>, clock: Clock, blobs: Blobs): DesktopReleases =>
  new StoredReleases(db, clock, blobs);

const MB = 1_048_576;
const SYSTEMS: Readonly<Record<DesktopPlatform, string>> = {
  debian: 'Debian and Ubuntu',
  linux: 'Other Linux',
  mac: 'macOS 12 and newer',
  windows: 'Windows',
};

/** The list of files on the download page. All that stands in a manifest was checked to be plain. */
export function downloadsHtml({ version, files }: ReleaseManifest): string {
  const items = files.map(({ platform, name, bytes, sha256 }) => {
    const size = `${Math.max(0.1, bytes / MB).toFixed(1)} MB`;
    return `<li><a href="${releasePath(version, name)}" data-download="">${SYSTEMS[platform]}</a> ${size}<br><small>SHA-256 <code>${sha256}</code></small></li>`;
  });
  return `<h2>Posthaste ${version} for the desktop</h2><ul class="downloads">${items.join('')}</ul>`;
}
