// Lazy part of Markdown: only this file is in the first load. The grammar and its users are loaded when the app is
// idle, so that the first key finds them ready.
import type { CommandResult } from '../commands/command.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** The grammar of notes and the links of texts. Loaded when idle or first needed. */
export const markdown = lazyPart('Links', () => import('#core/markdown/links.ts'));

/** Runs `work` with the part, now or as soon as it is loaded. */
export function withMarkdown(
  program: Program,
  work: (part: Awaited<ReturnType<typeof markdown.load>>) => CommandResult,
): CommandResult {
  return program.inputQueue.enter(markdown, work);
}
