// A worker of its own for expressions that people write: one may take for ever, and then this is ended from outside
// (replacer.ts). What replacing means is core/replace.ts.
import { patternOf, replaceIn, type ReplacePattern } from '#core/replace.ts';

export interface ExpressionJob {
  readonly pattern: ReplacePattern;
  readonly titles: readonly string[];
}

addEventListener('message', ({ data }: MessageEvent<ExpressionJob>) => {
  const { pattern, titles } = data;
  const read = patternOf(pattern);
  postMessage(titles.map((title) => (typeof read === 'string' ? null : replaceIn(title, read, pattern))));
});

postMessage('ready');
