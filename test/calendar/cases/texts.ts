// What is said in entries, and files that are broken.
import { all, atNine, type Case, calendar, one, SAME_HOUR } from './words.ts';
import { event } from '../reading.ts';

const nine = atNine('Europe/Berlin');
const titled = (title: string) => [`2026-11-02 09:00-10:00 ${title}`];
const named = (name: string, line: string, title: string): Case =>
  all(name, event('UID:1', line, ...nine), titled(title));
/** Titles and marks. */
export const textCases: readonly Case[] = [
  named('a comma and a semicolon', String.raw`SUMMARY:Tea\, cake\; and more`, 'Tea, cake; and more'),
  named('a backslash', String.raw`SUMMARY:C:\\temp`, String.raw`C:\temp`),
  named('a line end', String.raw`SUMMARY:One\nTwo`, 'One\nTwo'),
  named('a folded line', 'SUMMARY:Long ti\n tle', 'Long title'),
  named('a line folded by a tab', 'SUMMARY:Long ti\n\ttle', 'Long title'),
  named('a line folded within a letter of several', 'SUMMARY:Caf\n é', 'Café'),
  named('an emoji', 'SUMMARY:🎂 Birthday', '🎂 Birthday'),
  named('Hebrew', 'SUMMARY:פגישה', 'פגישה'),
  named('a language', 'SUMMARY;LANGUAGE=de:Besprechung', 'Besprechung'),
  named('a parameter in quotes with a colon', 'SUMMARY;ALTREP="http://a.example/x:y":Title', 'Title'),
  named('markup is text', 'SUMMARY:<b>Not bold</b>', '<b>Not bold</b>'),
  named('control characters are left out', 'SUMMARY:a\u0007b\u0000c', 'abc'),
  named('spaces around it', 'SUMMARY:   Title   ', 'Title'),
  named('no title, and busy', 'X-NOTHING:1', 'Busy'),
  named('an empty title', 'SUMMARY:', 'Busy'),
  all('no title, and free', event('UID:1', 'TRANSP:TRANSPARENT', ...nine), [
    '2026-11-02 09:00-10:00 Free (free)',
  ]),
  all(
    'a title of 10,000 letters',
    event('UID:1', `SUMMARY:${'a'.repeat(10_000)}`, ...nine),
    titled('a'.repeat(500)),
  ),
  all('a private one without a title', event('UID:1', 'CLASS:PRIVATE', ...nine), titled('Busy')),
  one('free time', [...nine, 'TRANSP:TRANSPARENT'], ['2026-11-02 09:00-10:00 x (free)']),
  one('taken time', [...nine, 'TRANSP:OPAQUE'], SAME_HOUR),
  one(
    'free by Outlook’s word',
    [...nine, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'],
    ['2026-11-02 09:00-10:00 x (free)'],
  ),
  one('not settled', [...nine, 'STATUS:TENTATIVE'], ['2026-11-02 09:00-10:00 x (tentative)']),
  one('settled', [...nine, 'STATUS:CONFIRMED'], SAME_HOUR),
  one('canceled', [...nine, 'STATUS:CANCELLED'], []),
  one(
    'with an alarm inside',
    [...nine, 'BEGIN:VALARM', 'TRIGGER:-PT15M', 'ACTION:DISPLAY', 'DESCRIPTION:x', 'END:VALARM'],
    SAME_HOUR,
  ),
  one(
    'with people invited',
    [...nine, 'ORGANIZER;CN=A:mailto:a@example.org', 'ATTENDEE;PARTSTAT=DECLINED:mailto:b@example.org'],
    SAME_HOUR,
  ),
  one(
    'with properties of others',
    [...nine, 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="A, B":geo:1,2'],
    SAME_HOUR,
  ),
  all('a task is none', 'BEGIN:VTODO\nUID:1\nSUMMARY:x\nDTSTART:20261102T090000Z\nEND:VTODO', []),
  all('a time that is busy is none', 'BEGIN:VFREEBUSY\nFREEBUSY:20261102T090000Z/PT1H\nEND:VFREEBUSY', []),
  all('a journal is none', 'BEGIN:VJOURNAL\nUID:1\nDTSTART:20261102T090000Z\nEND:VJOURNAL', []),
];

const good = event('UID:good', 'SUMMARY:good', ...nine);
const GOOD = '2026-11-02 09:00-10:00 good';
const beside = (name: string, broken: string, ...rest: readonly string[]): Case =>
  all(name, `${broken}\n${good}`, [GOOD, ...rest]);
/** Files that are broken. */
export const brokenCases: readonly Case[] = [
  all('an empty calendar', calendar(), []),
  all('two calendars in one file', `${calendar(good)}\n${calendar(event('UID:2', 'SUMMARY:y', ...nine))}`, [
    GOOD,
    '2026-11-02 09:00-10:00 y',
  ]),
  all('an empty line in between', calendar('', good, ''), [GOOD]),
  all(
    'names in small letters',
    good.replaceAll(/^[A-Z]+(?=[;:])/gm, (name) => name.toLowerCase()),
    [GOOD],
  ),
  beside('no start', event('UID:1', 'SUMMARY:x'), '1 unread'),
  beside('a start that is no time', event('UID:1', 'SUMMARY:x', 'DTSTART:tomorrow'), '1 unread'),
  beside(
    'a thirteenth month is the first of the next year',
    event('UID:1', 'SUMMARY:x', 'DTSTART:20261302T090000Z', 'DURATION:PT1H'),
  ),
  beside('the year 1601', event('UID:1', 'SUMMARY:x', 'DTSTART:16010101T000000Z'), '1 unread'),
  beside('the year 9999', event('UID:1', 'SUMMARY:x', 'DTSTART:99991231T000000Z'), '1 unread'),
  beside(
    'an interval of nothing is every one',
    event(
      'UID:1',
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:20261103T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;INTERVAL=0',
    ),
    '2026-11-03 09:00-10:00 x',
    '2026-11-10 09:00-10:00 x',
    '2026-11-17 09:00-10:00 x',
    '2026-11-24 09:00-10:00 x',
  ),
  beside(
    'a rule that means nothing: the first is there',
    event(
      'UID:1',
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:20261103T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=SOMETIMES',
    ),
    '2026-11-03 09:00-10:00 x',
    '1 unread',
  ),
  beside(
    'a rule every second for years',
    event(
      'UID:1',
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:20261103T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=SECONDLY',
    ),
    '2026-11-03 09:00-10:00 x',
    '1 unread',
  ),
  beside(
    'a line without a colon',
    event('UID:1', 'SUMMARY:x', 'this is no line', 'DTSTART:20261103T080000Z', 'DURATION:PT1H'),
    '1 unread',
  ),
  beside('an entry that isn’t ended', 'BEGIN:VEVENT\nUID:1\nSUMMARY:x\nDTSTART:20261103T080000Z', '1 unread'),
  all('a file whose end is missing', calendar(good).slice(0, -10), [GOOD]),
  all('a file that was cut off', calendar(good).slice(0, -40), ['1 unread']),
];
