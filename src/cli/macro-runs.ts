// Macros by name, and runs of them from the request to what came of it, for the commands and for agents.
import type { ApiClient, CreateMacroRun, Macro, MacroRun } from '#wire/api/client.ts';
import type { Id } from '#core/ids.ts';
import { Failure } from './failure.ts';

/** What a run needs of the program around it. */
export interface RunHands {
  readonly ask: <T>(work: (client: ApiClient) => Promise<T>) => Promise<T>;
  readonly newId: () => Id;
  readonly pause: (ms: number) => Promise<void>;
}

/** Between two looks at a run: most end within a second, and some wait a minute for a device. */
const LOOKS_MS = [200, 300, 500, 1_000, 2_000, 3_000] as const;
const LONGEST_MS = 200_000;

/** The macro with this id or name. Exact names win. */
export function macroNamed(text: string, macros: readonly Macro[]): Macro {
  const byId = macros.find(({ id }) => id === text.toLowerCase());
  if (byId) return byId;
  const fold = (name: string) => name.toLowerCase();
  const exact = macros.filter(({ name }) => name === text);
  const [found, ...more] = exact.length > 0 ? exact : macros.filter(({ name }) => fold(name) === fold(text));
  if (found === undefined) throw new Failure('missing', `There's no macro “${text}”. See: posthaste macros`);
  if (more.length > 0) throw new Failure('missing', `Several macros are called “${text}”. Use the id.`);
  return found;
}

/** Starts a run and resolves when it has ended, whatever came of it. */
export async function runToEnd(
  { ask, newId, pause }: RunHands,
  wanted: Omit<CreateMacroRun, 'id' | 'strict'>,
): Promise<MacroRun> {
  // An id of our own, so that sending it again runs nothing twice.
  const id = newId();
  let { macro_run: run } = await ask((client) => client.createMacroRun({ ...wanted, id }));
  let waitedMs = 0;
  for (let at = 0; run.state === 'waiting' || run.state === 'running'; at += 1) {
    const lookMs = LOOKS_MS[Math.min(at, LOOKS_MS.length - 1)] ?? 0;
    if (waitedMs > LONGEST_MS) break;
    await pause(lookMs);
    waitedMs += lookMs;
    run = (await ask((client) => client.getMacroRun(id))).macro_run;
  }
  return run;
}
