// Definition of a command. Keys, palette, menus, macros, URL handlers, help and guides all resolve to a command id; no
// component owns behavior. The commands themselves are the other files here, all listed in registry.ts.

import type { Tally } from '../app/messages.ts';
import type { PaletteIcon } from '../palette/palette-view.ts';

/** Contexts in which a key may have a meaning; the most specific one counts first. */
export type KeyContext =
  | 'palette'
  /** The month beside a date picker. */
  | 'month'
  | 'dialog'
  /** Options of a dialog, one of which is active. */
  | 'list'
  /** Additional keys of one dialog, if its focused control asks for them. */
  | `dialog.${string}`
  | 'edit'
  | 'name'
  | 'navigate'
  /** The outline without a row. */
  | 'empty'
  | 'sidebar'
  | 'notes'
  /** The grid of days beside the outline. */
  | 'calendar'
  | 'search'
  | 'global';

/** One of the answers to choose from. */
export interface Choosable {
  readonly value: string;
  readonly title: string;
}

/** A value that the palette asks for, step by step, if it was not given. */
export interface Argument {
  readonly name: string;
  readonly kind:
    | 'list'
    | 'folder'
    | 'task'
    /** A task under which the targets may be moved. */
    | 'parent'
    /** A bookmarked task or list. */
    | 'bookmark'
    | 'label'
    /** One of the links found last. */
    | 'link'
    /** Any item of the palette, by its id. */
    | 'item'
    /** An item with an alias. */
    | 'named'
    | 'text'
    /** One of `choices`. */
    | 'choice'
    /** Asked for by pickers/, in words. */
    | 'due'
    | 'start'
    | 'snooze'
    | 'repeat'
    /** One occurrence of a repeating task. */
    | 'once'
    | 'duration'
    | 'remind'
    | 'block';
  readonly prompt: string;
  /** For a list: smart lists are accepted too. */
  readonly takesSmart?: boolean;
  readonly choices?: readonly Choosable[];
  /** Text of several lines. */
  readonly isLong?: boolean;
  /** Text that may name one of these, or something that isn’t there yet. */
  readonly suggests?: 'label';
}

/** Arguments by name, as strings; each kind of argument defines its format. */
export type ArgumentValues = Readonly<Record<string, string>>;

/** Null: available. A string: why not, as a whole sentence that says what to do ("Select a task first."). */
export type Availability = string | null;

/** Result of a command. Expected failures are `refused`; an exception is a defect. */
export type CommandResult =
  /** `announce` is shown as a message and read by screen readers; undo is offered when the command changed data. */
  | { readonly type: 'done'; readonly announce?: string; readonly tally?: Tally }
  /** The key was not for this command after all: the next context may have it. */
  | { readonly type: 'passed' }
  /** `tone`: 'info' if nothing went wrong; absent: an error. */
  | { readonly type: 'refused'; readonly reason: string; readonly tone?: 'info' };

/** What help, guides and the palette show of a command. */
export interface CommandInfo {
  /** `task.complete`, `list.rename`, `go.inbox`: subject, verb. Stable for ever; macros and links store it. */
  readonly id: string;
  /** Imperative, sentence case: "Complete task". */
  readonly title: string;
  /** Other words people search for. */
  readonly aliases: readonly string[];
  readonly group:
    | 'Tasks'
    | 'Lists'
    | 'Go to'
    | 'Selection'
    | 'View'
    | 'Edit'
    | 'Account'
    | 'Settings'
    | 'Application';
  readonly args: readonly Argument[];
  /** False: only keys and code run it; the palette does not list it (moving the cursor). */
  readonly inPalette: boolean;
  /** Key repeat is allowed while held (movement, indent). */
  readonly repeats: boolean;
}

/** A command over the program it acts on. */
export interface CommandOf<P> extends CommandInfo {
  when(program: P): Availability;
  /** False: what it is about isn’t there on this server, so nothing lists it. Absent: as `inPalette` says. */
  readonly isListed?: (program: P) => boolean;
  /** The title for the present state, if it differs from `title`. */
  titleNow(program: P): string;
  /** In the palette; absent: as the table of icons says (palette/command-icons.ts). */
  readonly icon?: PaletteIcon;
  /** It acts on the task at the cursor or the selected ones. */
  readonly isAboutTask: boolean;
  /** For a choice: its current value. */
  chosen(program: P): string | null;
  /** For a choice whose answers depend on what is there: the answers now. Absent: those of its argument. */
  choices?(program: P): readonly Choosable[];
  run(program: P, args: ArgumentValues): CommandResult;
}
