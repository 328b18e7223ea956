// The dialog of calendars, drawn by web/dialogs/calendar. A lazy part, as is the agenda (agenda.ts).
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import type { CalendarSource } from '#wire/calendars.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { UNLOADED } from '../sealing/words.ts';
import { moment, portOf, SIGN_IN } from './asking.ts';
import type { CalendarsAction, CalendarsView, CalendarView } from './calendar-view.ts';
import type { CalendarsAnswer, CalendarsPort } from './port.ts';

export { AgendaDialog, type OpenedEvent } from './agenda.ts';

const COMMANDS: Readonly<Record<string, 'hide' | 'rename' | 'color' | 'remove'>> = {
  'calendars.hide': 'hide',
  'calendars.rename': 'rename',
  'calendars.color': 'color',
  'calendars.remove': 'remove',
};

/** The calendars of the account: adding one, hiding, naming, coloring and removing. */
export class CalendarsDialog implements OpenDialog {
  readonly type = 'calendars';
  readonly #program: Program;
  #sources: readonly CalendarSource[] | null = null;
  #step: CalendarsView['step'] = 'list';
  #calendar: Id | null = null;
  #busy: string | null = 'Asking the server…';
  #said: CalendarsView['said'] = null;

  constructor(program: Program) {
    this.#program = program;
    void this.#read();
  }

  get isTyping(): boolean {
    return this.#step === 'add' || this.#step === 'rename';
  }

  byKey(command: string): CalendarsAction | null {
    if (this.#step !== 'list') return null;
    if (command === 'calendars.add') return { action: 'add' };
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
    this.#act(action);
    this.refresh();
  }

  leave(): void {
    // What was asked of the server goes on without it.
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
        busy: this.#busy,
        said: this.#said,
      },
    });
  }

  #focused(): CalendarSource | null {
    const id = this.#program.platform.options.current();
    return this.#sources?.find((source) => source.id === id) ?? null;
  }

  #act(action: CalendarsAction): void {
    switch (action.action) {
      case 'add':
        this.#step = 'add';
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
      case 'yes':
        this.#remove();
        return;
      case 'hide':
      case 'rename':
      case 'color':
      case 'remove':
        this.#on(action.action, action.calendar);
        return;
      default:
        unreachable(action);
    }
  }

  #on(action: 'hide' | 'rename' | 'color' | 'remove', id: Id | null): void {
    const source = id === null ? this.#focused() : this.#sources?.find((each) => each.id === id);
    if (!source) return;
    this.#calendar = source.id;
    if (action === 'hide') this.#change({ isHidden: !source.isHidden });
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

  #remove(): void {
    const id = this.#calendar;
    if (id !== null) void this.#ask('Removing…', (port) => port.remove(id), 'Removed, with its events.');
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
        this.#sources = answer.value;
        this.#step = 'list';
        if (done !== null) this.#said = { text: done, isError: false };
      } else this.#said = { text: answer?.problem ?? UNLOADED, isError: true };
      this.refresh();
    });
    // What the device keeps for reading offline follows.
    if (answer?.ok === true) await port?.read();
  }

  async #read(): Promise<void> {
    const port = await portOf(this.#program);
    const { email } = this.#program.platform.account;
    const answer = email === null ? null : await port?.read();
    const kept = answer?.ok === true ? null : ((await port?.kept()) ?? null);
    this.#program.act(() => {
      this.#busy = null;
      if (answer?.ok === true) this.#sources = answer.value.sources;
      else {
        this.#sources = kept?.sources ?? [];
        this.#said = {
          text: email === null ? SIGN_IN : (answer?.problem ?? UNLOADED),
          isError: true,
        };
      }
      this.refresh();
    });
  }

  #view({ id, name, host, color, isHidden, problem, readAt, nextAt }: CalendarSource): CalendarView {
    const read = readAt === null ? '' : `Read ${moment(this.#program, readAt)}.`;
    const next = `Next try ${moment(this.#program, nextAt)}.`;
    const state = problem === null ? read : `${problem} ${next} ${read}`.trim();
    return { id, name, host, color, isHidden, state, isWrong: problem !== null };
  }
}
