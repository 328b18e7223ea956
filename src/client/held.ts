// What waits for a part of the app that is being loaded. Every command that needs one goes through here: what is pressed
// and typed meanwhile is held, and pressed again, in its order, once what was opened stands there with the focus.
// Nothing typed goes without a word: where the part cannot be had, or is given up, it is kept for the next try.
import type { FocusView } from './view.ts';
import type { CommandResult } from './commands/command.ts';
import { done } from './commands/define.ts';
import type { Door } from './door.ts';
import { quoted } from './editor.ts';
import { type KeyInput, keycapOf, type Stroke, typesText } from './keys/stroke.ts';
import type { Keymap } from './keys/keymap.ts';
import type { Later } from './later.ts';
import type { Lazy } from './lazy.ts';
import type { Program } from './program.ts';

/** Shorter waits are not noticed. */
const PROGRESS_MS = 300;
/** The command that opens what takes tasks. */
const QUICK_ENTRY = 'task.quickEntry';

interface Opening {
  readonly name: string;
  /** The command, where no door is known for it yet. */
  readonly command: string | null;
  /** What is typed for it is a task: that it cannot be opened must not cost one. */
  readonly takesTasks: boolean;
}

interface Pasted {
  readonly text: string;
  /** Puts it where the focus is by then. */
  readonly put: () => void;
}

type Typed = KeyInput | Pasted;
type Item = Typed | (() => void);

export interface HeldPorts {
  readonly program: Program;
  readonly later: Lazy<Later>;
  readonly keymap: Keymap;
  /** Where the focus belongs. */
  readonly focus: () => FocusView;
  /** Told once, as soon as everything is here. */
  readonly arrived: (part: Later) => void;
}

const isTyped = (item: Item): item is Typed => typeof item !== 'function';
const isPasted = (item: Typed): item is Pasted => 'put' in item;

/** What was typed, with its corrections, before any other key: of a name and a password only the name. */
function typedOf(items: readonly Item[], apple: boolean): readonly Typed[] {
  const typed = items.filter(isTyped);
  const end = typed.findIndex(
    (item) => !isPasted(item) && !typesText(item, apple) && item.key !== 'Backspace',
  );
  return end === -1 ? typed : typed.slice(0, end);
}

/** What a field would hold. */
function textOf(typed: readonly Typed[]): string {
  const letters: string[] = [];
  for (const item of typed) {
    if (isPasted(item)) letters.push(...item.text);
    else if (item.key === 'Backspace') letters.pop();
    else letters.push(item.key);
  }
  return letters.join('').trim();
}

/** The name as it stands within a sentence. */
const within = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const isFor = (opening: Opening) => opening.command ?? opening.name;

export class Held {
  readonly #ports: HeldPorts;
  #hasArrived = false;
  /** What is waited for, until all that was pressed meanwhile is done. */
  #opening: Opening | null = null;
  #queue: Item[] = [];
  /** What was typed for something that did not come, by what that was. */
  readonly #kept = new Map<string, readonly Typed[]>();
  /** What was held is being done: that itself is not held. */
  #isReplaying = false;
  /** What is said meanwhile; null: nothing yet. */
  #progress: string | null = null;
  #stopProgress: (() => void) | null = null;

  constructor(ports: HeldPorts) {
    this.#ports = ports;
  }

  /** Whether everything is here. */
  check(): void {
    const { now } = this.#ports.later;
    if (now === null || this.#hasArrived) return;
    this.#hasArrived = true;
    this.#ports.arrived(now);
  }

  /** Something waits: what comes now must wait behind it. */
  get isWaiting(): boolean {
    return this.#opening !== null && !this.#isReplaying;
  }

  /** Rejects when something cannot be loaded. */
  async bring(): Promise<void> {
    const { program, later } = this.#ports;
    // The commands last: once they are here, nothing is held.
    await program.platform.loadViews();
    await later.load();
    program.act(() => this.check());
  }

  /** Does something with a part: now where it is here, else as soon as it is. */
  enter<T>(door: Door<T>, act: (part: T) => CommandResult): CommandResult {
    const { name, takesTasks } = door;
    if (door.now !== null && !this.#kept.has(name)) return act(door.now);
    this.#wait({ name, command: null, takesTasks }, () => door.load(), act);
    return done;
  }

  /** Does something with what has to be fetched, read or loaded first. `name` as a sentence about it begins. */
  open<T>(name: string, load: () => Promise<T>, act: (part: T) => CommandResult): void {
    this.#wait({ name, command: null, takesTasks: false }, load, act);
  }

  /** Does it once everything is here, after what waits already. `command`: what it was asked by. */
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

  /** Pasted text; `put` is called when it is its turn. */
  paste(text: string, put: () => void): void {
    if (this.isWaiting) this.#queue.push({ text, put });
    else this.hold(put);
  }

  /** A command ran: what was typed for it when it could not be loaded comes now. */
  ran(command: string): void {
    if (this.#kept.has(command) && !this.isWaiting) this.hold(() => undefined, command);
  }

  /** A key, while something waits. */
  press(input: KeyInput, stroke: Stroke): void {
    // Before it is seen to wait, Escape is for what was opened, as it would be on a fast day.
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
        // What was held may have opened the next part: the rest waits for that.
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

  /** Nobody else says what came of it. */
  #report(act: () => CommandResult): void {
    const { program } = this.#ports;
    const before = program.undo.newest;
    const result = act();
    if (result.type === 'refused') program.say(result.reason, { error: result.tone === undefined });
    else if (result.type === 'done' && result.announce !== undefined)
      program.say(result.announce, { undo: program.undo.newest !== before });
  }

  #showProgress({ name }: Opening): void {
    const { program, keymap } = this.#ports;
    const esc = keycapOf('Escape', keymap.apple);
    this.#progress = `Loading ${within(name)}… ${esc} stops waiting.`;
    program.messages.await(this.#progress);
  }

  #endProgress(): void {
    this.#stopProgress?.();
    this.#stopProgress = null;
    const { messages } = this.#ports.program;
    if (this.#progress !== null && messages.current?.text === this.#progress) messages.clear();
    this.#progress = null;
  }

  /** The person has waited long enough. */
  #giveUp(): void {
    const opening = this.#opening;
    if (opening === null) return;
    const kept = this.#keep(opening, typedOf(this.#end(), this.#ports.keymap.apple));
    this.#ports.program.say(`Stopped waiting for ${within(opening.name)}.${kept}`);
  }

  #failed(opening: Opening): void {
    if (this.#opening !== opening) return;
    const { program, keymap } = this.#ports;
    const typed = typedOf(this.#end(), keymap.apple);
    const kept = opening.takesTasks ? this.#addTask(textOf(typed)) : this.#keep(opening, typed);
    void program.platform
      .whyMissing()
      .then((why) =>
        program.act(() => program.say(`${this.#adviceFor(opening, why)}${kept}`, { error: true })),
      );
  }

  #adviceFor({ name }: Opening, why: 'offline' | 'renewed'): string {
    if (why === 'offline')
      return `${name} could not be loaded: the server cannot be reached. Connect to the network and try again.`;
    const keys = this.#ports.keymap.keysOf('application.reload')[0];
    const by = keys === undefined ? '' : ` with ${keys.join(' ')}`;
    return `${name} could not be loaded. The app may have been renewed since: reload this page${by}.`;
  }

  /** What was typed comes first when the same is opened next. */
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
    return ` ${quoted(text)} is in the Inbox, as you typed it.`;
  }
}
