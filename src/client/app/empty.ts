// The message of an outline without rows: a heading, one sentence, the main key, and other ways on. Here is what a new person sees;
// the words for other places come with the rest of the app (empty-words.ts).
import type { Program } from './program.ts';
import type { EmptyDrawing, EmptyView } from './view.ts';
import { teaching } from '../teaching/part.ts';
import { findingOf } from '../search/searching.ts';

/** The drawing, the message, and the commands offered with it, the likeliest first. */
export type Empty = readonly [
  drawing: EmptyDrawing,
  heading: string,
  text: string,
  command: string,
  ...others: string[],
];

const nothingHere: Empty = ['list', 'Nothing here', '', 'task.createBelow'];

/**
 * The view of an empty outline. Null while there are rows, or while they are loading or being searched for. `wordsOf`: null
 * until it is loaded.
 */
export function emptyOf(program: Program, wordsOf: ((program: Program) => Empty) | null): EmptyView | null {
  const { workspace, engine } = program;
  if (workspace.outline.length > 0 || engine.state.get().type === 'loading') return null;
  if (workspace.results && findingOf(program).isRunning) return null;
  if (isFirstScreen(program)) return firstScreen(program);
  const [drawing, heading, text, command, ...others] = wordsOf?.(program) ?? nothingHere;
  const action = (id: string) => ({ command: id, title: program.titleOf(id) });
  return { drawing, heading, text, ...action(command), others: others.map(action) };
}

/** A new person's Inbox. */
function isFirstScreen(program: Program): boolean {
  const { place, results, inbox } = program.workspace;
  return results === null && place.type === 'list' && place.id === inbox && program.part(teaching).isOffered;
}

/** One thing to do. Its titles are there before the commands are loaded, so that nothing moves. */
function firstScreen({ platform }: Program): EmptyView {
  const isSignedIn = platform.account.email !== null;
  return {
    drawing: 'list',
    heading: 'What do you have to do?',
    text: 'Type it with its day, like “Call Ann tomorrow 5pm.”',
    command: 'task.createBelow',
    title: 'Write your first task',
    others: isSignedIn
      ? []
      : [
          { command: 'account.signIn', title: 'Sign in' },
          { command: 'account.signUp', title: 'Create an account' },
        ],
  };
}
