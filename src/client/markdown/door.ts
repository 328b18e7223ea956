// The door to what Markdown says: only this is part of the first load. The grammar and who uses it are brought when the app is
// idle, so that the first key finds them there.
import type { CommandResult } from '../commands/command.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';

export const markdown = door('Links', () => import('./links.ts'));

/** Does something with it: now where it is here, else as soon as it is. */
export function withMarkdown(
  program: Program,
  work: (part: Awaited<ReturnType<typeof markdown.load>>) => CommandResult,
): CommandResult {
  return program.held.enter(markdown, work);
}
