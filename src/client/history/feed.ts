// The history as far as it was read: the server's pages, of all scopes that it is about, and this device's journal as one. book.ts shows it as a list,
// time-machine.ts as the past outline. Part of their lazy part.
import type { Id } from '#core/ids.ts';
import type { VisitorMark } from '#sync/rows/operation.ts';
import type { HistoryQuery } from '../app/app.ts';
import { askDevices, deviceName, isProgram } from '../sync-status/devices.ts';
import type { Program } from '../app/program.ts';
import { type Event, eventOf, eventsOf } from './change.ts';
import { type Gesture, gesturesOf, ownPart, servedPart } from './gestures.ts';
import { ServedHistory } from './served.ts';

const HERE = 'This device';
const WAITING = 'Not synced yet';
/** One change may have very many writes. */
const LONG_PAGE = 500;
const ONLY_HERE = 'This shows the last 90 days on this device.';

/** What a history is about, and the scopes in which that is recorded. */
export interface FeedQuery extends Pick<HistoryQuery, 'id' | 'under'> {
  readonly scopes: readonly Id[];
}

/** The scopes of what a history is about: of a shared list also the person's own one, which has what only they see of it. */
export function scopesAbout({ replica, sidebar, workspace }: Program, id: Id | null): readonly Id[] {
  const scope = id === null ? null : (replica.row(id)?.scope ?? replica.scope);
  if (scope !== null) return [...new Set([scope, replica.scope])];
  const trashed = [...workspace.facts.trashed].flatMap((one) => replica.row(one) ?? []);
  const lists = [...sidebar.everything(), ...trashed.filter(({ type }) => type === 'list')];
  return [...new Set([replica.scope, ...lists.map((list) => list.scope)])];
}

/** The visitor of a public link: the name that they gave, which nobody has verified, or none. Pages of encrypted lists have no name that a server knows. */
const visitorOf = ({ name, nick }: VisitorMark) =>
  `${nick === undefined ? 'A visitor' : `A visitor (“${nick}”, not verified)`} by ${name === '' ? 'a public link' : `the link “${name}”`}`;

export class HistoryFeed {
  readonly #program: Program;
  readonly #served: ServedHistory;
  #note: string | null = null;
  #canRetry = false;
  #isReading = true;
  /** Own changes that the server had answered at the last request: they are in its history, or were refused. */
  #judged: ReadonlySet<Id> = new Set();

  constructor(program: Program, { scopes, ...query }: FeedQuery) {
    const { platform, replica } = program;
    this.#program = program;
    this.#served = new ServedHistory(scopes, query, {
      ask: (of) => platform.account.history(of),
      listOf(mount) {
        const row = replica.row(mount);
        return row?.type === 'mount' ? row.fields.of : undefined;
      },
    });
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** A note about the data: that it is from this device alone, or that the server did not answer. */
  get note(): string | null {
    return this.#note;
  }

  get canRetry(): boolean {
    return this.#canRetry;
  }

  get hasMore(): boolean {
    return this.#served.hasMore;
  }

  /** Reads the journal and the newest page. `shown` is called on every update. */
  async open(shown: () => void): Promise<void> {
    await this.#program.engine.journal.read(true).catch(() => {
      this.#note = 'Couldn’t read this device’s own changes.';
    });
    void askDevices(this.#program).then(shown);
    await this.read(shown);
  }

  /**
   * Reads the next page, and on where that ends within a change of several writes; `anew`: entries newer than all that was
   * read.
   */
  async read(shown: () => void, anew = false): Promise<void> {
    const { account } = this.#program.platform;
    const silence =
      account.email === null
        ? 'You don’t have an account.'
        : this.#program.engine.facts().detached === null
          ? null
          : 'Cloud sync is off.';
    if (silence !== null) {
      this.#note ??= `${silence} ${ONLY_HERE}`;
      this.#isReading = false;
      shown();
      return;
    }
    await this.#readPages(shown, { anew, writes: 2 });
  }

  /** Reads on to where the oldest change that was read began. False: that failed. */
  async readOldest(shown: () => void): Promise<boolean> {
    await this.#readPages(shown, { anew: false, writes: 1 });
    return !this.#canRetry;
  }

  /** A page, and further ones while so many writes of its last change are there and more may follow. */
  async #readPages(
    shown: () => void,
    { anew, writes }: { readonly anew: boolean; readonly writes: number },
  ): Promise<void> {
    this.#isReading = true;
    shown();
    let known = -1;
    if (writes > 1 || this.#served.isCut(writes)) await this.#readPage(anew);
    while (!anew && !this.#canRetry && this.#served.isCut(writes) && this.#served.entries.length > known) {
      known = this.#served.entries.length;
      await this.#readPage(false, LONG_PAGE);
    }
    this.#isReading = false;
    shown();
  }

  async #readPage(anew: boolean, limit?: number): Promise<void> {
    const judged = this.#judgedNow();
    const isFirst = !this.#served.wasRead;
    const failure = await this.#served.read(anew, limit);
    if (failure === null && (anew || isFirst)) this.#judged = judged;
    this.#canRetry = failure !== null;
    this.#note =
      failure === null ? null : this.#isAlone ? `${failure.message} ${ONLY_HERE}` : failure.message;
  }

  /** Everything known, oldest first by time, unsent changes last. */
  events(): Event[] {
    const { engine } = this.#program;
    const waiting = this.#waiting();
    const own = (engine.journal.all ?? []).flatMap((entry) => eventsOf(entry, waiting));
    const served = this.#served.entries.map(eventOf);
    const known = new Set(served.map(({ u }) => u));
    // Answered changes made here are in the server's history, unless they were refused.
    const here = own.filter((event) => !known.has(event.u) && this.#isHere(event));
    const mine = new Set(own.map(({ u }) => u));
    const all = [...served.map((event) => (mine.has(event.u) ? { ...event, device: null } : event)), ...here];
    return all.toSorted((a, b) => Number(a.isWaiting) - Number(b.isWaiting) || a.at - b.at || a.q - b.q);
  }

  /** Everything known in order of creation, newest first. */
  gestures(): Gesture[] {
    const waiting = this.#waiting();
    const known = new Set(
      this.#served.entries.map(({ operation }) => (operation as { readonly u?: unknown }).u),
    );
    const own = (this.#program.engine.journal.all ?? []).filter(
      ({ operations }) =>
        operations.some(({ u, q }) => this.#isHere({ u, isWaiting: waiting.has(q) })) &&
        !operations.every(({ u }) => known.has(u)),
    );
    return gesturesOf([
      ...own.toReversed().map((entry) => ownPart(entry, waiting)),
      ...this.#served.entries.map(servedPart),
    ]);
  }

  /** The device, the program, or that it waits here; null: this device, and nothing more is to be said. */
  where({ device, account, scope, isWaiting, via }: Event): string | null {
    if (via !== null) return visitorOf(via);
    const { engine, replica } = this.#program;
    const isHere = device === null || (device !== 0 && device === engine.facts().deviceNumber);
    if (isHere) return isWaiting && replica.account !== 0 ? WAITING : null;
    if (account !== null && account !== replica.account) return this.#nameOf(account, scope);
    const name = deviceName(this.#program, device ?? 0);
    return name === HERE ? null : name;
  }

  who(event: Event): string {
    const where = this.where(event);
    if (where === null) return HERE;
    return where === WAITING ? `${HERE}, not synced yet` : where;
  }

  /** Who did it, as a sentence begins: the person, or what acts for them. */
  actor({ device, account, scope, via }: Event): string {
    if (via !== null) return visitorOf(via);
    const { replica } = this.#program;
    if (device === null || account === null) return 'You';
    if (account !== replica.account) return this.#nameOf(account, scope);
    return isProgram(this.#program, device) ? 'A program' : 'You';
  }

  /** The account of who did it; null: a program, or a visitor of a public link. */
  accountOf({ device, account, via }: Event): number | null {
    if (via !== null) return null;
    const { replica } = this.#program;
    if (device === null || account === null) return replica.account;
    return account === replica.account && isProgram(this.#program, device) ? null : account;
  }

  /** Somebody else in a shared list, also one who has left; the rows of members know them. */
  #nameOf(account: number, scope: Id | null): string {
    const members = scope === null ? [] : this.#program.replica.members(scope);
    const name = members.find(({ fields }) => fields.account === account)?.fields.name ?? '';
    return name === '' ? 'A former member' : name;
  }

  #waiting(): ReadonlySet<number> {
    return new Set(this.#program.engine.facts().pending.map(({ q }) => q));
  }

  #judgedNow(): ReadonlySet<Id> {
    const waiting = this.#waiting();
    const operations = (this.#program.engine.journal.all ?? []).flatMap((entry) => entry.operations);
    return new Set(operations.flatMap(({ u, q }) => (waiting.has(q) ? [] : [u])));
  }

  /** The server did not know it at the last request. */
  #isHere({ u, isWaiting }: Pick<Event, 'u' | 'isWaiting'>): boolean {
    return this.#isAlone || isWaiting || !this.#judged.has(u);
  }

  /** Nothing of the server is known: this device's changes are all there is. */
  get #isAlone(): boolean {
    return this.#served.entries.length === 0 && !this.#served.hasMore;
  }
}
