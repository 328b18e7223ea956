// The dialog of calendars, drawn by web/dialogs/calendar. A lazy part, as is the agenda (agenda.ts).
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import { failed } from '#core/result.ts';
import type { Program } from '../app/program.ts';
import type { ImportSource } from '../importing/port.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { UNLOADED } from '../sealing/words.ts';
import { moment, portOf, SIGN_IN, Talk, wayBack } from './asking.ts';
import type { CalendarsAction, CalendarsView, CalendarView } from './calendar-view.ts';
import { followKept } from './following.ts';
import type { CalendarsAnswer, CalendarsPort, KeptSource, RemovedCalendars } from './port.ts';
import { CalendarServerDialog } from './server-dialog.ts';
import { shortfallWords } from './words.ts';

export { CalendarServerDialog } from './server-dialog.ts';
export { AgendaDialog, type OpenedEvent } from './agenda.ts';

const FILES_ALONE = 'Calendars by address need an account. Files work without one.';

type OnOne = 'password' | 'hide' | 'rename' | 'color' | 'again' | 'remove';

const COMMANDS: Readonly<Record<string, OnOne>> = {
  'calendars.hide': 'hide',
  'calendars.rename': 'rename',
  'calendars.color': 'color',
  'calendars.again': 'again',
  'calendars.password': 'password',
  'calendars.remove': 'remove',
};

/** Where the list goes on: at a new calendar, else at the one that it was about, else at what took its place. */
function placeIn(now: readonly KeptSource[], before: readonly KeptSource[], about: Id | null): Id | null {
  const known = new Set(before.map(({ id }) => id));
  const added = now.findLast(({ id }) => !known.has(id));
  if (added !== undefined) return added.id;
  if (now.some(({ id }) => id === about)) return about;
  const at = before.findIndex(({ id }) => id === about);
  return now[Math.min(at, now.length - 1)]?.id ?? null;
}

/** The calendars of the account: adding one, hiding, naming, coloring and removing. */
export class CalendarsDialog implements OpenDialog {
  readonly type = 'calendars';
  readonly #program: Program;
  #sources: readonly KeptSource[] | null = null;
  #removed: RemovedCalendars = [];
  /** The last thing done here was removing one. */
  #hasRemoved = false;
  readonly #unfollow: () => void;
  #step: CalendarsView['step'] = 'list';
  /** The one that a step is about, and where the list goes on. */
  #calendar: Id | null = null;
  readonly #talk: Talk<CalendarsPort>;
  readonly #goBack: () => boolean;

  constructor(program: Program) {
    this.#program = program;
    this.#talk = new Talk(program, this, (live) => live.calendars());
    this.#goBack = wayBack(program, 'agenda');
    this.#talk.busy = 'Asking the server…';
    this.#unfollow = followKept(program, ({ sources, removed }) => {
      // A question that is under way answers itself.
      if (this.#talk.busy !== null) return;
      this.#sources = sources;
      this.#removed = removed ?? this.#removed;
      this.refresh();
    });
    void this.#read();
  }

  get #isSignedOut(): boolean {
    return this.#program.platform.account.email === null;
  }

  get isTyping(): boolean {
    return this.#step === 'add' || this.#step === 'rename';
  }

  byKey(command: string): CalendarsAction | null {
    if (this.#step !== 'list') return null;
    if (command === 'calendars.add') return { action: 'add' };
    if (command === 'calendars.agenda') return { action: 'agenda' };
    if (command === 'calendars.server') return { action: 'server' };
    if (command === 'calendars.file') return { action: 'file' };
    if (command === 'calendars.restore') return this.#removed.length > 0 ? { action: 'restore' } : null;
    const action = COMMANDS[command];
    const focused = action === undefined ? null : this.#focused();
    if (action === undefined || focused === null) return null;
    return action === 'password' && focused.hasPassword !== true ? null : { action, calendar: null };
  }

  clearFilter(): boolean {
    if (this.#step === 'list') return this.#goBack();
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: CalendarsAction): void {
    if (this.#talk.busy !== null && action.action !== 'back') return;
    this.#talk.said = null;
    this.#hasRemoved = false;
    this.#act(action);
    this.refresh();
  }

  undo(): void {
    if (this.#hasRemoved) this.submit({ action: 'restore' });
  }

  takeFiles(files: readonly ImportSource[]): boolean {
    if (this.#step !== 'list' || this.#talk.busy !== null) return false;
    this.#talk.said = null;
    this.#take(files, null);
    return true;
  }

  leave(): void {
    // What was asked of the server goes on without it.
    this.#unfollow();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    const calendars = this.#sources?.map((source) => this.#view(source)) ?? null;
    dialog.show({
      type: 'calendars',
      calendars: {
        step: this.#step,
        calendars,
        calendar: calendars?.find(({ id }) => id === this.#calendar) ?? null,
        removed: this.#removed[0]?.name ?? null,
        isSignedOut: this.#isSignedOut,
        busy: this.#talk.busy,
        said: this.#talk.said,
      },
    });
  }

  #focused(): KeptSource | null {
    const id = this.#program.platform.options.current();
    return this.#sources?.find((source) => source.id === id) ?? null;
  }

  #act(action: CalendarsAction): void {
    switch (action.action) {
      case 'add':
        if (this.#isSignedOut) this.#talk.say(SIGN_IN);
        else this.#step = 'add';
        return;
      case 'server':
        if (this.#isSignedOut) this.#talk.say(SIGN_IN);
        else this.#program.run('calendar.server');
        return;
      case 'signIn':
        this.#program.run('account.signIn');
        return;
      case 'file':
        this.#pick(null);
        return;
      case 'agenda':
        this.#program.run('calendar.agenda');
        return;
      case 'feed':
      case 'google':
        this.#program.run(`calendar.${action.action}`);
        return;
      case 'back':
        this.#step = 'list';
        return;
      case 'send':
        void this.#ask(
          'Reading the calendar…',
          (port) => port.add(action.text),
          'Added. Its events are in the agenda.',
        );
        return;
      case 'save':
        this.#change({ name: action.text.trim() });
        return;
      case 'restore':
        this.#restore();
        return;
      case 'hide':
      case 'rename':
      case 'color':
      case 'again':
      case 'password':
      case 'remove':
        this.#on(action.action, action.calendar);
        return;
      default:
        unreachable(action);
    }
  }

  #on(action: OnOne, id: Id | null): void {
    const source = id === null ? this.#focused() : this.#sources?.find((each) => each.id === id);
    if (!source) return;
    this.#calendar = source.id;
    if (action === 'password') this.#program.dialog.open(new CalendarServerDialog(this.#program, source));
    else if (action === 'remove') this.#remove(source);
    else if (action === 'again' && source.isHere === true) this.#pick(source.id);
    else if (action === 'again')
      void this.#ask('Reading the calendar…', (port) => port.again(source.id), null);
    else if (action === 'hide')
      this.#change(
        { isHidden: !source.isHidden },
        this.#step,
        `“${source.name}” is ${source.isHidden ? 'shown' : 'hidden'}.`,
      );
    else if (action === 'color') {
      const at = personColors.findIndex((color) => color === source.color);
      this.#change(
        { color: personColors[(at + 1) % personColors.length] ?? personColors[0] },
        this.#step,
        'Color changed.',
      );
    } else this.#step = action;
  }

  /** `next`: the step that comes once it is saved. */
  #change(
    change: Parameters<CalendarsPort['change']>[1],
    next: CalendarsView['step'] = 'list',
    said: string | null = null,
  ): void {
    const id = this.#calendar;
    if (id === null) return;
    if (change.name === '') this.#talk.say('A calendar needs a name.', true);
    else void this.#ask('Saving…', (port) => port.change(id, change), said, next);
  }

  #remove({ id, name }: KeptSource): void {
    this.#hasRemoved = true;
    void this.#ask('Removing…', (port) => port.remove(id), `Removed “${name}” with its events.`);
  }

  /** Asks for a file at once: browsers allow it only while a key is handled. */
  #pick(place: Id | null): void {
    void this.#program.platform.pickSources().then((files) =>
      this.#program.act(() => {
        if (this.#program.dialog.isOf(this) && files.length > 0) this.#take(files, place);
      }),
    );
  }

  /** `place`: the calendar that the first file replaces; null: each becomes one. */
  #take(files: readonly ImportSource[], place: Id | null): void {
    const taken = place === null ? files : files.slice(0, 1);
    const take = async (port: CalendarsPort): Promise<CalendarsAnswer> => {
      let answer: CalendarsAnswer = failed(UNLOADED);
      for (const file of taken) {
        answer = await port.addFile(file, place);
        if (!answer.ok) return failed(`“${file.name}”: ${answer.problem}`);
      }
      return answer;
    };
    const added = taken.length === 1 ? 'Added.' : `Added ${taken.length} calendars.`;
    const done =
      place === null ? `${added} Nothing of a file is sent to the server.` : 'The newer file is read.';
    void this.#ask('Reading…', take, done);
    this.refresh();
  }

  #restore(): void {
    const [last] = this.#removed;
    if (last === undefined) return;
    void this.#ask('Bringing it back…', (port) => port.restore(last.id), `“${last.name}” is back.`);
  }

  /** Asks the server; its answer is the calendars as they are now. A step that failed stays open. */
  async #ask(
    busy: string,
    ask: (port: CalendarsPort) => Promise<CalendarsAnswer>,
    done: string | null,
    next: CalendarsView['step'] = 'list',
  ): Promise<void> {
    const port = await this.#talk.ask(busy, ask, ({ sources, removed = [] }) => {
      this.#calendar = placeIn(sources, this.#sources ?? [], this.#calendar);
      this.#sources = sources;
      this.#removed = removed;
      this.#step = next;
      if (done !== null) this.#talk.say(done);
    });
    // What the device keeps for reading offline follows.
    if (!this.#isSignedOut) await port?.read();
  }

  async #read(): Promise<void> {
    const port = await portOf(this.#program);
    const { email } = this.#program.platform.account;
    const answer = email === null ? null : await port?.read();
    const kept = answer?.ok === true ? null : ((await port?.kept()) ?? null);
    this.#program.act(() => {
      this.#talk.busy = null;
      if (answer?.ok === true) {
        this.#sources = answer.value.sources;
        this.#removed = answer.value.removed ?? [];
      } else {
        this.#sources = kept?.sources ?? [];
        this.#removed = kept?.removed ?? [];
        if (email !== null) this.#talk.say(answer?.problem ?? UNLOADED, true);
        else if (this.#sources.length > 0) this.#talk.say(FILES_ALONE);
      }
      this.refresh();
    });
  }

  #view(source: KeptSource): CalendarView {
    const { id, name, host, color, isHidden, problem, readAt, nextAt, isHere = false } = source;
    const read = readAt === null ? '' : `Read ${moment(this.#program, readAt)}.`;
    const next = `Next try ${moment(this.#program, nextAt)}.`;
    const here = `Only on this device. ${read}`;
    const state = isHere ? here : problem === null ? read : `${problem} ${next} ${read}`.trim();
    return {
      id,
      name,
      host,
      color,
      isHidden,
      state: `${state} ${shortfallWords(source)}`.trim(),
      isWrong: problem !== null,
      isHere,
      hasPassword: source.hasPassword === true,
    };
  }
}
