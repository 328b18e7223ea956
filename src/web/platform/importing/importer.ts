// Reads and plans an import in a worker of its own, so that the page answers keys meanwhile. Ending it is ending the worker.
import type { Importer, ImportSource, ReadAnswer } from '#client/importing/port.ts';
import { failed, type Result } from '#core/result.ts';
import { BoundedWorker } from '../bounded-worker.ts';
import { IMPORT_WORKER } from '../script-url.ts';
import type { ImportJob, ImportAnswer } from './import-worker.ts';

/** For the largest files that are read, on a slow device; Escape ends it before. */
const READ_MS = 10 * 60_000;
const PLAN_MS = 2 * 60_000;

const MISSING =
  'Files can’t be read now, because part of the app is missing. Check your connection, and try again.';
const SLOW = 'Reading took too long. Split the file, and try again.';

/** A worker for one import. It starts at once. */
export function openImporter(): Importer {
  const worker = new BoundedWorker<ImportJob, ImportAnswer, number>(IMPORT_WORKER, 'import');

  async function ask(
    job: ImportJob,
    limitMs: number,
    hear?: (progress: number) => void,
  ): Promise<Result<ImportAnswer, string>> {
    if (!(await worker.ready)) return failed(MISSING);
    const end = await worker.run(job, limitMs, hear);
    if (typeof end === 'object') return { ok: true, value: end.answer };
    return failed(end === 'slow' ? SLOW : MISSING);
  }

  return {
    async read(sources: readonly ImportSource[], context, hear): Promise<ReadAnswer> {
      const files = sources.map(({ name, size, content, writtenAt }) => ({ name, size, content, writtenAt }));
      const answer = await ask({ do: 'read', files, context }, READ_MS, hear);
      if (answer.ok && answer.value.did === 'read') return answer.value.answer;
      return { hasTasks: false, texts: [], problems: [answer.ok ? MISSING : answer.problem] };
    },
    async plan(options, context) {
      const answer = await ask({ do: 'plan', options, context }, PLAN_MS);
      if (!answer.ok) return failed(answer.problem);
      return answer.value.did === 'plan' ? answer.value.answer : failed(MISSING);
    },
    async portion(from, count) {
      const answer = await ask({ do: 'portion', from, count }, PLAN_MS);
      // Half a plan must not pass for the whole.
      if (!answer.ok) throw new Error(answer.problem);
      if (answer.value.did !== 'portion') throw new Error(MISSING);
      return answer.value.answer;
    },
    end: () => worker.end(),
  };
}
