// The door to what Markdown says: only this is part of the first load. The grammar and who uses it are brought when the app is
// idle, so that the first key finds them there.
import type { CommandResult } from '../commands/command.ts';
import { lazy } from '../lazy.ts';
import type { Program } from '../program.ts';

export const markdown = lazy(() => import('./links.ts'));

/** Does something with it: now where it is here, else as soon as it is. */
export function withMarkdown(
  program: Program,
  work: (part: Awaited<ReturnType<typeof markdown.load>>) => CommandResult,
): CommandResult {
  if (markdown.now) return work(markdown.now);
  markdown.load().then(
    (part) =>
      program.act(() => {
        const result = work(part);
        if (result.type === 'refused') program.say(result.reason, { error: true });
      }),
    () =>
      program.act(() =>
        program.say('Links could not be loaded. Check the connection and try again.', { error: true }),
      ),
  );
  return { type: 'done' };
}
