// A worker of its own for expressions that people write: one may take forever, and then replacer.ts ends the
// worker. What replacing means is core/replace.ts.
import { patternOf, type Replaced, replaceIn, type ReplacePattern } from '#core/replace.ts';

export interface ExpressionJob {
  readonly pattern: ReplacePattern;
  readonly titles: readonly string[];
}

/** What the worker tells: that it is there, that it has taken up a job, and what came of it. */
export type ExpressionNews = 'ready' | 'begun' | readonly (Replaced | null)[];

const tell = (news: ExpressionNews) => postMessage(news);

addEventListener('message', ({ data }: MessageEvent<ExpressionJob>) => {
  tell('begun');
  const { pattern, titles } = data;
  const read = patternOf(pattern);
  tell(titles.map((title) => (read.ok ? replaceIn(title, read.value, pattern) : null)));
});

tell('ready');
