// The shape of a command and of its call. Help, shell completion and docs/cli.md are generated from these.
import type { Names } from './names.ts';
import type { Outbox } from './outbox.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Seen } from './seen.ts';
import type { Session } from './session.ts';
import type { World } from './world.ts';

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Placeholder for its value in help; absent: a flag without a value. */
  readonly value?: string;
  /** May be given several times. */
  readonly isRepeatable?: true;
  readonly summary: string;
}

/** One command of the program, as data plus `run`, which rejects with a Failure when it cannot do its work. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The arguments after the name; empty: none. */
  readonly usage: string;
  /** Error message when arguments follow although `usage` is empty. */
  readonly wordless?: string;
  readonly summary: string;
  /** Sentences for the command's own help. */
  readonly details?: readonly string[];
  readonly options: readonly Option[];
  /** Sends the outbox before it runs. */
  readonly sendsOutbox?: true;
  run(call: Call): Promise<void>;
}

/** Options of every command. */
export const everywhere: readonly Option[] = [
  { name: 'json', summary: 'print JSON; errors are one line on standard error' },
  { name: 'help', short: 'h', summary: 'show help for the command' },
];

/** One parsed command line, and everything a command works with. */
export interface Call {
  readonly world: World;
  /** The whole registry, for help and completion. */
  readonly commands: readonly Command[];
  readonly folder: PrivateFolder;
  readonly session: Session;
  readonly names: Names;
  readonly outbox: Outbox;
  readonly seen: Seen;
  readonly words: readonly string[];
  readonly isJson: boolean;
  has(name: string): boolean;
  option(name: string): string | undefined;
  all(name: string): readonly string[];
  /** Prints the answer: an object with --json, else text for people. */
  show(json: object, text: string): void;
}

/** The command with this name or alias. */
export function commandNamed(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name) === true);
}
