// Lazy part of calendars: only this file is loaded with the commands.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** The agenda and the dialog of calendars. Loaded when idle or first needed. */
export const lazyCalendars = lazyPart('Calendars', () => import('./dialogs.ts'));

export function openAgenda(program: Program): CommandResult {
  return program.inputQueue.enter(lazyCalendars, ({ AgendaDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new AgendaDialog(program));
    return done;
  });
}

export function openCalendars(program: Program): CommandResult {
  return program.inputQueue.enter(lazyCalendars, ({ CalendarsDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new CalendarsDialog(program));
    return done;
  });
}

/** The dialog of one's own plan in other calendars. */
export const lazyFeed = lazyPart('Plan in other calendars', () => import('./feed-dialog.ts'));

export function openFeed(program: Program): CommandResult {
  return program.inputQueue.enter(lazyFeed, ({ FeedDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new FeedDialog(program));
    return done;
  });
}
