// Everything a command touches outside itself, handed in, so that tests run commands without a process.
import type { Id } from '#core/ids.ts';
import type { ApiClientOptions } from '#wire/api/client-core.ts';

/** The outside of a command, as a port. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the program: 1.2.3 */
  readonly version: string;
  /** Base of relative paths. */
  readonly folder: string;
  /** The output goes to a terminal with colors. */
  readonly isTerminal: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** IANA name. */
  readonly zone: string;
  readonly locale: string;
  newId(): Id;
  print(text: string): void;
  warn(text: string): void;
  /** The whole standard input. */
  readInput(): Promise<Uint8Array>;
  /** Reads a line without echoing it. */
  readSecret(question: string): Promise<string>;
  /** Somebody is there who can answer a question. */
  readonly canAsk: boolean;
  /** Asks, and reads a line as it is typed. */
  readLine(question: string): Promise<string>;
  readonly send: ApiClientOptions['send'];
  /** Asks the desktop app that runs here, one line for one line; null: none runs. Empty: nothing came in time. */
  askApp(line: string, patienceMs: number): Promise<string | null>;
  pause(ms: number): Promise<void>;
  /** Runs a program without a shell; resolves with its exit code. */
  readonly launch: (program: string, words: readonly string[]) => Promise<number>;
}
