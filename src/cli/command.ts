// What a command is, and what it is given when it runs. Help, shell completion and docs/cli.md are made from these.
import type { Names } from './names.ts';
import type { Outbox } from './outbox.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Seen } from './seen.ts';
import type { Session } from './session.ts';
import type { World } from './world.ts';

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What its value is called; absent: it has none. */
  readonly value?: string;
  /** May be given several times. */
  readonly isRepeatable?: true;
  readonly summary: string;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  /** Sentences for its own help. */
  readonly details?: readonly string[];
  readonly options: readonly Option[];
  /** Whether what waits in the outbox is sent before. */
  readonly sendsOutbox?: true;
  run(call: Call): Promise<void>;
}

/** What every command takes. */
export const everywhere: readonly Option[] = [
  { name: 'json', summary: 'the answer as JSON; failures too, as one line on the standard error' },
  { name: 'help', short: 'h', summary: 'how the command works' },
];

/** What the line said, and what commands work with. */
export interface Call {
  readonly world: World;
  /** All there are. */
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
  /** The answer: an object where JSON was asked for, else a text for people. */
  show(json: object, text: string): void;
}

export function commandNamed(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name) === true);
}
