// The door to the e-mail address of a list: only this is loaded with the commands. What it leads to is dialog.ts.
import type { Row } from '#sync/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';

export const mailDoor = door('The e-mail address', () => import('./dialog.ts'));

/** Null: the server may be asked for the address of this list. Else why not, and what to do. */
export function mailProblem({ platform, engine }: Program, list: Row | undefined): string | null {
  if (list === undefined) return 'Open a list first.';
  const { listType } = list.fields;
  if (listType === 'folder') return 'A folder has no address: it holds lists. Open one of them.';
  if (listType === 'smart') return 'A smart list has no address: its tasks are in other lists.';
  if (platform.account.email === null) return 'Sign in first: mail comes in at the server.';
  if (engine.facts().detached !== null) return 'Cloud sync is off. Enable it first.';
  const state = engine.state.get();
  const isOffline = state.type === 'onDevice' && !state.online && state.asking !== true;
  return isOffline
    ? 'The server has the address and cannot be reached. Try again when you are online.'
    : null;
}

export function showListMail(program: Program, list: Row): CommandResult {
  return program.held.enter(mailDoor, ({ ListMailDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new ListMailDialog(program, list);
    program.openDialog.refresh();
    return done;
  });
}
