// What the dialogs of calendars share: the way to the server, questions that are under way, and times in words.
import type { Result } from '#core/result.ts';
import type { LivePorts } from '../app/app.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { UNLOADED } from '../sealing/words.ts';
import type { CalendarsPort } from './port.ts';

export const SIGN_IN = 'Sign in first. The server reads calendars for you.';

/** Something of the account; null: it can't be had now. */
async function liveOf<T>({ platform }: Program, choose: (live: LivePorts) => T): Promise<T | null> {
  return await platform.account.live().then(choose, () => null);
}

/** The port; null: it can't be had now. */
export const portOf = (program: Program): Promise<CalendarsPort | null> =>
  liveOf(program, (live) => live.calendars());

/** What is said to the person. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** What a dialog asks the server, one question at a time, and what it says of that. */
export class Talk<P> {
  readonly #program: Program;
  readonly #dialog: OpenDialog;
  readonly #choose: (live: LivePorts) => P;
  /** What is under way, in words; null: nothing. */
  busy: string | null = null;
  said: Said | null = null;

  /** `choose`: whom it asks. */
  constructor(program: Program, dialog: OpenDialog, choose: (live: LivePorts) => P) {
    this.#program = program;
    this.#dialog = dialog;
    this.#choose = choose;
  }

  say(text: string, isError = false): void {
    this.said = { text, isError };
  }

  /** Asks. An answer is taken by `took`; a failure is said. Resolves with who was asked if there was an answer, else null. */
  async ask<T>(
    busy: string,
    ask: (port: P) => Promise<Result<T, string>>,
    took: (value: T, port: P) => void,
  ): Promise<P | null> {
    this.busy = busy;
    const port = await liveOf(this.#program, this.#choose);
    const answer = port === null ? null : await ask(port);
    this.#program.act(() => {
      this.busy = null;
      if (port !== null && answer?.ok === true) took(answer.value, port);
      else this.say(answer?.ok === false ? answer.problem : UNLOADED, true);
      if (this.#program.dialog.isOf(this.#dialog)) this.#dialog.refresh();
      // Its person went on, and learns all the same what became of it.
      else if (this.said !== null) this.#program.say(this.said.text);
    });
    return answer?.ok === true ? port : null;
  }
}

/** For a dialog that another leads to: `back` returns to that one. False: it was opened by itself. */
export function wayBack(program: Program, from: 'agenda' | 'calendars'): () => boolean {
  const came = program.dialog.controller?.type === from;
  return () => {
    if (came) program.run(from === 'agenda' ? 'calendar.agenda' : 'calendar.sources');
    return came;
  };
}

/** "Nov 30, 9:41 AM". */
export function moment({ platform }: Program, at: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: platform.zone(),
  });
  return format.format(at);
}

/** Minutes of a day as a clock shows them. */
export function clock({ platform }: Program, minute: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(minute * 60_000);
}
