// Wraps keys under passphrases, and opens them, in a worker that is there for this one job.
import { failed, ok } from '#core/result.ts';
import type { PassphraseWork } from '#sync/sealing/ports.ts';
import { BoundedWorker } from '../bounded-worker.ts';
import { STRETCH_WORKER } from '../script-url.ts';
import type { StretchAnswer, StretchJob } from './stretch-worker.ts';

/** A slow phone takes ten seconds for what a computer does in one. */
const LONGEST_MS = 120_000;

async function stretched(job: StretchJob): Promise<StretchAnswer | null> {
  const worker = new BoundedWorker<StretchJob, StretchAnswer>(STRETCH_WORKER, 'passphrase');
  try {
    const end = (await worker.ready) ? await worker.run(job, LONGEST_MS) : 'broken';
    return typeof end === 'object' ? end.answer : null;
  } finally {
    worker.end();
  }
}

/** Passphrases in this browser. */
export const passphrases: PassphraseWork = {
  async wrap(key, passphrase) {
    const answer = await stretched({ do: 'wrap', key, passphrase });
    return answer?.did === 'wrap' ? ok(answer.wrapped) : failed({ type: 'missing' });
  },
  async open(wrapped, passphrase) {
    const answer = await stretched({ do: 'open', wrapped, passphrase });
    return answer?.did === 'open' ? answer.opened : failed({ type: 'missing' });
  },
};
