// The port of JavaScript steps: a script and what it may read go in, variables or a problem come out. It is
// implemented by web/platform/scripts. What a script reads is model.ts.
import type { Result } from '#core/result.ts';
import type { ScriptState } from './model.ts';

/** Limits of a script. Sentences and the site name them from here. */
export const scriptLimits = {
  /** Of the script's own time; what reads its state is not counted. */
  runMs: 200,
  /** After this long it is ended from outside, whatever it does. */
  endMs: 500,
  memoryMegabytes: 16,
  stackKilobytes: 256,
  /** Tasks in its state, each counted once. */
  tasks: 5_000,
  /** Characters of text in its state. */
  stateCharacters: 5_000_000,
  sourceCharacters: 50_000,
  /** Variables that it may return. */
  variables: 200,
  valueCharacters: 10_000,
  /** Of all that it writes to the console. */
  logCharacters: 65_536,
} as const;

/** What a script is given. */
export interface ScriptRequest {
  readonly source: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly state: ScriptState;
}

/** What a script returned, in an object without a prototype, and what it wrote to the console. */
export interface ScriptAnswer {
  readonly variables: Readonly<Record<string, string>>;
  readonly log: readonly string[];
}

/** Why a script did not return variables. */
export interface ScriptProblem {
  readonly type:
    /** It cannot be read as JavaScript. */
    | 'syntax'
    /** It defines no function `updateVariables`. */
    | 'missing'
    /** It threw. */
    | 'threw'
    /** It returned something else than text by name. */
    | 'result'
    | 'slow'
    | 'memory'
    | 'depth'
    /** There is more to read than a script may. */
    | 'large'
    /** Scripts cannot run in this browser, or not now. */
    | 'unavailable';
  /** A sentence for the person. Parts of it may come from the script: it is text, never markup. */
  readonly message: string;
  /** Line of the script, from 1; null: not known. */
  readonly line: number | null;
  /** What it wrote to the console until then. */
  readonly log: readonly string[];
}

/** Runs scripts, one at a time, apart from the app. */
export interface ScriptPort {
  /**
   * Calls the script's `updateVariables`. Never rejects, and settles at most 600 ms after the script has begun. What one
   * script does is gone before the next begins.
   */
  run(request: ScriptRequest): Promise<Result<ScriptAnswer, ScriptProblem>>;
}
