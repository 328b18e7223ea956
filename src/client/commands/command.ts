// What a command is. Keys, palette, menus, macros, URL handlers, help and guides all resolve to a command id;
// no component owns behaviour. The commands themselves are the other files here, all of them together registry.ts.

import type { Tally } from '../messages.ts';

/** Contexts in which a key may mean something, most specific first when resolved. */
export type KeyContext =
  | 'palette'
  /** The month beside a date picker. */
  | 'month'
  | 'dialog'
  | 'edit'
  | 'name'
  | 'navigate'
  /** The outline without a row. */
  | 'empty'
  | 'sidebar'
  | 'notes'
  | 'search'
  | 'global';

/** A value the palette asks for, step by step, when it was not given. */
export interface Argument {
  readonly name: string;
  readonly kind:
    | 'list'
    | 'folder'
    | 'task'
    /** A task that the chosen ones may go under. */
    | 'parent'
    /** A bookmarked task or list. */
    | 'bookmark'
    | 'label'
    /** One of those that were found last. */
    | 'link'
    /** Anything that the palette lists, by the id of its item. */
    | 'item'
    /** What has a name of the person's own there. */
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
    | 'remind';
  readonly prompt: string;
  /** Of a list: smart lists are answers too. */
  readonly takesSmart?: boolean;
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
}

export type ArgumentValues = Readonly<Record<string, string>>;

/** Null: available. A text: why not, as a whole sentence that says what to do ("Select a task first."). */
export type Availability = string | null;

export type CommandResult =
  /** `announce` is said by screen readers and shown as a message; undo is offered when the command changed data. */
  | { readonly type: 'done'; readonly announce?: string; readonly tally?: Tally }
  /** The key was not for this command after all: the next context may have it. */
  | { readonly type: 'passed' }
  /** `tone`: plain news where nothing went wrong; absent: an error. */
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
  /** What it would do now, where that has another name than its title. */
  titleNow(program: P): string;
  /** It does something with the task at the cursor or the selected ones. */
  readonly isAboutTask: boolean;
  /** Of what is chosen among: the value it has now. */
  chosen(program: P): string | null;
  run(program: P, args: ArgumentValues): CommandResult;
}
