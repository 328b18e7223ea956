// The input queue: keys and pasted text that wait while a part of the app loads. Every command that needs a part goes
// through it; queued input is replayed in order once the part is open and has the focus. Nothing typed is lost
// silently: if the part fails to load, or is given up, its input is kept for the next try.
import type { FocusView } from '../app/view.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import type { LazyPart } from './lazy-part.ts';
import { quoted } from '../text/editor.ts';
import { type KeyInput, keycapOf, type Stroke, typesText } from '../keys/stroke.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Lazy } from './lazy.ts';
import type { Program } from '../app/program.ts';

/** Shorter waits show no progress. */
const PROGRESS_MS = 300;
/** The command that opens quick entry. */
const QUICK_ENTRY = 'task.quickEntry';

interface Opening {
  readonly name: string;
  /** The command, if the part is not known yet. */
  readonly command: string | null;
  /** The input is a task, which must survive even if the part cannot be opened. */
  readonly takesTasks: boolean;
  /** Called where what was waited for is not done after all. */
  readonly stopped?: (() => void) | undefined;
  /** What is done meanwhile; absent: it is loading. */
  readonly verb?: string | undefined;
}

interface Pasted {
  readonly text: string;
  /** Inserts it where the focus is by then. */
  readonly put: () => void;
}

type Typed = KeyInput | Pasted;
type Item = Typed | (() => void);

export interface InputQueuePorts {
  readonly program: Program;
  readonly rest: Lazy<unknown>;
  readonly keymap: Keymap;
  /** The current focus target. */
  readonly focus: () => FocusView;
  /** Called once, as soon as everything is loaded. */
  readonly arrived: () => void;
}

const isTyped = (item: Item): item is Typed => typeof item !== 'function';
const isPasted = (item: Typed): item is Pasted => 'put' in item;

/** The typed text with its corrections, up to the first other key: of a name and a password only the name. */
function typedOf(items: readonly Item[], apple: boolean): readonly Typed[] {
  const typed = items.filter(isTyped);
  const end = typed.findIndex(
    (item) => !isPasted(item) && !typesText(item, apple) && item.key !== 'Backspace',
  );
  return end === -1 ? typed : typed.slice(0, end);
}

/** The text that these keys would leave in a field. */
function textOf(typed: readonly Typed[]): string {
  const letters: string[] = [];
  for (const item of typed) {
    if (isPasted(item)) letters.push(...item.text);
    else if (item.key === 'Backspace') letters.pop();
    else letters.push(item.key);
  }
  return letters.join('').trim();
}

/** The name in the middle of a sentence. */
const within = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const isFor = (opening: Opening) => opening.command ?? opening.name;

/**
 * Queues input while something loads, and replays it in order. `enter` and `open` wait for a part, `hold` for the rest.
 */
export class InputQueue {
  readonly #ports: InputQueuePorts;
  #hasArrived = false;
  /** The part being waited for, until all queued input is replayed. */
  #opening: Opening | null = null;
  #queue: Item[] = [];
  /** Keystrokes kept for a part that failed to load, keyed by its name. */
  readonly #kept = new Map<string, readonly Typed[]>();
  /** A replay is running: its own input is not queued. */
  #isReplaying = false;
  /** The progress message; null: not shown yet. */
  #progress: string | null = null;
  #stopProgress: (() => void) | null = null;

  constructor(ports: InputQueuePorts) {
    this.#ports = ports;
  }

  /** Notices when everything is loaded. */
  check(): void {
    if (this.#ports.rest.now === null || this.#hasArrived) return;
    this.#hasArrived = true;
    this.#ports.arrived();
  }

  /** Something is loading or replaying: new input must queue behind it. */
  get isWaiting(): boolean {
    return this.#opening !== null && !this.#isReplaying;
  }

  /** Loads the rest. Rejects if something cannot be loaded. */
  async bring(): Promise<void> {
    const { program, rest } = this.#ports;
    // The commands last: once they are loaded, nothing is queued.
    await program.platform.loadViews();
    await rest.load();
    program.act(() => this.check());
  }

  /** Runs `act` with a part, now or as soon as it is loaded. */
  enter<T>(part: LazyPart<T>, act: (part: T) => CommandResult): CommandResult {
    const { name, takesTasks } = part;
    if (part.now !== null && !this.#kept.has(name)) return act(part.now);
    this.#wait({ name, command: null, takesTasks }, () => part.load(), act);
    return done;
  }

  /**
   * Runs `act` with something that must be fetched, read or loaded first. `name` begins a sentence about it; `stopped` is
   * called where that fails, or the person stops waiting. `verb`: what the progress line says of it.
   */
  open<T>(
    name: string,
    load: () => Promise<T>,
    act: (part: T) => CommandResult,
    { stopped, verb }: Pick<Opening, 'stopped' | 'verb'> = {},
  ): void {
    this.#wait({ name, command: null, takesTasks: false, stopped, verb }, load, act);
  }

  /** Runs `work` once everything is loaded, after the queue. `command`: the command that needs it. */
  hold(work: () => void, command: string | null = null): void {
    if (this.isWaiting) {
      this.#queue.push(work);
      return;
    }
    const act = () => {
      work();
      return done;
    };
    const takesTasks = command === QUICK_ENTRY;
    this.#wait({ name: 'This part of the app', command, takesTasks }, () => Promise.resolve(), act);
  }

  /** Queues pasted text; `put` inserts it when its turn comes. */
  paste(text: string, put: () => void): void {
    if (this.isWaiting) this.#queue.push({ text, put });
    else this.hold(put);
  }

  /** A command ran: replays the input kept when its part could not be loaded. */
  ran(command: string): void {
    if (this.#kept.has(command) && !this.isWaiting) this.hold(() => undefined, command);
  }

  /** Queues a key while something loads. */
  press(input: KeyInput, stroke: Stroke): void {
    // Before progress is shown, Escape goes to the dialog being opened, as on a fast connection.
    if (stroke === 'Escape' && this.#progress !== null) this.#giveUp();
    else this.#queue.push(input);
  }

  #wait<T>(opening: Opening, load: () => Promise<T>, act: (part: T) => CommandResult): void {
    if (this.isWaiting) {
      this.#queue.push(() => this.#wait(opening, load, act));
      return;
    }
    this.#endProgress();
    this.#opening = opening;
    const { program } = this.#ports;
    this.#stopProgress = program.platform.after(PROGRESS_MS, () =>
      program.act(() => this.#showProgress(opening)),
    );
    Promise.all([load(), this.bring()]).then(
      ([part]) => this.#goOn(opening, () => this.#report(() => act(part))),
      () => this.#failed(opening),
    );
  }

  async #goOn(opening: Opening, act: () => void): Promise<void> {
    if (this.#opening !== opening) return;
    this.#endProgress();
    this.#queue.unshift(...(this.#kept.get(isFor(opening)) ?? []));
    this.#kept.delete(isFor(opening));
    try {
      this.#do(act);
      for (;;) {
        await this.#ports.program.platform.drawn(this.#ports.focus());
        // A replayed key may have opened the next part: the remaining input waits for that.
        if (this.#opening !== opening) return;
        const next = this.#queue.shift();
        if (next === undefined) break;
        this.#do(next);
      }
    } finally {
      if (this.#opening === opening) this.#end();
    }
  }

  #do(item: Item): void {
    const { program } = this.#ports;
    this.#isReplaying = true;
    try {
      if (!isTyped(item)) program.act(item);
      else if (isPasted(item)) program.act(item.put);
      else program.platform.press(item);
    } finally {
      this.#isReplaying = false;
    }
  }

  #end(): readonly Item[] {
    this.#endProgress();
    this.#opening = null;
    const left = this.#queue;
    this.#queue = [];
    return left;
  }

  /** Nothing else reports this result. */
  #report(act: () => CommandResult): void {
    const { program } = this.#ports;
    const before = program.undo.newest;
    const result = act();
    if (result.type === 'refused') program.say(result.reason, { error: result.tone === undefined });
    else if (result.type === 'done' && result.announce !== undefined)
      program.say(result.announce, { undo: program.undo.newest !== before });
  }

  #showProgress({ name, verb = 'Loading' }: Opening): void {
    const { program, keymap } = this.#ports;
    const esc = keycapOf('Escape', keymap.apple);
    this.#progress = `${verb} ${within(name)}… ${esc} stops waiting.`;
    program.messages.await(this.#progress);
  }

  #endProgress(): void {
    this.#stopProgress?.();
    this.#stopProgress = null;
    const { messages } = this.#ports.program;
    if (this.#progress !== null && messages.current?.text === this.#progress) messages.clear();
    this.#progress = null;
  }

  /** Stops waiting, on request of the person. */
  #giveUp(): void {
    const opening = this.#opening;
    if (opening === null) return;
    const kept = this.#keep(opening, typedOf(this.#end(), this.#ports.keymap.apple));
    opening.stopped?.();
    this.#ports.program.say(`Stopped waiting for ${within(opening.name)}.${kept}`);
  }

  #failed(opening: Opening): void {
    if (this.#opening !== opening) return;
    const { program, keymap } = this.#ports;
    const typed = typedOf(this.#end(), keymap.apple);
    opening.stopped?.();
    const kept = opening.takesTasks ? this.#addTask(textOf(typed)) : this.#keep(opening, typed);
    void program.platform
      .whyMissing()
      .then((why) =>
        program.act(() => program.say(`${this.#adviceFor(opening, why)}${kept}`, { error: true })),
      );
  }

  #adviceFor({ name }: Opening, why: 'offline' | 'renewed'): string {
    if (why === 'offline') return `${name} couldn’t load. Go online and try again.`;
    const keys = this.#ports.keymap.keysOf('application.reload')[0];
    const by = keys === undefined ? '' : ` with ${keys.join(' ')}`;
    return `${name} couldn’t load. The app may have been updated. Reload this page${by}.`;
  }

  /** Keeps the input for the next time this part is opened; it comes first then. */
  #keep(opening: Opening, latest: readonly Typed[]): string {
    const what = isFor(opening);
    const typed = [...(this.#kept.get(what) ?? []), ...latest];
    if (typed.length === 0) return '';
    this.#kept.set(what, typed);
    return ' What you typed is kept for the next try.';
  }

  #addTask(text: string): string {
    if (text === '') return '';
    const { program } = this.#ports;
    program.act(() => program.addToInbox(text));
    return ` Added ${quoted(text)} to the Inbox, as you typed it.`;
  }
}
