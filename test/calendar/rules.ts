// The repeats of RFC 5545, section 3.8.5.3, with the times that it gives for them.

export interface RuleCase {
  readonly name: string;
  /** `19970902T090000`, in New York; of eight digits: a day. */
  readonly start: string;
  readonly rule: string;
  /** Days from and to which is looked, the last excluded. */
  readonly from: string;
  readonly to: string;
  /** Starts, as `1997-09-02` where the time is that of the start, else with their time. */
  readonly expected: readonly string[];
}

/** Days of a month, `1997-09`. */
export const days = (month: string, ...list: readonly number[]): string[] =>
  list.map((day) => `${month}-${String(day).padStart(2, '0')}`);
/** A case in one line. */
export const rule = (
  ...[name, start, text, [from, to], expected]: readonly [
    name: string,
    start: string,
    rule: string,
    window: readonly [from: string, to: string],
    expected: readonly string[],
  ]
): RuleCase => ({ name, start, rule: text, from, to, expected });
/** When most of them begin. */
export const SEPTEMBER = '19970902T090000';

/** The examples of the standard. */
export const standardRules: readonly RuleCase[] = [
  rule(
    'daily for ten times',
    SEPTEMBER,
    'FREQ=DAILY;COUNT=10',
    ['1997-09-01', '1997-12-01'],
    days('1997-09', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
  ),
  rule(
    'daily until Christmas Eve',
    SEPTEMBER,
    'FREQ=DAILY;UNTIL=19971224T000000Z',
    ['1997-12-20', '1998-01-10'],
    days('1997-12', 20, 21, 22, 23),
  ),
  rule(
    'every other day',
    SEPTEMBER,
    'FREQ=DAILY;INTERVAL=2',
    ['1997-10-20', '1997-11-02'],
    days('1997-10', 20, 22, 24, 26, 28, 30).concat('1997-11-01'),
  ),
  rule(
    'every ten days, five times',
    SEPTEMBER,
    'FREQ=DAILY;INTERVAL=10;COUNT=5',
    ['1997-09-01', '1998-01-01'],
    ['1997-09-02', '1997-09-12', '1997-09-22', '1997-10-02', '1997-10-12'],
  ),
  rule(
    'every day of January, by years',
    '19980101T090000',
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    ['2000-01-29', '2000-03-01'],
    days('2000-01', 29, 30, 31),
  ),
  rule(
    'every day of January, by days',
    '19980101T090000',
    'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    ['1999-01-30', '2000-01-03'],
    ['1999-01-30', '1999-01-31', '2000-01-01', '2000-01-02'],
  ),
  rule(
    'weekly for ten times',
    SEPTEMBER,
    'FREQ=WEEKLY;COUNT=10',
    ['1997-09-01', '1998-01-01'],
    [...days('1997-09', 2, 9, 16, 23, 30), ...days('1997-10', 7, 14, 21, 28), '1997-11-04'],
  ),
  rule(
    'weekly until Christmas Eve',
    SEPTEMBER,
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    ['1997-12-01', '1998-01-10'],
    days('1997-12', 2, 9, 16, 23),
  ),
  rule(
    'every other week, weeks begin on Sunday',
    SEPTEMBER,
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    ['1997-10-01', '1997-12-01'],
    ['1997-10-14', '1997-10-28', '1997-11-11', '1997-11-25'],
  ),
  rule(
    'weekly on Tuesday and Thursday for five weeks',
    SEPTEMBER,
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    ['1997-09-01', '1998-01-01'],
    [...days('1997-09', 2, 4, 9, 11, 16, 18, 23, 25, 30), '1997-10-02'],
  ),
  rule(
    'the same by a count',
    SEPTEMBER,
    'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    ['1997-09-01', '1998-01-01'],
    [...days('1997-09', 2, 4, 9, 11, 16, 18, 23, 25, 30), '1997-10-02'],
  ),
  rule(
    'every other week on three days',
    '19970901T090000',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    ['1997-09-01', '1997-10-04'],
    [...days('1997-09', 1, 3, 5, 15, 17, 19, 29), ...days('1997-10', 1, 3)],
  ),
  rule(
    'every other week on two days, eight times',
    SEPTEMBER,
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    ['1997-09-01', '1998-01-01'],
    [...days('1997-09', 2, 4, 16, 18, 30), '1997-10-02', '1997-10-14', '1997-10-16'],
  ),
  rule(
    'the first Friday of the month, ten times',
    '19970905T090000',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    ['1997-09-01', '1998-07-01'],
    [
      '1997-09-05',
      '1997-10-03',
      '1997-11-07',
      '1997-12-05',
      '1998-01-02',
      '1998-02-06',
      '1998-03-06',
      '1998-04-03',
      '1998-05-01',
      '1998-06-05',
    ],
  ),
  rule(
    'the first Friday until Christmas Eve',
    '19970905T090000',
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    ['1997-09-01', '1998-07-01'],
    ['1997-09-05', '1997-10-03', '1997-11-07', '1997-12-05'],
  ),
  rule(
    'first and last Sunday of every other month',
    '19970907T090000',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    ['1997-09-01', '1998-02-01'],
    ['1997-09-07', '1997-09-28', '1997-11-02', '1997-11-30', '1998-01-04', '1998-01-25'],
  ),
  rule(
    'the second-to-last Monday, six months',
    '19970922T090000',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    ['1997-09-01', '1998-07-01'],
    ['1997-09-22', '1997-10-20', '1997-11-17', '1997-12-22', '1998-01-19', '1998-02-16'],
  ),
  rule(
    'the third-to-last day of the month',
    '19970928T090000',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    ['1997-09-01', '1998-03-01'],
    ['1997-09-28', '1997-10-29', '1997-11-28', '1997-12-29', '1998-01-29', '1998-02-26'],
  ),
  rule(
    'the second and fifteenth',
    SEPTEMBER,
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    ['1997-12-01', '1998-07-01'],
    ['1997-12-02', '1997-12-15', '1998-01-02', '1998-01-15'],
  ),
  rule(
    'first and last day of the month',
    '19970930T090000',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    ['1997-09-01', '1998-02-10'],
    [
      '1997-09-30',
      '1997-10-01',
      '1997-10-31',
      '1997-11-01',
      '1997-11-30',
      '1997-12-01',
      '1997-12-31',
      '1998-01-01',
      '1998-01-31',
      '1998-02-01',
    ],
  ),
  rule(
    'the tenth to fifteenth every eighteen months',
    '19970910T090000',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    ['1997-09-01', '2000-01-01'],
    [...days('1997-09', 10, 11, 12, 13, 14, 15), ...days('1999-03', 10, 11, 12, 13)],
  ),
  rule(
    'Tuesdays of every other month',
    SEPTEMBER,
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    ['1997-11-01', '1998-02-01'],
    [...days('1997-11', 4, 11, 18, 25), ...days('1998-01', 6, 13, 20, 27)],
  ),
  rule(
    'June and July',
    '19970610T090000',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    ['1999-01-01', '2002-01-01'],
    ['1999-06-10', '1999-07-10', '2000-06-10', '2000-07-10', '2001-06-10', '2001-07-10'],
  ),
  rule(
    'every other year in three months',
    '19970310T090000',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    ['1997-01-01', '2002-01-01'],
    ['1997-03-10', '1999-01-10', '1999-02-10', '1999-03-10', '2001-01-10', '2001-02-10', '2001-03-10'],
  ),
  rule(
    'days of the year every third year',
    '19970101T090000',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    ['1997-01-01', '2004-01-01'],
    [
      '1997-01-01',
      '1997-04-10',
      '1997-07-19',
      '2000-01-01',
      '2000-04-09',
      '2000-07-18',
      '2003-01-01',
      '2003-04-10',
      '2003-07-19',
    ],
  ),
  rule(
    'the twentieth Monday of the year',
    '19970519T090000',
    'FREQ=YEARLY;BYDAY=20MO',
    ['1997-01-01', '2000-01-01'],
    ['1997-05-19', '1998-05-18', '1999-05-17'],
  ),
  rule(
    'Monday of week twenty',
    '19970512T090000',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    ['1997-01-01', '2000-01-01'],
    ['1997-05-12', '1998-05-11', '1999-05-17'],
  ),
  rule(
    'Thursdays in March',
    '19970313T090000',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    ['1997-01-01', '1998-04-01'],
    [...days('1997-03', 13, 20, 27), ...days('1998-03', 5, 12, 19, 26)],
  ),
  rule(
    'Thursdays in summer',
    '19970605T090000',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    ['1998-08-01', '1999-06-20'],
    [...days('1998-08', 6, 13, 20, 27), ...days('1999-06', 3, 10, 17)],
  ),
  rule(
    'Friday the thirteenth, and the first time',
    SEPTEMBER,
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    ['1997-09-01', '2000-12-01'],
    ['1997-09-02', '1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13'],
  ),
  rule(
    'the first Saturday after the first Sunday',
    '19970913T090000',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    ['1997-09-01', '1998-02-01'],
    ['1997-09-13', '1997-10-11', '1997-11-08', '1997-12-13', '1998-01-10'],
  ),
  rule(
    'election day every four years',
    '19961105T090000',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    ['1996-01-01', '2009-01-01'],
    ['1996-11-05', '2000-11-07', '2004-11-02', '2008-11-04'],
  ),
  rule(
    'the third of Tuesday, Wednesday, Thursday',
    '19970904T090000',
    'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    ['1997-09-01', '1998-01-01'],
    ['1997-09-04', '1997-10-07', '1997-11-06'],
  ),
  rule(
    'the second-to-last weekday of the month',
    '19970929T090000',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    ['1997-09-01', '1998-02-01'],
    ['1997-09-29', '1997-10-30', '1997-11-27', '1997-12-30', '1998-01-29'],
  ),
  rule(
    'every three hours on one day',
    SEPTEMBER,
    'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z',
    ['1997-09-01', '1997-09-05'],
    ['1997-09-02 09:00', '1997-09-02 12:00'],
  ),
  rule(
    'every quarter of an hour, six times',
    SEPTEMBER,
    'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
    ['1997-09-01', '1997-09-05'],
    [
      '1997-09-02 09:00',
      '1997-09-02 09:15',
      '1997-09-02 09:30',
      '1997-09-02 09:45',
      '1997-09-02 10:00',
      '1997-09-02 10:15',
    ],
  ),
  rule(
    'every hour and a half, four times',
    SEPTEMBER,
    'FREQ=MINUTELY;INTERVAL=90;COUNT=4',
    ['1997-09-01', '1997-09-05'],
    ['1997-09-02 09:00', '1997-09-02 10:30', '1997-09-02 12:00', '1997-09-02 13:30'],
  ),
  rule(
    'weeks that begin on Monday',
    '19970805T090000',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    ['1997-08-01', '1997-10-01'],
    days('1997-08', 5, 10, 19, 24),
  ),
  rule(
    'weeks that begin on Sunday',
    '19970805T090000',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    ['1997-08-01', '1997-10-01'],
    days('1997-08', 5, 17, 19, 31),
  ),
  rule(
    'the thirtieth is not in February',
    '20070115T090000',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    ['2007-01-01', '2007-06-01'],
    ['2007-01-15', '2007-01-30', '2007-02-15', '2007-03-15', '2007-03-30'],
  ),
];
