// A thread that runs scripts for ScriptThreads (engine.ts), one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '#core/assert.ts';
import { createGuest, type GuestJob } from '#web/platform/scripts/guest.ts';
import { engineBytes, type ThreadNews } from './engine.ts';

const port = must(parentPort, 'a thread has a port');
const tell = (news: ThreadNews): void => port.postMessage(news);
const guest = await createGuest(engineBytes());

/** Of this thread: a busy machine takes no time from a script. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

port.on('message', (job: GuestJob) => {
  const log: string[] = [];
  void guest
    .run(job, {
      now: () => processorMs() * Number(workerData),
      begun: () => tell('begun'),
      wrote: (line) => void log.push(line),
    })
    .then(({ answer, isSpent }) => tell({ answer, isSpent, log }));
});
