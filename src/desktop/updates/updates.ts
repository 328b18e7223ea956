// Newer versions of this program: asks the server for a release, takes only what the people who built this copy have signed, fetches its
// file, and hands it to the system when the person says so. A version is never replaced by an older one.
import {
  compareVersions,
  readRelease,
  type ReleaseFile,
  type ReleaseManifest,
  releasePath,
  updateAnswerSchema,
  updatePath,
} from '#wire/releases/release.ts';
import type { Shell } from '../shell.ts';
import type { Build } from './build.ts';

/** The file that remembers what was seen. */
const stateFile = 'updates.json';
/** When a shell asks: once the start is over, and then again and again. */
export const lookTimes = { firstMs: 60_000, againMs: 6 * 3_600_000 } as const;

/**
 * How it stands. `off`: this copy has no key. `unknown`: the server gave no answer. `refused`: what it gave isn't signed by who built this
 * copy, or isn't newer. `ready`: the file is here.
 */
export type UpdateState =
  | { readonly type: 'off' | 'unknown' | 'newest' | 'refused' | 'no_room' }
  | { readonly type: 'ready'; readonly version: string; readonly notes: string };

export interface UpdatePorts {
  readonly shell: Pick<Shell, 'ask' | 'readOwn' | 'writeOwn' | 'sha256' | 'keepUpdate' | 'openUpdate'>;
  readonly build: Build;
  /** Origin of the server; null: none is chosen. */
  readonly server: () => string | null;
  /** A whole number from 0 to 99, by chance. */
  readonly chance: () => number;
}

interface Remembered {
  /** The newest version that was seen: nothing older is taken anymore. */
  readonly newest: string;
  /** This device's place among a hundred: those below the percentage of a release take it. */
  readonly place: number;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Newer versions of the program. One question at a time. */
export class Updates {
  readonly #ports: UpdatePorts;
  #asking: Promise<UpdateState> | null = null;
  /** Path of the file that is ready. */
  #path: string | null = null;

  constructor(ports: UpdatePorts) {
    this.#ports = ports;
  }

  /** Asks the server, and fetches a newer version. `isAsked`: the person wants it now, at whichever percentage it stands. */
  async look(isAsked: boolean): Promise<UpdateState> {
    this.#asking ??= this.#look(isAsked).finally(() => {
      this.#asking = null;
    });
    return await this.#asking;
  }

  /** Hands the file to the system, which installs it. False: there is none, or nothing opens it. */
  async install(): Promise<boolean> {
    return this.#path !== null && (await this.#ports.shell.openUpdate(this.#path));
  }

  async #look(isAsked: boolean): Promise<UpdateState> {
    const { build, server: serverOf } = this.#ports;
    const server = serverOf();
    if (build.key === null) return { type: 'off' };
    if (server === null) return { type: 'unknown' };
    const answer = await this.#get(`${server}${updatePath(build.platform)}`);
    const read = updateAnswerSchema.safeParse(answer && parse(text(answer)));
    if (!read.success) return { type: 'unknown' };
    const { release, staged_percent: percent } = read.data;
    if (release === null) return { type: 'newest' };
    const manifest = readRelease(release, build.key);
    const file = manifest?.files.find(({ platform }) => platform === build.platform);
    if (!manifest || !file) return { type: 'refused' };
    return this.#take(server, manifest, file, isAsked ? 100 : percent);
  }

  async #take(
    server: string,
    manifest: ReleaseManifest,
    file: ReleaseFile,
    percent: number,
  ): Promise<UpdateState> {
    const { build, shell } = this.#ports;
    const { version, notes } = manifest;
    if (compareVersions(version, build.version) === 0) return { type: 'newest' };
    const known = await this.#remembered();
    if (compareVersions(version, known.newest) < 0) return { type: 'refused' };
    await this.#remember({ ...known, newest: version });
    if (known.place >= percent) return { type: 'newest' };
    const content = await this.#get(`${server}${releasePath(version, file.name)}`);
    if (content === null) return { type: 'unknown' };
    if (content.length !== file.bytes || (await shell.sha256(content)) !== file.sha256)
      return { type: 'refused' };
    // One name: a newer one takes the place of what was never installed.
    const ending = /\.[A-Za-z]+$/.exec(file.name)?.[0] ?? '';
    this.#path = await shell.keepUpdate(`posthaste-update${ending}`, content);
    return this.#path === null ? { type: 'no_room' } : { type: 'ready', version, notes };
  }

  async #get(address: string): Promise<Uint8Array | null> {
    const answer = await this.#ports.shell.ask({ method: 'GET', address, headers: {}, body: null });
    return answer?.status === 200 ? answer.body : null;
  }

  async #remembered(): Promise<Remembered> {
    const { shell, build, chance } = this.#ports;
    const read = parse((await shell.readOwn(stateFile)) ?? 'null');
    const { newest, place } = (read ?? {}) as Partial<Record<keyof Remembered, unknown>>;
    const isOlder = typeof newest !== 'string' || !/^\d+\.\d+\.\d+$/.test(newest);
    return {
      newest: isOlder || compareVersions(newest, build.version) < 0 ? build.version : newest,
      place: typeof place === 'number' && place >= 0 && place < 100 ? place : chance(),
    };
  }

  async #remember(state: Remembered): Promise<void> {
    await this.#ports.shell.writeOwn(stateFile, `${JSON.stringify(state)}\n`);
  }
}

/** What a note of the system says of it. */
export function updateNote(state: UpdateState, { version }: Build): string {
  switch (state.type) {
    case 'off':
      return 'This copy was built without a key for updates. Get newer versions where you got it.';
    case 'unknown':
      return 'Your server didn’t answer. Try again later.';
    case 'newest':
      return `You have the newest version, ${version}.`;
    case 'refused':
      return 'Your server offers a version that isn’t signed by who built this copy, or is older. It wasn’t taken.';
    case 'no_room':
      return 'A newer version couldn’t be stored: there’s no room left on the disk.';
    case 'ready':
      return `Version ${state.version} is here. Choose this note to install it.`;
  }
}
