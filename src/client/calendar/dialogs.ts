// The agenda, and the dialog of the calendars that it shows. They are drawn by web/dialogs/calendar. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import { failed } from '#core/result.ts';
import type { Program } from '../app/program.ts';
import type { ImportSource } from '../importing/port.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { UNLOADED } from '../sealing/words.ts';
import type {
  AgendaAction,
  AgendaEventView,
  AgendaView,
  CalendarsAction,
  CalendarsView,
  CalendarView,
} from './calendar-view.ts';
import { type AgendaDay, dayAfter, dayAt, daysOf, type DayEvent } from './days.ts';
import type { CalendarsAnswer, CalendarsPort, KeptCalendars, KeptSource, RemovedCalendars } from './port.ts';
import { followKept } from './following.ts';
import { shortfallWords } from './words.ts';

/** Days that are shown at once. */
const DAYS = 14;
const SIGN_IN = 'Sign in first. The server reads calendars for you.';
const FILES_ALONE = 'Calendars by address need an account. Files work without one.';

/** The port; null: it can't be had now. */
async function portOf({ platform }: Program): Promise<CalendarsPort | null> {
  return await platform.account.live().then(
    (live) => live.calendars(),
    () => null,
  );
}

/** "Nov 30, 9:41 AM". */
function moment({ platform }: Program, at: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: platform.zone(),
  });
  return format.format(at);
}

/** Minutes of a day as a clock shows them. */
function clock({ platform }: Program, minute: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(minute * 60_000);
}

/** The agenda: days from today on, with what the calendars have. */
export class AgendaDialog implements OpenDialog {
  readonly type = 'agenda';
  readonly isTyping = false;
  readonly #program: Program;
  #known: KeptCalendars | null = null;
  #first: string;
  #open: string | null = null;
  #problem: string | null = null;
  #isBusy = true;
  readonly #unfollow: () => void;

  constructor(program: Program) {
    this.#program = program;
    this.#first = this.#today;
    this.#unfollow = followKept(program, (kept) => {
      this.#known = kept;
      this.#problem = null;
      this.refresh();
    });
    void this.#read();
  }

  get #today(): string {
    const { platform, replica } = this.#program;
    return dayAt(replica.now(), platform.zone());
  }

  byKey(command: string): AgendaAction | null {
    if (this.#open !== null) return null;
    if (command === 'agenda.earlier') return { action: 'earlier' };
    if (command === 'agenda.later') return { action: 'later' };
    return command === 'agenda.today' ? { action: 'today' } : null;
  }

  clearFilter(): boolean {
    if (this.#open === null) return false;
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: AgendaAction): void {
    switch (action.action) {
      case 'earlier':
      case 'later':
        this.#first = dayAfter(this.#first, action.action === 'later' ? 1 : -1);
        break;
      case 'today':
        this.#first = this.#today;
        break;
      case 'open':
        this.#open = action.key;
        break;
      case 'back':
        this.#open = null;
        break;
      case 'link': {
        const link = this.#view().open?.link ?? null;
        if (link !== null) this.#program.platform.openLink(link);
        break;
      }
      case 'calendars':
        this.#program.run('calendar.sources');
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  leave(): void {
    this.#unfollow();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'agenda', agenda: this.#view() });
  }

  async #read(): Promise<void> {
    const port = await portOf(this.#program);
    const kept = (await port?.kept()) ?? null;
    this.#program.act(() => {
      this.#known = kept;
      this.refresh();
    });
    const { email } = this.#program.platform.account;
    const answer = email === null ? null : await port?.read();
    this.#program.act(() => {
      this.#isBusy = false;
      if (answer?.ok === true) this.#known = answer.value;
      else if (email === null) this.#problem = kept === null ? SIGN_IN : null;
      else this.#problem = answer?.problem ?? UNLOADED;
      this.refresh();
    });
  }

  #view(): AgendaView {
    const { platform } = this.#program;
    const days = daysOf(this.#known?.events ?? [], {
      first: this.#first,
      count: DAYS,
      zone: platform.zone(),
    });
    const name = new Intl.DateTimeFormat(platform.locale(), {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    });
    const shown = days.map((day) => ({
      day: day.day,
      name: name.format(Date.parse(day.day)),
      isToday: day.day === this.#today,
      events: this.#eventsOf(day),
    }));
    return {
      days: shown,
      open: this.#opened(days, shown),
      state: this.#state(),
      hasCalendars: (this.#known?.sources.length ?? 0) > 0,
      isBusy: this.#isBusy,
    };
  }

  #eventsOf({ day, events }: AgendaDay): readonly AgendaEventView[] {
    const sources = new Map(this.#known?.sources.map((source) => [source.id, source]));
    return events.map((of, at) => {
      const source = sources.get(of.calendar);
      return {
        key: `${day} ${at}`,
        title: of.event.title || 'Untitled',
        time: this.#time(of),
        place: of.event.place,
        calendar: source?.name ?? '',
        color: source?.color ?? personColors[0],
      };
    });
  }

  #time({ from, to }: DayEvent): string {
    if (from === null) return 'All day';
    const begin = clock(this.#program, from);
    if (to === null) return `From ${begin}`;
    return to === from ? begin : `${begin}–${clock(this.#program, to)}`;
  }

  #opened(days: readonly AgendaDay[], shown: AgendaView['days']): AgendaView['open'] {
    for (const [at, { name, events }] of shown.entries()) {
      const index = events.findIndex(({ key }) => key === this.#open);
      const view = events[index];
      const event = days[at]?.events[index]?.event;
      if (view === undefined || event === undefined) continue;
      const link = event.link !== null && /^https?:\/\//i.test(event.link) ? event.link : null;
      return { ...view, day: name, description: event.description, link };
    }
    return null;
  }

  #state(): string {
    const known = this.#known;
    const read = known === null ? '' : `Read ${moment(this.#program, known.readAt)}.`;
    if (this.#problem !== null) return `${this.#problem} ${read}`.trim();
    if (this.#isBusy) return `Asking the server… ${read}`.trim();
    const wrong = known?.sources.filter(({ problem }) => problem !== null) ?? [];
    const names = wrong.map(({ name }) => `“${name}”`).join(', ');
    return wrong.length === 0 ? read : `${read} Couldn’t read ${names}: see Calendars.`;
  }
}

type OnOne = 'hide' | 'rename' | 'color' | 'again' | 'remove';

const COMMANDS: Readonly<Record<string, OnOne>> = {
  'calendars.hide': 'hide',
  'calendars.rename': 'rename',
  'calendars.color': 'color',
  'calendars.again': 'again',
  'calendars.remove': 'remove',
};

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
  #calendar: Id | null = null;
  #busy: string | null = 'Asking the server…';
  #said: CalendarsView['said'] = null;

  constructor(program: Program) {
    this.#program = program;
    this.#unfollow = followKept(program, ({ sources, removed }) => {
      // A question that is under way answers itself.
      if (this.#busy !== null) return;
      this.#sources = sources;
      this.#removed = removed ?? this.#removed;
      this.refresh();
    });
    void this.#read();
  }

  get isTyping(): boolean {
    return this.#step === 'add' || this.#step === 'rename';
  }

  byKey(command: string): CalendarsAction | null {
    if (this.#step !== 'list') return null;
    if (command === 'calendars.add') return { action: 'add' };
    if (command === 'calendars.file') return { action: 'file' };
    if (command === 'calendars.restore') return this.#removed.length > 0 ? { action: 'restore' } : null;
    const action = COMMANDS[command];
    return action === undefined || this.#focused() === null ? null : { action, calendar: null };
  }

  clearFilter(): boolean {
    if (this.#step === 'list') return false;
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: CalendarsAction): void {
    if (this.#busy !== null && action.action !== 'back') return;
    this.#said = null;
    this.#hasRemoved = false;
    this.#act(action);
    this.refresh();
  }

  undo(): void {
    if (this.#hasRemoved) this.submit({ action: 'restore' });
  }

  takeFiles(files: readonly ImportSource[]): boolean {
    if (this.#step !== 'list' || this.#busy !== null) return false;
    this.#said = null;
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
        busy: this.#busy,
        said: this.#said,
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
        this.#step = 'add';
        return;
      case 'file':
        this.#pick(null);
        return;
      case 'agenda':
        this.#program.run('calendar.agenda');
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
    if (action === 'remove') this.#remove(source);
    else if (action === 'again' && source.isHere === true) this.#pick(source.id);
    else if (action === 'again')
      void this.#ask('Reading the calendar…', (port) => port.again(source.id), null);
    else if (action === 'hide') this.#change({ isHidden: !source.isHidden });
    else if (action === 'color') {
      const at = personColors.findIndex((color) => color === source.color);
      this.#change({ color: personColors[(at + 1) % personColors.length] ?? personColors[0] });
    } else this.#step = action;
  }

  #change(change: Parameters<CalendarsPort['change']>[1]): void {
    const id = this.#calendar;
    if (id === null) return;
    if (change.name === '') this.#said = { text: 'A calendar needs a name.', isError: true };
    else void this.#ask('Saving…', (port) => port.change(id, change), null);
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
  ): Promise<void> {
    this.#busy = busy;
    const port = await portOf(this.#program);
    const answer = await (port === null ? null : ask(port));
    this.#program.act(() => {
      this.#busy = null;
      if (answer?.ok === true) {
        this.#sources = answer.value.sources;
        this.#removed = answer.value.removed ?? [];
        this.#step = 'list';
        if (done !== null) this.#said = { text: done, isError: false };
      } else this.#said = { text: answer?.problem ?? UNLOADED, isError: true };
      this.refresh();
    });
    // What the device keeps for reading offline follows.
    if (answer?.ok === true && this.#program.platform.account.email !== null) await port?.read();
  }

  async #read(): Promise<void> {
    const port = await portOf(this.#program);
    const { email } = this.#program.platform.account;
    const answer = email === null ? null : await port?.read();
    const kept = answer?.ok === true ? null : ((await port?.kept()) ?? null);
    this.#program.act(() => {
      this.#busy = null;
      if (answer?.ok === true) {
        this.#sources = answer.value.sources;
        this.#removed = answer.value.removed ?? [];
      } else {
        this.#sources = kept?.sources ?? [];
        this.#removed = kept?.removed ?? [];
        this.#said =
          email === null
            ? { text: FILES_ALONE, isError: false }
            : { text: answer?.problem ?? UNLOADED, isError: true };
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
    };
  }
}
