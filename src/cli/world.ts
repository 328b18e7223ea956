// Everything a command touches outside itself, handed in, so that tests run commands without a process.
import type { Id } from '#core/ids.ts';
import type { ApiClientOptions } from '#wire/api/client-core.ts';

export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the program: 1.2.3 */
  readonly version: string;
  /** Where relative paths begin. */
  readonly folder: string;
  /** The output goes to a person. */
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
  readInput(): Promise<string>;
  /** A line that is not shown where it is typed. */
  readSecret(question: string): Promise<string>;
  readonly send: ApiClientOptions['send'];
  pause(ms: number): Promise<void>;
  /** Runs a program without a shell; its exit code. */
  readonly launch: (program: string, words: readonly string[]) => Promise<number>;
}
