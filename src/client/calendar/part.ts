// Calendars of other programs: their commands and keys. The dialogs are lazy (lazy.ts).
import { definePart } from '../app/part.ts';
import { define } from '../commands/define.ts';
import { ofDialog } from '../commands/options.ts';
import type { DialogFrame } from '../dialogs/dialog-view.ts';
import type { Binding } from '../keys/keymap.ts';
import { openAgenda, openCalendars, openCalendarServer, openOther } from './lazy.ts';

const frames = {
  calendars: { name: 'Calendars', takesMouse: true },
  calendarServer: { name: 'Calendars of a server', takesMouse: true },
  agenda: { name: 'Agenda', isWide: true },
  calendarFeed: { name: 'Your plan in other calendars', takesMouse: true },
  google: { name: 'Google calendars', takesMouse: true },
} as const satisfies Readonly<Record<string, DialogFrame>>;

const KEYS: readonly (readonly [context: Binding['context'], keys: string, command: string])[] = [
  ['navigate', 'g e', 'calendar.agenda'],
  ['sidebar', 'g e', 'calendar.agenda'],
  ['dialog.agenda', 'j', 'options.down'],
  ['dialog.agenda', 'k', 'options.up'],
  ['dialog.agenda', 'h', 'agenda.earlier'],
  ['dialog.agenda', 'l', 'agenda.later'],
  ['dialog.agenda', 'Left', 'agenda.earlier'],
  ['dialog.agenda', 'Right', 'agenda.later'],
  ['dialog.agenda', 't', 'agenda.today'],
  ['dialog.calendars', 'n', 'calendars.add'],
  ['dialog.calendars', 'f', 'calendars.file'],
  ['dialog.calendars', 's', 'calendars.server'],
  ['dialog.calendars', 'p', 'calendars.password'],
  ['dialog.calendars', 'v', 'calendars.hide'],
  ['dialog.calendars', 'e', 'calendars.rename'],
  ['dialog.calendars', 'c', 'calendars.color'],
  ['dialog.calendars', 'a', 'calendars.agenda'],
  ['dialog.calendars', 'o', 'calendar.feed'],
  ['dialog.calendars', 'g', 'calendar.google'],
  ['dialog.calendars', 'r', 'calendars.again'],
  ['dialog.calendars', 'u', 'calendars.restore'],
  ['dialog.calendars', 'Delete', 'calendars.remove'],
  ['dialog.calendars', 'Backspace', 'calendars.remove'],
];

/** Calendars of other programs. */
export const calendar = definePart({
  name: 'Calendars',
  create: () => ({}),
  commands: [
    define({
      id: 'calendar.agenda',
      title: 'Agenda',
      aliases: ['calendar', 'events', 'appointments', 'meetings', 'week'],
      group: 'Go to',
      run: (program) => openAgenda(program),
    }),
    define({
      id: 'calendar.sources',
      title: 'Calendars…',
      aliases: ['subscribe to a calendar', 'add a calendar', 'ICS address', 'iCal', 'webcal', 'ICS file'],
      group: 'Application',
      run: openCalendars,
    }),
    define({
      id: 'calendar.feed',
      title: 'Your plan in other calendars…',
      aliases: ['publish time blocks', 'ICS feed'],
      group: 'Application',
      run: openOther('FeedDialog'),
    }),
    define({
      id: 'calendar.google',
      title: 'Google calendars…',
      aliases: ['connect Google', 'gcal'],
      group: 'Application',
      run: openOther('GoogleDialog'),
    }),
    define({
      id: 'calendar.server',
      title: 'Calendars of a server…',
      aliases: ['CalDAV', 'iCloud calendar', 'Nextcloud calendar', 'Fastmail calendar', 'app password'],
      group: 'Application',
      run: openCalendarServer,
    }),
    ofDialog('agenda.earlier', 'Agenda: a day earlier', { repeats: true }),
    ofDialog('agenda.later', 'Agenda: a day later', { repeats: true }),
    ofDialog('agenda.today', 'Agenda: today'),
    ofDialog('calendars.agenda', 'From calendars to the agenda'),
    ofDialog('calendars.add', 'Add a calendar'),
    ofDialog('calendars.file', 'Add a calendar from a file on this device'),
    ofDialog('calendars.server', 'Add calendars of a server'),
    ofDialog('calendars.password', 'New password for the calendar'),
    ofDialog('calendars.hide', 'Hide or show the calendar'),
    ofDialog('calendars.rename', 'Rename the calendar'),
    ofDialog('calendars.color', 'Next color of the calendar'),
    ofDialog('calendars.again', 'Try to read the calendar again'),
    ofDialog('calendars.restore', 'Bring back the calendar removed last'),
    ofDialog('calendars.remove', 'Remove the calendar'),
  ],
  keys: KEYS.map(([context, keys, command]) => ({ context, keys, command })),
  dialogs: frames,
});
