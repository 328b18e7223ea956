// Lazy part of the dialog of public links: only this file is loaded with the commands.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { LinksStart } from './links-dialog.ts';

/** The dialog of public links. Loaded when idle or first needed. */
export const lazyPublicLinks = lazyPart('Public links', () => import('./links-dialog.ts'));

/** `start`: all links, a new one, or the only one copied. */
export function openPublicLinks(program: Program, list: Id, start: LinksStart): CommandResult {
  return program.inputQueue.enter(lazyPublicLinks, ({ LinksDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new LinksDialog(program, list, start));
    return done;
  });
}
