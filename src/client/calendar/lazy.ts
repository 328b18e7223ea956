// Lazy part of calendars: only this file is loaded with the commands.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { type LazyPart, lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { OpenedEvent } from './dialogs.ts';

/** The agenda and the dialog of calendars. Loaded when idle or first needed. */
export const lazyCalendars = lazyPart('Calendars', () => import('./dialogs.ts'));

/** The dialogs of one's own plan in other calendars, and of Google's. */
export const lazyOthers = lazyPart('Other calendars', () => import('./others.ts'));

/** Opens what a lazy part has, as soon as it is there. */
function open<M>(program: Program, part: LazyPart<M>, make: (module: M) => OpenDialog): CommandResult {
  return program.inputQueue.enter(part, (module) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(make(module));
    return done;
  });
}

/** Opens the agenda at today, or with one event. */
export const openAgenda = (program: Program, opened: OpenedEvent | null = null): CommandResult =>
  open(program, lazyCalendars, ({ AgendaDialog }) => new AgendaDialog(program, opened));

/** Signing in at a CalDAV server. */
export const openCalendarServer = (program: Program): CommandResult =>
  open(program, lazyCalendars, ({ CalendarServerDialog }) => new CalendarServerDialog(program));

/** The dialog of calendars. */
export const openCalendars = (program: Program): CommandResult =>
  open(program, lazyCalendars, ({ CalendarsDialog }) => new CalendarsDialog(program));

/** Opens one of the others. */
export const openOther =
  (name: 'FeedDialog' | 'GoogleDialog') =>
  (program: Program): CommandResult =>
    open(program, lazyOthers, (module) => new module[name](program));
