// The dialog of a list's owner that takes back what one person did in it: who, since when, and before Enter what would come of it. It is
// one undo. What comes of it is reckoning.ts; web/dialogs/sharing/taking-back.tsx draws it. A lazy part.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { historyLimits } from '#wire/history.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from '../commands/batches.ts';
import { movedTo, moveOf } from '../dialogs/list-cursor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { isSilent, type ServedEntry } from '../history/change.ts';
import { type Gesture, gesturesOf, servedPart } from '../history/gestures.ts';
import { Days } from '../history/moment-words.ts';
import { sentenceOf } from '../history/sentences.ts';
import { ServedHistory } from '../history/served.ts';
import { nameOf } from '../outline/row-facts.ts';
import { everySetting } from '../settings/catalog.ts';
import { sharing } from '../sharing/part.ts';
import { personView } from '../sharing/people.ts';
import type { PersonView } from '../sharing/sharing-view.ts';
import { quoted } from '../text/editor.ts';
import { nameOfPerson } from '../together/people.ts';
import { reckon, type Reckoning, type Wanted } from './reckoning.ts';
import type { TakingBackAction, TakingBackView } from './view.ts';

/** Where it begins: at somebody's entry of the history. */
export interface TakingBackStart {
  readonly account: number;
  /** Of the oldest operation to take back. */
  readonly operation: Id;
}

/** Moments that are drawn. */
const MOST_SHOWN = 200;
/** Pages read in one go, for an entry that is far back or a gesture that goes on. */
const MOST_PAGES = 40;

interface Moment {
  readonly gesture: Gesture;
  readonly first: number;
  readonly last: number;
}

const headOf = ({ operation }: ServedEntry) => operation as { readonly u?: unknown; readonly g?: unknown };

const BY_KEY: Readonly<Record<string, TakingBackAction>> = {
  'options.choose': { action: 'go' },
  'sharing.takeBackUntil': { action: 'until' },
};

const saidChanges = (count: number) => (count === 0 ? 'no changes' : counted(count, 'change'));

export class TakingBackDialog implements OpenDialog {
  readonly type = 'takingBack';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #list: Id;
  readonly #scope: Id;
  readonly #served: ServedHistory;
  #start: TakingBackStart | null;
  #step: TakingBackView['step'] = 'people';
  #account: number | null = null;
  #active = 0;
  /** The newest moment that is taken back; 0: all up to now. */
  #until = 0;
  #isReading = true;
  #isDoing = false;
  #note: string | null = null;
  #answer: TakingBackView['answer'] = null;
  #moments: readonly Moment[] = [];
  /** By account, of what was read. */
  readonly #counts = new Map<number, number>();
  #reckoned: { readonly key: string; readonly reckoning: Reckoning } | null = null;
  readonly #unsubscribe: () => void;

  constructor(program: Program, list: Id, start: TakingBackStart | null) {
    const { replica, platform } = program;
    this.#program = program;
    this.#list = list;
    this.#scope = replica.row(list)?.scope ?? replica.scope;
    this.#start = start;
    const limit = historyLimits.mostEntries;
    this.#served = new ServedHistory(
      [this.#scope],
      {},
      {
        ask: (of) => platform.account.history({ ...of, limit }),
        listOf: () => undefined,
      },
    );
    if (start !== null) {
      this.#account = start.account;
      this.#step = 'moments';
    }
    this.#unsubscribe = replica.subscribe(() => {
      this.#reckoned = null;
    });
  }

  /** Reads the history. Resolves once it is on screen. */
  async open(): Promise<void> {
    this.refresh();
    await this.#read();
  }

  leave(): void {
    this.#unsubscribe();
  }

  clearFilter(): boolean {
    if (this.#step !== 'moments') return false;
    this.submit({ action: 'back' });
    return true;
  }

  byKey(command: string): TakingBackAction | null {
    const to = moveOf(command);
    return to === null ? (BY_KEY[command] ?? null) : { action: 'move', to };
  }

  undo(): void {
    this.#program.run('edit.undo');
    this.#answer = { text: this.#program.messages.current?.text ?? 'Undone.', isError: false };
    void this.#read(true);
  }

  submit(action: TakingBackAction): void {
    if (this.#isDoing) return;
    this.#answer = null;
    this.#do(action);
    this.refresh();
  }

  #do(action: TakingBackAction): void {
    const count = this.#step === 'people' ? this.#people().length : this.#moments.length;
    switch (action.action) {
      case 'move':
        this.#active = movedTo(this.#active, count, action.to);
        this.#readOn();
        return;
      case 'choose':
        this.#active = action.index;
        if (this.#step === 'people') this.#goOn();
        return;
      case 'until':
        if (this.#step === 'people') this.#answer = { text: 'Choose a person first.', isError: false };
        else this.#until = this.#until === this.#active ? 0 : this.#active;
        return;
      case 'back':
        this.#step = 'people';
        this.#active = Math.max(
          0,
          this.#people().findIndex(({ account }) => account === this.#account),
        );
        return;
      case 'more':
        void this.#read();
        return;
      case 'go':
        if (this.#step === 'people') this.#goOn();
        else this.#takeBack();
    }
  }

  #goOn(): void {
    const person = this.#people()[this.#active];
    if (person === undefined) return;
    this.#account = person.account;
    this.#step = 'moments';
    this.#active = 0;
    this.#until = 0;
    this.#moments = [];
    this.#gather();
    this.#readOn();
  }

  async #read(isAnew = false): Promise<void> {
    const program = this.#program;
    this.#isReading = true;
    let failure = await this.#served.read(isAnew);
    for (let pages = 1; failure === null && pages < MOST_PAGES && this.#isCut(); pages += 1)
      // oxlint-disable-next-line no-await-in-loop -- Each page says where the next one begins.
      failure = await this.#served.read(false);
    program.act(() => {
      this.#isReading = false;
      this.#counts.clear();
      this.#note = failure?.message ?? null;
      this.#reckoned = null;
      if (!program.dialog.isOf(this)) return;
      this.#gather();
      this.#start = null;
      this.refresh();
    });
  }

  /** What was done in one go goes on in a page that was not read, or where it is to begin was not found. */
  #isCut(): boolean {
    const account = this.#account;
    if (account === null || !this.#served.hasMore) return false;
    const entries = this.#entriesOf(account);
    const start = this.#start?.operation;
    if (start !== undefined && !entries.some((entry) => headOf(entry).u === start)) return true;
    const first = start ?? this.#moments[this.#active]?.gesture.events[0]?.u;
    const wanted = first === undefined ? entries[0] : entries.find((entry) => headOf(entry).u === first);
    const [group, oldest] = [wanted, entries.at(-1)].map((entry) => entry && headOf(entry).g);
    return group === undefined ? entries.length === 0 : group === oldest;
  }

  /** Reads on where the last known moment is chosen. */
  #readOn(): void {
    const isLast = this.#step === 'moments' && this.#active >= this.#moments.length - 1;
    if (isLast && this.#served.hasMore && !this.#isReading) void this.#read();
  }

  /** Members now and once, but the person themselves. */
  #people(): readonly PersonView[] {
    const { replica } = this.#program;
    return this.#program
      .part(sharing)
      .members.everybody(this.#scope)
      .filter(({ fields }) => fields.account !== replica.account)
      .map(({ fields }) => personView(fields, replica.account))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.account - b.account);
  }

  #entriesOf(account: number): readonly ServedEntry[] {
    return this.#served.entries.filter((entry) => entry.account === account && entry.before.length > 0);
  }

  /** What somebody did, as far as it was read: one entry for what was done in one go. */
  #momentsOf(account: number): readonly Moment[] {
    const entries = this.#entriesOf(account);
    const versions = new Map(entries.map((entry) => [headOf(entry).u, entry.version]));
    const { replica } = this.#program;
    return gesturesOf(entries.map(servedPart))
      .filter(({ changes }) => changes.some((change) => !isSilent(change, replica)))
      .map((gesture) => {
        const all = gesture.events.flatMap(({ u }) => versions.get(u) ?? []);
        return { gesture, first: Math.min(...all), last: Math.max(...all) };
      });
  }

  /** How many entries a person has. */
  #countOf(account: number): number {
    const known = this.#counts.get(account) ?? this.#momentsOf(account).length;
    this.#counts.set(account, known);
    return known;
  }

  #gather(): void {
    const account = this.#account;
    if (account === null) return;
    this.#moments = this.#momentsOf(account);
    const { operation } = this.#start ?? {};
    if (operation === undefined) return;
    const at = this.#moments.findIndex(({ gesture }) => gesture.events.some(({ u }) => u === operation));
    if (at >= 0) this.#active = at;
  }

  get #wanted(): Wanted | null {
    const from = this.#moments[this.#active];
    if (this.#account === null || from === undefined || this.#step !== 'moments') return null;
    const to =
      this.#until === 0 || this.#until > this.#active ? null : (this.#moments[this.#until]?.last ?? null);
    return { account: this.#account, from: from.first, to };
  }

  #reckoning(): Reckoning | null {
    const wanted = this.#wanted;
    if (wanted === null) return null;
    const key = `${wanted.account} ${wanted.from} ${wanted.to}`;
    if (this.#reckoned?.key === key) return this.#reckoned.reckoning;
    const reckoning = reckon(this.#served.entries, wanted, this.#program.replica);
    this.#reckoned = { key, reckoning };
    return reckoning;
  }

  #takeBack(): void {
    const reckoning = this.#reckoning();
    const program = this.#program;
    if (reckoning === null || reckoning.actions.length === 0) {
      this.#answer = { text: 'There’s nothing to take back.', isError: false };
      return;
    }
    this.#isDoing = true;
    const who = this.#nameOf(this.#account ?? 0);
    issueBatches(program, {
      batches: inTransactions(reckoning.actions),
      label: `took back what ${who} did`,
      group: program.replica.newId(),
      forAll: true,
      rescues: true,
      atOnce: limits.transactionOperations + 1,
      done: (verdicts) => {
        this.#isDoing = false;
        const failed = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already').length;
        const rest = failed === 0 ? '' : ` ${counted(failed, 'part')} couldn’t be.`;
        program.dialog.close();
        program.say(`Took back what ${who} did in ${this.#name}.${rest}`, { undo: true });
      },
    });
  }

  get #name(): string {
    return quoted(nameOf(this.#program.replica.row(this.#list)) || 'Untitled');
  }

  #nameOf(account: number): string {
    return account === this.#program.replica.account
      ? 'you'
      : (this.#people().find((person) => person.account === account)?.name ?? 'a former member');
  }

  #summary(reckoning: Reckoning | null): readonly string[] {
    if (reckoning === null) return [];
    const { restored, removed, changed, kept, keptBy, gone } = reckoning;
    const parts = [
      restored > 0 ? `${counted(restored, 'item')} restored` : '',
      changed > 0 ? `${counted(changed, 'item')} changed back` : '',
      removed > 0 ? `${counted(removed, 'item')} put into the trash` : '',
    ].filter((part) => part !== '');
    const names = [...keptBy].map((account) => this.#nameOf(account));
    const by = names.length === 0 ? '' : ` by ${names.join(', ')}`;
    return [
      parts.length === 0 ? 'Nothing would change.' : `${parts.join(', ')}.`,
      ...(kept.size === 0 ? [] : [`${counted(kept.size, 'item')} changed since${by}: that stays.`]),
      ...(gone === 0 ? [] : [`${counted(gone, 'item')} can’t come back: no longer in this list.`]),
    ];
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'takingBack', takingBack: this.#view() });
  }

  #view(): TakingBackView {
    const program = this.#program;
    const dates = program.moment();
    const days = new Days(dates);
    const personOf = (account: number) => nameOfPerson(program, account);
    const speaking = { replica: program.replica, dates, settings: everySetting(program), personOf };
    const reckoning = this.#reckoning();
    const until = this.#until > this.#active ? 0 : this.#until;
    const isMoments = this.#step === 'moments';
    const who = isMoments ? this.#nameOf(this.#account ?? 0) : '';
    return {
      list: this.#name,
      step: this.#step,
      people: this.#people().map((person, index) => ({
        person,
        note: saidChanges(this.#countOf(person.account)),
        isActive: index === this.#active,
      })),
      moments: isMoments
        ? this.#moments.slice(0, Math.max(MOST_SHOWN, this.#active + 1)).map(({ gesture }, index) => {
            const said = gesture.changes.filter((change) => !isSilent(change, program.replica));
            return {
              id: gesture.key,
              when: days.whole(gesture.events.at(-1)?.at ?? 0),
              sentence: sentenceOf(said, { actor: who, account: this.#account, own: null }, speaking).phrases,
              isActive: index === this.#active,
              isIncluded: index <= this.#active && index >= until,
            };
          })
        : [],
      summary: isMoments ? this.#summary(reckoning) : [],
      canTakeBack: (reckoning?.actions.length ?? 0) > 0,
      isReading: this.#isReading,
      hasMore: this.#served.hasMore,
      note: this.#note,
      answer: this.#answer,
    };
  }
}
