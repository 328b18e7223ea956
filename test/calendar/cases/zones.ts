// Times in zones, by all names that programs give them, and over changes of clocks.
import { all, atNine, type Case, calendar, NINE, one, SAME_HOUR } from './words.ts';
import { event } from '../reading.ts';

const BERLIN_IN_FILE = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE`;
/** By names of zones. */
export const zoneCases: readonly Case[] = [
  one('a moment of UTC', [`DTSTART:${NINE}Z`, 'DURATION:PT1H'], ['2026-11-02 10:00-11:00 x']),
  one('a zone of IANA', atNine('Europe/Berlin'), SAME_HOUR),
  one('another zone of IANA', atNine('America/New_York'), ['2026-11-02 15:00-16:00 x']),
  one('an old name of a zone', atNine('Asia/Calcutta'), ['2026-11-02 04:30-05:30 x']),
  one('a name in quotes', [`DTSTART;TZID="Europe/Berlin":${NINE}`, 'DURATION:PT1H'], SAME_HOUR),
  one('a zone of Windows', atNine('W. Europe Standard Time'), SAME_HOUR),
  one('a zone of Windows for the east of America', atNine('Eastern Standard Time'), [
    '2026-11-02 15:00-16:00 x',
  ]),
  one('a zone of Windows in small letters', atNine('romance standard time'), SAME_HOUR),
  one('a zone of Windows whose name says GMT', atNine('GMT Standard Time'), ['2026-11-02 10:00-11:00 x']),
  one('a zone of Windows with half an hour', atNine('India Standard Time'), ['2026-11-02 04:30-05:30 x']),
  one(
    'a name for people with its offset',
    [`DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin":${NINE}`, 'DURATION:PT1H'],
    SAME_HOUR,
  ),
  one('an offset alone', atNine('"UTC+02:00"'), ['2026-11-02 08:00-09:00 x']),
  one(
    'a path of Evolution before the name',
    atNine('/freeassociation.sourceforge.net/Europe/Berlin'),
    SAME_HOUR,
  ),
  one('a path of Mozilla before the name', atNine('/mozilla.org/20050126_1/America/Indiana/Indianapolis'), [
    '2026-11-02 15:00-16:00 x',
  ]),
  one(
    'Exchange’s name of UTC',
    [`DTSTART;TZID="tzone://Microsoft/Utc":${NINE}`, 'DURATION:PT1H'],
    ['2026-11-02 10:00-11:00 x'],
  ),
  one('a zone that nobody knows is the clock on the wall', atNine('Customized Time Zone'), [
    '2026-11-02 09:00~-10:00~ x',
  ]),
  one('an empty name', [`DTSTART;TZID=:${NINE}`, 'DURATION:PT1H'], ['2026-11-02 09:00~-10:00~ x']),
  one('no zone at all floats', [`DTSTART:${NINE}`, 'DURATION:PT1H'], ['2026-11-02 09:00~-10:00~ x']),
  one(
    'Z and a zone: Z counts',
    [`DTSTART;TZID=America/New_York:${NINE}Z`, 'DURATION:PT1H'],
    ['2026-11-02 10:00-11:00 x'],
  ),
  all(
    'a zone that the file describes',
    `${BERLIN_IN_FILE}\n${event('UID:1', 'SUMMARY:x', `DTSTART;TZID=Office:${NINE}`, 'DURATION:PT1H')}`,
    SAME_HOUR,
  ),
  all(
    'a described zone in summer',
    `${BERLIN_IN_FILE}\n${event('UID:1', 'SUMMARY:x', 'DTSTART;TZID=Office:20260702T090000', 'DURATION:PT1H')}`,
    ['2026-07-02 09:00-10:00 x'],
    { from: '2026-07-01', to: '2026-08-01' },
  ),
  all(
    'a described zone over the change of clocks',
    `${BERLIN_IN_FILE}\n${event('UID:1', 'SUMMARY:x', 'DTSTART;TZID=Office:20261024T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3')}`,
    ['2026-10-24 09:00-10:00 x', '2026-10-25 09:00-10:00 x', '2026-10-26 09:00-10:00 x'],
    { from: '2026-10-01' },
  ),
  all(
    'a described zone after its use',
    `${event('UID:1', 'SUMMARY:x', `DTSTART;TZID=Office:${NINE}`, 'DURATION:PT1H')}\n${BERLIN_IN_FILE}`,
    SAME_HOUR,
  ),
  all(
    'a description with wrong rules of a known name: the known rules count',
    `${BERLIN_IN_FILE.replace('TZID:Office', 'TZID:America/New_York')}\n${event('UID:1', 'SUMMARY:x', ...atNine('America/New_York'))}`,
    ['2026-11-02 15:00-16:00 x'],
  ),
  all(
    'a description that names its place',
    `${BERLIN_IN_FILE.replace('TZID:Office', 'TZID:Home\nX-LIC-LOCATION:America/New_York')}\n${event('UID:1', 'SUMMARY:x', ...atNine('Home'))}`,
    ['2026-11-02 15:00-16:00 x'],
  ),
  all(
    'the zone of the whole calendar',
    calendar(
      'X-WR-TIMEZONE:America/New_York',
      event('UID:1', 'SUMMARY:x', `DTSTART:${NINE}`, 'DURATION:PT1H'),
    ),
    ['2026-11-02 15:00-16:00 x'],
  ),
  all(
    'the zone of the whole calendar doesn’t move days',
    calendar('X-WR-TIMEZONE:Pacific/Auckland', event('UID:1', 'SUMMARY:x', 'DTSTART;VALUE=DATE:20261102')),
    ['2026-11-02 x'],
  ),
  all(
    'a wrong zone of the whole calendar',
    calendar('X-WR-TIMEZONE:Nowhere/Land', event('UID:1', 'SUMMARY:x', `DTSTART:${NINE}`, 'DURATION:PT1H')),
    ['2026-11-02 09:00~-10:00~ x'],
  ),
  one(
    'start and end in two zones',
    ['DTSTART;TZID=Europe/Berlin:20261102T100000', 'DTEND;TZID=America/New_York:20261102T130000'],
    ['2026-11-02 10:00-19:00 x'],
  ),
  one(
    'an end in UTC',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DTEND:20261102T090000Z'],
    ['2026-11-02 09:00-10:00 x'],
  ),
];

const october = { from: '2026-10-20', to: '2026-11-05' };
const march = { from: '2026-03-20', to: '2026-04-05' };

/** Over changes of clocks. */
export const clockCases: readonly Case[] = [
  one(
    'weekly over the end of summer time',
    ['DTSTART;TZID=Europe/Berlin:20261019T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'],
    ['2026-10-26 09:00-10:00 x', '2026-11-02 09:00-10:00 x'],
    october,
  ),
  one(
    'weekly in UTC over the end of summer time',
    ['DTSTART:20261019T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'],
    ['2026-10-26 08:00-09:00 x', '2026-11-02 08:00-09:00 x'],
    october,
  ),
  one(
    'over the hour that is there twice',
    ['DTSTART;TZID=Europe/Berlin:20261025T013000', 'DTEND;TZID=Europe/Berlin:20261025T033000'],
    ['2026-10-25 01:30-03:30 x'],
    october,
  ),
  one(
    'within the hour that is there twice',
    ['DTSTART;TZID=Europe/Berlin:20261025T021500', 'DTEND;TZID=Europe/Berlin:20261025T024500'],
    ['2026-10-25 02:15-02:45 x'],
    october,
  ),
  one(
    'the second of the hour that is there twice, in UTC',
    ['DTSTART:20261025T013000Z', 'DTEND:20261025T014500Z'],
    ['2026-10-25 02:30-02:45 x'],
    october,
  ),
  one(
    'a night over the end of summer time',
    ['DTSTART;TZID=Europe/Berlin:20261024T220000', 'DTEND;TZID=Europe/Berlin:20261025T060000'],
    ['2026-10-24 22:00-2026-10-25 06:00 x'],
    october,
  ),
  one(
    'an hour that isn’t there',
    ['DTSTART;TZID=Europe/Berlin:20260329T023000', 'DURATION:PT1H'],
    ['2026-03-29 03:30-03:30 x'],
    march,
  ),
  one(
    'over the hour that isn’t there',
    ['DTSTART;TZID=Europe/Berlin:20260329T013000', 'DTEND;TZID=Europe/Berlin:20260329T033000'],
    ['2026-03-29 01:30-03:30 x'],
    march,
  ),
  one(
    'a day on which clocks change is one day',
    ['DTSTART;VALUE=DATE:20260329', 'DTEND;VALUE=DATE:20260330'],
    ['2026-03-29 x'],
    march,
  ),
  one(
    'clocks of New York change a week later',
    ['DTSTART;TZID=America/New_York:20261026T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2'],
    ['2026-10-26 14:00-15:00 x', '2026-11-02 15:00-16:00 x'],
    october,
  ),
  one(
    'clocks of Sydney change the other way',
    ['DTSTART;TZID=Australia/Sydney:20261002T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4'],
    [
      '2026-10-02 01:00-02:00 x',
      '2026-10-03 01:00-02:00 x',
      '2026-10-04 00:00-01:00 x',
      '2026-10-05 00:00-01:00 x',
    ],
    { from: '2026-10-01', to: '2026-10-10' },
  ),
  one(
    'half an hour of Lord Howe',
    ['DTSTART;TZID=Australia/Lord_Howe:20261003T120000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'],
    ['2026-10-03 03:30-04:30 x', '2026-10-04 03:00-04:00 x'],
    { from: '2026-10-01', to: '2026-10-10' },
  ),
  one(
    'a zone without summer time',
    ['DTSTART;TZID=Asia/Kolkata:20261024T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'],
    ['2026-10-24 05:30-06:30 x', '2026-10-25 04:30-05:30 x'],
    october,
  ),
  one(
    'seen from New York',
    ['DTSTART;TZID=Europe/Berlin:20261026T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2'],
    ['2026-10-26 04:00-05:00 x', '2026-11-02 03:00-04:00 x'],
    { ...october, zone: 'America/New_York' },
  ),
  one(
    'every hour of a day with 25 of them, each name once',
    ['DTSTART;TZID=Europe/Berlin:20261025T000000', 'DURATION:PT30M', 'RRULE:FREQ=HOURLY;COUNT=5'],
    [
      '2026-10-25 00:00-00:30 x',
      '2026-10-25 01:00-01:30 x',
      '2026-10-25 02:00-02:30 x',
      '2026-10-25 03:00-03:30 x',
      '2026-10-25 04:00-04:30 x',
    ],
    october,
  ),
];
