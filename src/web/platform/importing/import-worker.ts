// The worker in which files of other programs are read and planned. Nothing in a file is run, and no address in one is asked for.
// What it does is client/importing/session.ts.
import type {
  ImportOptions,
  PlanContext,
  Planned,
  PlanSummary,
  ReadAnswer,
  ReadContext,
} from '#client/importing/port.ts';
import { ImportSession } from '#client/importing/session.ts';
import type { CalendarWindow } from '#core/calendar/events.ts';
import { createIdSource } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { WorkerNews } from '../worker-news.ts';
import type { ReadFile } from './calendar-job.ts';
import { openDatabase } from './database.ts';

interface PostedFile {
  readonly name: string;
  readonly size: number;
  /** A Blob, or bytes. */
  readonly content: unknown;
  readonly writtenAt: number | undefined;
}

/** What the page asks for. */
export type ImportJob =
  | { readonly do: 'read'; readonly files: readonly PostedFile[]; readonly context: ReadContext }
  | { readonly do: 'plan'; readonly options: ImportOptions; readonly context: PlanContext }
  | { readonly do: 'portion'; readonly from: number; readonly count: number }
  /** `content`: a file, or the text of one. */
  | { readonly do: 'calendar'; readonly content: unknown; readonly window: CalendarWindow };

/** What it gets. */
export type ImportAnswer =
  | { readonly did: 'read'; readonly answer: ReadAnswer }
  | { readonly did: 'plan'; readonly answer: Result<PlanSummary, string> }
  | { readonly did: 'portion'; readonly answer: readonly Planned[] }
  | { readonly did: 'calendar'; readonly answer: Result<ReadFile, string> };

const tell = (news: WorkerNews<ImportAnswer, number>) => postMessage(news);

const session = new ImportSession({
  openDatabase,
  newId: createIdSource({
    now: () => Date.now(),
    random: (bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
  }),
});

async function bytesOf(content: unknown): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
  throw new TypeError('A file has no content.');
}

async function work(job: ImportJob): Promise<ImportAnswer> {
  if (job.do === 'calendar') {
    const { readCalendarFile } = await import('./calendar-job.ts');
    const given = typeof job.content === 'string' ? job.content : await bytesOf(job.content);
    return { did: 'calendar', answer: await readCalendarFile(given, job.window) };
  }
  if (job.do === 'plan') return { did: 'plan', answer: session.plan(job.options, job.context) };
  if (job.do === 'portion') return { did: 'portion', answer: session.portion(job.from, job.count) };
  const files = job.files.map(({ name, size, content, writtenAt }) => ({
    name,
    size,
    ...(writtenAt === undefined ? {} : { writtenAt }),
    bytes: () => bytesOf(content),
  }));
  return {
    did: 'read',
    answer: await session.read(files, job.context, (progress) => tell({ note: progress })),
  };
}

addEventListener('message', ({ data }: MessageEvent<ImportJob>) => {
  tell('begun');
  work(data).then(
    (answer) => tell({ answer }),
    // As an error of the worker, which the page hears of.
    (error: unknown) => void setTimeout(() => reportError(error)),
  );
});

tell('ready');
