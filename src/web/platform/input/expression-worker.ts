// A worker of its own for expressions that people write: one may take forever, and then replacer.ts ends the
// worker. What replacing means is core/replace.ts.
import { patternOf, type Replaced, replaceIn, type ReplacePattern } from '#core/replace.ts';
import type { WorkerNews } from '../worker-news.ts';

export interface ExpressionJob {
  readonly pattern: ReplacePattern;
  readonly titles: readonly string[];
}

const tell = (news: WorkerNews<readonly (Replaced | null)[]>) => postMessage(news);

addEventListener('message', ({ data }: MessageEvent<ExpressionJob>) => {
  tell('begun');
  const { pattern, titles } = data;
  const read = patternOf(pattern);
  tell({ answer: titles.map((title) => (read.ok ? replaceIn(title, read.value, pattern) : null)) });
});

tell('ready');
