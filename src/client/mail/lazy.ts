// Lazy part of list e-mail addresses: only this file is loaded with the commands. The rest is dialog.ts.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** The dialog of a list's e-mail address. Loaded when idle or first needed. */
export const lazyMail = lazyPart('The email address', () => import('./dialog.ts'));

/** Null: the list can have an address. Else why not, and what to do. */
export function mailProblem({ platform, engine }: Program, list: Row | undefined): string | null {
  if (list === undefined) return 'Open a list first.';
  const listType = fieldOf(list, 'listType');
  if (listType === 'folder') return 'Folders don’t have an email address. Open one of its lists.';
  if (listType === 'smart') return 'Smart lists don’t have an email address. Open one of your own lists.';
  if (platform.account.email === null) return 'Sign in first. Email arrives at the server.';
  if (engine.facts().detached !== null) return 'Cloud sync is off. Enable it first.';
  const state = engine.state.get();
  const isOffline = state.type === 'onDevice' && !state.online && state.asking !== true;
  return isOffline ? 'Can’t reach the server. Try again when you’re online.' : null;
}

export function showListMail(program: Program, list: Row): CommandResult {
  return program.inputQueue.enter(lazyMail, ({ ListMailDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new ListMailDialog(program, list));
    return done;
  });
}
