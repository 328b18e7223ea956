// A part is one capability of the app: its state, its reactions to rows, time and text, and what it adds to commands,
// keys, dialogs, palette and settings. It is listed once, in loading/rest-parts.ts or first-parts.ts; the program knows none
// of them by name.
import type { Id } from '#core/ids.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { ArgumentValues } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import type { DialogFrame, DialogType } from '../dialogs/dialog-view.ts';
import type { TitleDraft } from '../text/editor.ts';
import type { KeyInput, Stroke } from '../keys/stroke.ts';
import type { Binding } from '../keys/keymap.ts';
import type { Offering } from '../palette/offering.ts';
import type { Program } from './program.ts';
import type { AnySetting } from '../settings/setting.ts';

/** Hooks of a running part, called in the order in which the parts are listed. All of them run before the frame. */
export interface PartHooks {
  /** Rows changed; the outline and the counts have followed. */
  apply?(changes: readonly RowChange[], cause: ChangeCause): void;
  /** Every part has followed the change. */
  applied?(changes: readonly RowChange[]): void;
  /** Tasks were hidden or shown again (a date passed, a filter changed); their rows are the same. */
  visibilityChanged?(seen: readonly RowChange[]): void;
  /** A key was pressed. True: the part took it, and no command gets it. */
  press?(input: KeyInput, stroke: Stroke): boolean;
  /** A command ran that was given all its answers. */
  ran?(command: string, args: ArgumentValues): void;
  /** The palette runs a command with answers that were said in these words. */
  asked?(words: ArgumentValues): void;
  /** A task was added by a line that was typed outside the outline, into `parent`. */
  addedLine?(line: string, parent: Id): void;
  /** The title or name being edited is about to be committed. */
  leaveText?(): void;
  /** Whether it keeps the title or name of a row from being written, or its notes. It says why. */
  keeps?(id: Id, register?: 'notes'): boolean;
  /** Actions that were asked for, some of which can't be done on this device. It says why. */
  forbidden?(asked: readonly Action[]): void;
  /** Writing a title or name has begun. */
  beganText?(): void;
  /** It was committed. */
  leftText?(draft: Readonly<TitleDraft>): void;
  /** A gesture ended; the place, its outline and the text being edited are as the gesture left them. */
  beforeSettle?(): void;
  /** The open place exists and its rows stand in order. */
  settle?(): void;
  /** Everything is settled: views are set here. */
  draw?(): void;
  /** Time has passed. */
  tick?(): void;
  /** Once: the first screen has been idle for a moment, before or after the part came. */
  idle?(): void;
  /** Once: all rows and the undo history have been read. */
  loaded?(): void;
  /** The app closes; changes can still be made. */
  close?(): void;
}

/** `T` is what other code gets from `program.part(...)`. Its hooks are called if it has any. */
export interface Part<T extends object = object> {
  /** For messages about the part. */
  readonly name: string;
  readonly create: (program: Program) => T & PartHooks;
  readonly commands?: readonly Command[];
  /** Standard keys. Presets and the person's own keys go over them. */
  readonly keys?: readonly Binding[];
  /**
   * The dialogs it opens. A file of the part adds their views and actions to `Dialogs` (dialogs/dialog-view.ts); their
   * components are named in web/dialogs/content.tsx.
   */
  readonly dialogs?: Readonly<Partial<Record<DialogType, DialogFrame>>>;
  readonly paletteSources?: (program: Program) => readonly Offering[];
  /** Shown in the settings, changed by a command each, found by the palette. */
  readonly settings?: readonly AnySetting[];
}

/** The running parts, and their contributions to the app: lists that are replaced, never changed. */
export class Parts {
  readonly #program: Program;
  readonly #running = new Map<Part, PartHooks>();
  /** A part that makes commands of what it holds (macros) replaces its own among them. */
  commands: readonly Command[] = [];
  keys: readonly Binding[] = [];
  settings: readonly AnySetting[] = [];
  offerings: readonly Offering[] = [];
  #isIdle = false;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Starts parts, in this order, after those that run already. */
  add(parts: readonly Part[]): void {
    const program = this.#program;
    for (const part of parts) {
      this.#running.set(part, part.create(program));
      this.commands = [...this.commands, ...(part.commands ?? [])];
      this.keys = [...this.keys, ...(part.keys ?? [])];
      this.settings = [...this.settings, ...(part.settings ?? [])];
      this.offerings = [...this.offerings, ...(part.paletteSources?.(program) ?? [])];
    }
    if (this.#isIdle) for (const part of parts) this.#running.get(part)?.idle?.();
  }

  /** The first screen has been idle for a moment. */
  idle(): void {
    this.#isIdle = true;
    for (const part of this.hooks) part.idle?.();
  }

  /** The running part. Throws where it is in no list of parts, or its list has not been loaded. */
  get<T extends object>(part: Part<T>): T {
    const running = this.#running.get(part);
    if (running === undefined) throw new Error(`The part “${part.name}” is not here.`);
    // The result of this very part’s `create`.
    return running as T;
  }

  /** In the order of the lists. */
  get hooks(): Iterable<PartHooks> {
    return this.#running.values();
  }

  /** The frame of a dialog. Throws where no part has such a dialog. */
  dialogFrame(type: DialogType): DialogFrame {
    const holder = [...this.#running.keys()].find(({ dialogs }) => dialogs?.[type]);
    const frame = holder?.dialogs?.[type];
    if (frame === undefined) throw new Error(`No part has a dialog “${type}”.`);
    return frame;
  }
}

/**
 * Types a part by what its `create` returns: that is what `program.part(...)` gives. Where its own commands ask for it, it is
 * written down, because the compiler cannot find it in itself: `const counter: Part<Counter> = definePart({…})`.
 */
export function definePart<T extends object>(part: Part<T>): Part<T> {
  return part;
}
