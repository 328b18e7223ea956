// What a macro asks of the engine that runs its JavaScript steps.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { Program } from '../app/program.ts';

/** A script with the variables and the tasks that it is given. */
export interface ScriptRequest {
  readonly source: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly targets: readonly Id[];
}

/** Runs scripts away from the app. */
export interface ScriptRun {
  /** The variables afterwards, or why there are none, as a sentence. */
  run(program: Program, request: ScriptRequest): Promise<Result<Readonly<Record<string, string>>, string>>;
}
