// Runs scripts of macros in a worker of their own, with a JavaScript engine inside it (guest.ts), and ends the worker when a script
// does not end.
// oxlint-disable-next-line import/default -- the bundler makes it
import ENGINE from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import { failed, ok, type Result } from '#core/result.ts';
import {
  scriptLimits,
  type ScriptAnswer,
  type ScriptPort,
  type ScriptProblem,
  type ScriptRequest,
} from '#client/macros/script/port.ts';
import type { ScriptState } from '#client/macros/script/model.ts';
import { complaint } from '#client/macros/script/returned.ts';
import { BoundedWorker } from '../bounded-worker.ts';
import { SCRIPT_WORKER } from '../script-url.ts';
import { clock, timers } from '../world.ts';
import { piecesOf } from './packing.ts';
import type { ScriptEnd, ScriptJob } from './script-worker.ts';
import { sentences } from './thrown.ts';

/** A worker that nothing was asked of for so long is ended: it holds some 20 MB. */
const IDLE_MS = 60_000;
/** Of work in the page, between which it draws. */
const PORTION_MS = 8;

const UNAVAILABLE = complaint(
  'unavailable',
  'Scripts can’t run now, because part of the app is missing. Check your connection, and try again.',
);
const SLOW = complaint('slow', sentences.slow);
const LONG = complaint(
  'large',
  `The script is too long: it may have ${scriptLimits.sourceCharacters.toLocaleString('en-US')} characters.`,
);

type Answered = Result<ScriptAnswer, ScriptProblem>;

class Runner implements ScriptPort {
  #worker: BoundedWorker<ScriptJob, ScriptEnd, readonly string[]> | null = null;
  #hasEngine = false;
  #stopResting = (): void => undefined;
  /** The run before, whose end the next waits for. */
  #last: Promise<unknown> = Promise.resolve();

  run(request: ScriptRequest): Promise<Answered> {
    const mine = this.#last
      .then(() => this.#run(request))
      // The browser made no worker.
      .catch(() => this.#end({ ...UNAVAILABLE, log: [] }));
    this.#last = mine;
    return mine;
  }

  async #run({ source, variables, state }: ScriptRequest): Promise<Answered> {
    const log: string[] = [];
    if (source.length > scriptLimits.sourceCharacters) return failed({ ...LONG, log });
    this.#stopResting();
    const worker = (this.#worker ??= new BoundedWorker(SCRIPT_WORKER, 'scripts'));
    const [isReady, engine] = await Promise.all([worker.ready, this.#hasEngine ? null : fetchEngine()]);
    if (!isReady || (engine === null && !this.#hasEngine)) return this.#end({ ...UNAVAILABLE, log });
    this.#hasEngine = true;
    const pieces = await packedBetweenFrames(state);
    const job = { source, variables: JSON.stringify(variables), state: pieces, engine };
    const end = await worker.run(job, scriptLimits.endMs, (lines) => log.push(...lines));
    if (end === 'slow') return this.#end({ ...SLOW, log });
    if (end === 'broken') return this.#end({ ...UNAVAILABLE, log });
    const { answer, isSpent } = end.answer;
    if (isSpent) this.#drop();
    else this.#stopResting = timers.after(IDLE_MS, () => this.#drop());
    if (!answer.ok) return failed({ ...answer.problem, log });
    const found: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const [name, text] of answer.value) found[name] = text;
    return ok({ variables: found, log });
  }

  #end(problem: ScriptProblem): Answered {
    this.#drop();
    return failed(problem);
  }

  #drop(): void {
    this.#worker?.end();
    this.#worker = null;
    this.#hasEngine = false;
  }
}

/** A large state would hold up a frame if it were made into text at once. */
async function packedBetweenFrames(state: ScriptState): Promise<readonly string[]> {
  const pieces: string[] = [];
  let beganAt = clock.monotonic();
  for (const piece of piecesOf(state)) {
    pieces.push(piece);
    if (clock.monotonic() - beganAt < PORTION_MS) continue;
    await new Promise<void>((resolve) => void timers.after(0, resolve));
    beganAt = clock.monotonic();
  }
  return pieces;
}

/** From the service worker's cache where there is one. Null: it cannot be had. */
async function fetchEngine(): Promise<ArrayBuffer | null> {
  try {
    const answer = await fetch(ENGINE);
    return answer.ok ? await answer.arrayBuffer() : null;
  } catch {
    // Offline, and not cached yet: the script's answer says so.
    return null;
  }
}

/** One for the page: its worker starts with the first script. */
export const scripts: ScriptPort = new Runner();
