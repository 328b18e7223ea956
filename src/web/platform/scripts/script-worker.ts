// The worker in which scripts of macros run. It asks the network for nothing: the page hands it the engine. runner.ts ends it
// when a script takes too long, and after anything that may have left the engine in disorder.
import type { Result } from '#core/result.ts';
import { complaint, type Complaint } from '#client/macros/script/returned.ts';
import { failed } from '#core/result.ts';
import type { WorkerNews } from '../worker-news.ts';
import { createGuest, type Guest, type GuestJob } from './guest.ts';

/** A script, with the engine (the content of its .wasm file) for the first. */
export interface ScriptJob extends Omit<GuestJob, 'state'> {
  /** Its parts. */
  readonly state: readonly string[];
  readonly engine: ArrayBuffer | null;
}

/** Members and their texts; the page makes the object, because names may be any. */
export interface ScriptEnd {
  readonly answer: Result<readonly (readonly [name: string, text: string])[], Complaint>;
  readonly isSpent: boolean;
}

/** Lines of the console wait at most this long, or the page would be told of each. */
const LINES_MS = 20;

const tell = (news: WorkerNews<ScriptEnd, readonly string[]>) => postMessage(news);

let guest: Guest | null = null;

async function start(engine: ArrayBuffer | null): Promise<Guest | null> {
  if (engine === null) return null;
  try {
    return await createGuest(engine);
  } catch {
    // Compiling is forbidden or not possible here; the answer says so.
    return null;
  }
}

async function run({ engine, state, ...job }: ScriptJob): Promise<ScriptEnd> {
  guest ??= await start(engine);
  if (guest === null)
    return {
      answer: failed(
        complaint('unavailable', 'This browser can’t run scripts: it doesn’t allow WebAssembly.'),
      ),
      isSpent: true,
    };
  let lines: string[] = [];
  let saidAt = 0;
  const say = () => {
    if (lines.length > 0) tell({ note: lines });
    lines = [];
    saidAt = performance.now();
  };
  const { answer, isSpent } = await guest.run(
    { ...job, state: state.join('') },
    {
      now: () => performance.now(),
      begun: () => tell('begun'),
      wrote(line) {
        lines.push(line);
        if (performance.now() - saidAt >= LINES_MS) say();
      },
    },
  );
  say();
  return { answer: answer.ok ? { ok: true, value: Object.entries(answer.value) } : answer, isSpent };
}

addEventListener('message', ({ data }: MessageEvent<ScriptJob>) => {
  void run(data).then((answer) => tell({ answer }));
});

tell('ready');
