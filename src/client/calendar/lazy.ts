// Lazy part of calendars: only this file is loaded with the commands.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { OpenedEvent } from './dialogs.ts';

/** The agenda and the dialog of calendars. Loaded when idle or first needed. */
export const lazyCalendars = lazyPart('Calendars', () => import('./dialogs.ts'));

/** Opens the agenda at today. */
export function openAgenda(program: Program): CommandResult {
  return program.inputQueue.enter(lazyCalendars, ({ AgendaDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new AgendaDialog(program));
    return done;
  });
}

/** Opens the agenda with one event. */
export function openEvent(program: Program, opened: OpenedEvent): CommandResult {
  return program.inputQueue.enter(lazyCalendars, ({ AgendaDialog }) => {
    program.dialog.open(new AgendaDialog(program, opened));
    return done;
  });
}

/** Signing in at a CalDAV server. */
export function openCalendarServer(program: Program): CommandResult {
  return program.inputQueue.enter(lazyCalendars, ({ CalendarServerDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new CalendarServerDialog(program));
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

/** The dialogs of one's own plan in other calendars, and of Google's. */
export const lazyOthers = lazyPart('Other calendars', () => import('./others.ts'));

/** Opens one of them. */
export const openOther =
  (name: 'FeedDialog' | 'GoogleDialog') =>
  (program: Program): CommandResult =>
    program.inputQueue.enter(lazyOthers, (module) => {
      program.leaveText();
      program.editor.flush();
      program.dialog.open(new module[name](program));
      return done;
    });
