// What is recognised in a line, held to the table of docs/rules/dates.md, and lines that try to confuse it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deriveId } from '#core/ids.ts';
import { finishTask, TokenLine, type TokenMode } from '#client/entry/token-line.ts';
import { completions, namesIn, newLabelsIn, unknownName } from '#core/titles/names.ts';
import { readTokens } from '#core/titles/tokens.ts';
import { readTitle } from './title-fixture.ts';
import { saidAt, tableRows, written, zones } from './said-at.ts';

const named = (...all: readonly string[]) => all.map((name) => ({ id: deriveId(name), name }));
const names = {
  labels: named('Errands', 'High priority', 'High'),
  lists: named('Inbox', 'Home', 'Home improvement'),
};
const read = (text: string, zone = 'UTC') => readTokens(text, saidAt(zone), { names: () => names });

function line(mode: TokenMode, text = '', original = ''): TokenLine {
  const made = new TokenLine(mode, (typed) => read(typed), original);
  made.type(text, text.length);
  return made;
}

describe('lines of quick entry', () => {
  for (const zone of zones) {
    test(`[ENTRY-1] [DATE-4] [DATE-5] every line of the table in ${zone}`, () => {
      const rows = tableRows(/^### Lines of quick entry/);
      assert.ok(rows.length >= 25, `${rows.length} lines`);
      for (const [text, expected, title] of rows) {
        const made = new TokenLine('auto', (typed) => read(typed, zone));
        made.type(text, text.length);
        const found = made.pending.map((token) => `${token.kind}: ${token.text}`);
        assert.equal(found.length === 0 ? '–' : found.join(' · '), expected, text);
        assert.equal(made.finish().title, title, text);
      }
    });
  }

  test('[ENTRY-3] Backspace right behind the words keeps them, once and for all', () => {
    const made = line('auto', 'Call tomorrow');
    assert.deepEqual(made.back(13), { restored: null });
    assert.deepEqual(made.pending, []);
    made.type('Call tomorrow please', 20);
    assert.deepEqual(made.pending, []);
    made.type('Call tomorrow please on friday', 30);
    assert.deepEqual(
      made.pending.map(({ text }) => text),
      ['on friday'],
    );
    assert.equal(made.back(5), null);
    assert.equal(made.finish().title, 'Call tomorrow please');
  });

  test('[ENTRY-3] Backspace goes on deleting once it has given words back, until letters come', () => {
    const made = line('auto', 'Call Ben tomorrow at 4pm');
    assert.deepEqual(made.back(24), { restored: null });
    for (const text of ['Call Ben tomorrow at 4p', 'Call Ben tomorrow at 4', 'Call Ben tomorrow at ']) {
      assert.equal(made.back(text.length + 1), null);
      made.type(text, text.length);
    }
    made.type('Call Ben tomorrow at 5pm', 24);
    assert.equal(made.finish().title, 'Call Ben');
    assert.deepEqual(line('auto', 'Call Ben tomorrow at 5pm').back(24), { restored: null });
  });

  test('[ENTRY-4] accepting takes the words out, Backspace right after puts them back as words', () => {
    const made = line('suggest', 'Call Ann tomorrow for 45m');
    assert.equal(made.accept()?.text, 'tomorrow for 45m');
    assert.equal(made.text, 'Call Ann ');
    assert.equal(made.back(9)?.restored?.text, 'tomorrow for 45m');
    assert.equal(made.text, 'Call Ann tomorrow for 45m');
    assert.deepEqual(made.finish(), { title: 'Call Ann tomorrow for 45m', tokens: [] });
    // Typed on: nothing is put back any more.
    const other = line('suggest', 'Call tomorrow');
    other.accept();
    other.type('Call Ann', 8);
    assert.equal(other.back(8), null);
    assert.deepEqual(
      other.finish().tokens.map(({ text }) => text),
      ['tomorrow'],
    );
  });

  test('[ENTRY-4] nothing is suggested while a short word may grow', () => {
    assert.equal(line('suggest', 'Count mon').pending.length, 0);
    assert.equal(line('suggest', 'Count mon ').pending.length, 1);
    assert.equal(line('suggest', 'Count on monday').pending.length, 1);
    assert.equal(line('auto', 'Count mon').pending.length, 1);
    assert.equal(line('off', 'Count on monday').pending.length, 0);
  });

  test('[ENTRY-5] what was there before is left alone', () => {
    const made = line('auto', 'Call tomorrow today', 'Call tomorrow');
    assert.deepEqual(
      made.pending.map(({ text }) => text),
      ['today'],
    );
  });

  test('a later date replaces the accepted one, labels add up', () => {
    const made = line('suggest', 'Call tomorrow #errands');
    made.accept();
    made.accept();
    made.type('Call on friday #high', 20);
    made.accept();
    made.accept();
    assert.deepEqual(
      made.accepted.map(({ text }) => text),
      ['#errands', 'on friday', '#high'],
    );
  });

  test('[ENTRY-7] names are completed, several words too', () => {
    const offered = (text: string) => completions(text, text.length, () => names).map(({ name }) => name);
    assert.deepEqual(offered('Buy #h'), ['High priority', 'High']);
    assert.deepEqual(offered('Buy #high p'), ['High priority']);
    assert.deepEqual(offered('Paint @'), ['Inbox', 'Home', 'Home improvement']);
    assert.deepEqual(offered('Paint @home'), ['Home improvement']);
    assert.deepEqual(offered('Buy milk'), []);
    assert.deepEqual(offered('C#'), []);
  });

  test('[ENTRY-17] a name that only the other kind has is one of that kind', () => {
    const read = (text: string) =>
      line('auto', text)
        .finish()
        .tokens.map((token) => `${token.kind}: ${token.text}`);
    const offered = (text: string) =>
      completions(text, text.length, () => names).map(
        ({ kind, name, isNew }) => `${isNew ? 'new ' : ''}${kind} ${name}`,
      );
    assert.deepEqual(read('Buy paint @errands #home'), ['label: @errands', 'list: #home']);
    assert.deepEqual(read('Buy paint #errands @home'), ['label: #errands', 'list: @home']);
    assert.deepEqual(offered('Buy #hom'), ['list Home', 'list Home improvement', 'new label hom']);
    assert.deepEqual(offered('Buy @high p'), ['label High priority']);
    assert.deepEqual(offered('Buy @errands'), []);
    assert.equal(
      unknownName('Buy #home', () => names),
      null,
    );
    // What both have is what its sign says.
    const both = { labels: names.lists, lists: names.lists };
    assert.equal(namesIn('Paint #home', both)[0]?.kind, 'label');
    assert.equal(namesIn('Paint @home', both)[0]?.kind, 'list');
  });

  test('[ENTRY-11] days in a row are none of them, and a deadline of something keeps its name', () => {
    const titleOf = (text: string) => {
      const made = line('auto', text);
      return made.finish();
    };
    for (const text of ['Gym tue thu', 'Mow the lawn sat or sun', 'Clean up next mon and tue 5pm'])
      assert.deepEqual(titleOf(text), { title: text, tokens: [] });
    for (const [text, title] of [
      ['Project deadline 2027-01-15', 'Project deadline'],
      ['Deadline friday: send report', 'send report'],
      ['Write report, deadline friday', 'Write report'],
    ] as const) {
      const made = titleOf(text);
      assert.equal(made.title, title);
      assert.deepEqual(
        made.tokens.map(({ kind }) => kind),
        ['due'],
      );
    }
  });

  test('[ENTRY-11] a title is read as it is said: halves of days, closings, days of every month, days it begins with', () => {
    const context = saidAt(
      'America/New_York',
      { order: 'mdy', hour12: true, weekStart: 7, prefersAfternoon: true },
      '2026-11-26T09:00',
    );
    const read = (text: string) =>
      readTokens(text, context, { names: () => ({ labels: [], lists: [] }) }).map((token) => {
        if (token.kind === 'duration') return `${token.text}: ${token.minutes} min`;
        if (token.kind === 'repeat') return `${token.text}: ${written(token.reading.first)}`;
        return 'reading' in token ? `${token.text}: ${written(token.reading.when)}` : token.text;
      });
    const expected: readonly (readonly [string, ...string[]])[] = [
      ['Return package by tomorrow EOD', 'by tomorrow EOD: Fri 2026-11-27'],
      ['Send deck friday eod', 'friday eod: Fri 2026-11-27'],
      ['Taxi at 5:30 tomorrow morning', 'at 5:30 tomorrow morning: Fri 2026-11-27 05:30'],
      ['Wake up at 4 tomorrow morning', 'at 4 tomorrow morning: Fri 2026-11-27 04:00'],
      ['Movie at 9 tomorrow night', 'at 9 tomorrow night: Fri 2026-11-27 21:00'],
      ['Sunday brunch with Kim at 11', 'at 11: Sun 2026-11-29 11:00'],
      ['Wednesday standup 9am', '9am: Wed 2026-12-02 09:00'],
      ['On Tuesday meet Ana at 3', 'at 3: Tue 2026-12-01 15:00'],
      ['Monday: send slides 10am', '10am: Mon 2026-11-30 10:00'],
      ['Dinner at 8 with Jo', 'at 8: Thu 2026-11-26 20:00'],
      ['Family dinner friday at 7:30', 'friday at 7:30: Fri 2026-11-27 19:30'],
      ['Concert tickets on sale tomorrow at 10', 'tomorrow at 10: Fri 2026-11-27 10:00'],
      ['Breakfast at 8 tomorrow', 'at 8 tomorrow: Fri 2026-11-27 08:00'],
      ['Yoga weekdays 7am', 'weekdays 7am: Fri 2026-11-27 07:00'],
      ['Backup every Sunday at midnight', 'every Sunday at midnight: Sun 2026-11-29 00:00'],
      ['Rent due on the 1st of every month', 'on the 1st of every month: Tue 2026-12-01'],
      ['Review on the last Friday of every month', 'on the last Friday of every month: Fri 2026-11-27'],
      ['Flight BA 117 jan 20 7am', 'jan 20 7am: Wed 2027-01-20 07:00'],
      ['Train 1230 jan 5', 'jan 5: Tue 2027-01-05'],
      ['Mow lawn sat 1h', 'sat: Sat 2026-11-28', '1h: 60 min'],
      ['Standup mon-fri 9am'],
      ['Watch 60 minutes'],
      ['Watch The Day After Tomorrow'],
      ['Read Saturday by Ian McEwan'],
    ];
    for (const [text, ...tokens] of expected) assert.deepEqual(read(text), tokens, text);
  });

  test('[ENTRY-11] once a week is every week', () => {
    for (const [text, said, title] of [
      ['Clean the filter once a week', 'once a week', 'Clean the filter'],
      ['Change sheets once every two weeks', 'once every two weeks', 'Change sheets'],
      ['Backup once a day at 10pm', 'once a day at 10pm', 'Backup'],
      ['Once a month, call the bank', 'Once a month', 'call the bank'],
    ] as const) {
      const made = line('auto', text);
      assert.deepEqual(
        made.pending.map((token) => `${token.kind}: ${token.text}`),
        [`repeat: ${said}`],
        text,
      );
      assert.equal(made.finish().title, title);
    }
    for (const text of ['Once a week is enough', 'Read Once a Warrior', 'Get a once-a-week cleaner'])
      assert.deepEqual(line('auto', text).pending, [], text);
  });

  test('[ENTRY-11] hours of a night, days by their letters, halves of a day, hours behind days', () => {
    const saidOf = (text: string) => {
      const { title, readings } = readTitle(text);
      return [title, ...readings].join(' · ');
    };
    for (const [text, expected] of [
      ['Deploy tonight at 10', 'Deploy · due 2026-11-20 22:00'],
      ['Deploy at 11 tonight', 'Deploy · due 2026-11-20 23:00'],
      ['Call at 11 at night', 'Call · due 2026-11-20 23:00'],
      ['Movie tonight at 12', 'Movie · due 2026-11-21 00:00'],
      ['Gym tomorrow 6', 'Gym · due 2026-11-21 18:00'],
      ['Yoga m/w/f 6:30am', 'Yoga m/w/f 6:30am'],
      ['Gym Tu/Th 7pm', 'Gym Tu/Th 7pm'],
      [
        'Turkey out of the freezer Tuesday before Christmas',
        'Turkey out of the freezer Tuesday before Christmas',
      ],
      ['Shop the week before Christmas', 'Shop the week before Christmas'],
      ['Meeting moved to 3pm thursday', 'Meeting moved to 3pm thursday'],
      ['Take the car in 8am tues 1/12', 'Take the car in · due 2026-12-01 08:00'],
      ['Call Rita at 7:15 tonight', 'Call Rita · due 2026-11-20 19:15'],
      ['Coffee at 2:30 this afternoon', 'Coffee · due 2026-11-20 14:30'],
      ['Jog at 6:30 this evening', 'Jog · due 2026-11-20 18:30'],
      ['Roast chicken at 425', 'Roast chicken at 425'],
      ['Bake at 350 for 30 minutes', 'Bake at 350 · length 30'],
      ['Meeting at 930', 'Meeting · due 2026-11-21 09:30'],
      ['Call grandma Sundays at 4', 'Call grandma · repeat every Sunday; due 2026-11-22 16:00'],
      ['Yoga Mondays and Wednesdays 7pm', 'Yoga · repeat every Monday and Wednesday; due 2026-11-23 19:00'],
      ['Mom birthday Dec 22nd every year', 'Mom birthday · repeat every year; due 2026-12-22'],
      ['Soccer tue 4:30-6', 'Soccer · due 2026-11-24 16:30 · length 90'],
      ['Standup mon 9:30-10', 'Standup · due 2026-11-23 09:30 · length 30'],
      ['Taco Tuesdays', 'Taco Tuesdays'],
      [
        'Gym mon wed fri 7am for 1h',
        'Gym · repeat every Monday, Wednesday and Friday; due 2026-11-23 07:00 · length 60',
      ],
      ['Run mon/wed 6:30am', 'Run · repeat every Monday and Wednesday; due 2026-11-23 06:30'],
      ['Swim sat & sun 10am', 'Swim · repeat every Saturday and Sunday; due 2026-11-21 10:00'],
      ['Tuesdays with Morrie', 'Tuesdays with Morrie'],
      ['Water plants tomorrow and Sunday', 'Water plants tomorrow and Sunday'],
      ['Drinks friday 6', 'Drinks · due 2026-11-27 18:00'],
      // The 4th of December is a Friday.
      ['Drinks friday 4', 'Drinks friday 4'],
      ['Sept 2027 trip planning', 'Sept 2027 trip planning'],
      ['tmrw am dentist call', 'dentist call · due 2026-11-21 09:00'],
      ['Deploy friday pm', 'Deploy · due 2026-11-27 15:00'],
      ['Learn what I am friday', 'Learn what I am friday'],
      ['GP appointment Thurs 3rd December 10.40', 'GP appointment · due 2026-12-03 10:40'],
      ['Trip 3 dec 2.50 dollars', 'Trip 3 dec 2.50 dollars'],
      ['Wed 2/12 parents evening 18:10', 'Wed 2/12 parents evening · due 2026-12-02 18:10'],
      [
        'Pay the electric bill 15th every month',
        'Pay the electric bill · repeat every month on the 15th; due 2026-12-15',
      ],
      [
        'Committee 2nd Wednesday every month 19:00',
        'Committee · repeat every second Wednesday of the month; due 2026-12-09 19:00',
      ],
    ] as const)
      assert.equal(saidOf(text), expected, text);
  });

  test('[ENTRY-11] a time beside a repeat is on the first day of the series that is ahead', () => {
    const due = (text: string) => {
      const token = read(text).find(({ kind }) => kind === 'due');
      return token?.kind === 'due' ? written(token.reading.when) : null;
    };
    // It is Friday, half past two.
    assert.equal(due('Standup 9:30 weekdays'), 'Mon 2026-11-23 09:30');
    assert.equal(due('Standup 16:30 weekdays'), 'Fri 2026-11-20 16:30');
  });

  test('[ENTRY-16] a repeat with an end repeats, and the words of the end stay', () => {
    for (const [text, said, end, title] of [
      ['Yoga every sat until october', 'every sat', 'until october', 'Yoga until october'],
      [
        'Physio every Tue & Thu 5:30pm for 6 weeks',
        'every Tue & Thu 5:30pm',
        'for 6 weeks',
        'Physio for 6 weeks',
      ],
      [
        'Feed the starter daily at 8pm until Dec 20',
        'daily at 8pm',
        'until Dec 20',
        'Feed the starter until Dec 20',
      ],
    ] as const) {
      const made = line('auto', text);
      const [found, ...more] = made.pending;
      assert.ok(found?.kind === 'repeat' && more.length === 0, text);
      assert.deepEqual([found.text, found.endWords], [said, end]);
      assert.equal(made.finish().title, title);
    }
    const none = ['Take pills every day at 7am and 6pm', 'Taxes every Jan 15, Apr 15 and Sep 15'];
    for (const text of none) assert.deepEqual(line('auto', text).pending, [], text);
  });

  test('[ENTRY-11] papers are due on a day, where other things have two numbers', () => {
    assert.equal(line('auto', 'Return form 27/11').finish().title, 'Return form');
    assert.equal(line('auto', 'Pay invoice 30/11').finish().title, 'Pay invoice');
    for (const text of ['Book room 3/4', 'Learn part 2/3', 'Pay invoice 3', 'Send form 3.12'])
      assert.equal(line('auto', text).finish().title, text);
  });

  test('[ENTRY-11] a short weekday counts before what a day is arranged around', () => {
    const dates = (text: string) => {
      const { title, tokens } = line('auto', text).finish();
      return [title, ...tokens.map((token) => token.text)];
    };
    assert.deepEqual(dates('Gym mon after work'), ['Gym after work', 'mon']);
    assert.deepEqual(dates('Call the dentist Wed before lunch'), ['Call the dentist before lunch', 'Wed']);
    assert.deepEqual(dates('Ask about the sun before noon'), ['Ask about the sun before noon']);
    assert.deepEqual(dates('Sit in the sun after work'), ['Sit in the sun after work']);
  });

  test('[ENTRY-11] fractions and the names of what is watched are no dates, a whole date behind an invoice is one', () => {
    for (const text of [
      'Read 1/2 of the book',
      'Get 10/10 on quiz',
      'Do 2/3 of the worksheets',
      'Watch Wednesday on Netflix',
      'Celebrate the 15th',
      'Plan Anna’s 15th',
      'Pay the 3rd',
    ])
      assert.deepEqual(line('auto', text).finish(), { title: text, tokens: [] });
    const [movie] = line('auto', 'Movie night friday 8').finish().tokens;
    assert.ok(movie?.kind === 'due' && movie.reading.when !== null && 'at' in movie.reading.when);
    assert.equal(new Date(movie.reading.when.at).getUTCHours() % 12, 8);
    for (const [text, title, words] of [
      ['Pay invoice 2027-01-15', 'Pay invoice', '2027-01-15'],
      ['Watch the game saturday on the couch', 'Watch the game on the couch', 'saturday'],
      ['Return book 12/3', 'Return book', '12/3'],
      ['Dentist 12/3 on Main Street', 'Dentist on Main Street', '12/3'],
      ['Pay water bill 15th', 'Pay water bill', '15th'],
      ['Pick up cake 3rd', 'Pick up cake', '3rd'],
    ] as const) {
      const read = line('auto', text).finish();
      assert.deepEqual([read.title, ...read.tokens.map((token) => token.text)], [title, words]);
    }
  });

  test('[ENTRY-11] hours behind a day are a length, unless they can only be a time', () => {
    const kinds = (text: string) =>
      line('auto', text)
        .finish()
        .tokens.map(({ kind, text: words }) => `${kind}: ${words}`);
    assert.deepEqual(kinds('Report friday 2h'), ['due: friday', 'duration: 2h']);
    assert.deepEqual(kinds('Standup friday 14h'), ['due: friday 14h']);
    assert.deepEqual(kinds('Market friday at 5h'), ['due: friday at 5h']);
    assert.equal(line('auto', 'Book flights tomorrow !!').finish().title, 'Book flights !!');
  });

  test('[ENTRY-15] a word that no label or list has as its name is offered as a new one', () => {
    const offered = (text: string) =>
      completions(text, text.length, () => names).map(({ name, isNew }) => (isNew ? `new ${name}` : name));
    assert.deepEqual(offered('Buy #hi'), ['High priority', 'High', 'new hi']);
    assert.deepEqual(offered('Buy tape #garage'), []);
    assert.deepEqual(offered('Buy tape @Büro'), ['new Büro']);
    for (const text of [
      'Buy #high',
      'Paint @HOME',
      'Fix #12',
      'Fix #g',
      'Fix #a b',
      'Fix "#garage',
      'me@office',
    ])
      assert.deepEqual(
        offered(text).filter((name) => name.startsWith('new')),
        [],
        text,
      );
  });

  test('[ENTRY-18] a word behind a # makes a label, unless a name goes on from it', () => {
    assert.deepEqual(newLabelsIn('Buy #tape for the #Büro', names), ['tape', 'Büro']);
    for (const text of [
      'Buy #hi',
      'Buy #high now',
      'Buy #home',
      'Fix #12',
      'Fix #g',
      'C#sharp',
      'Say "#tape"',
      'x @tape',
    ])
      assert.deepEqual(newLabelsIn(text, names), [], text);
    assert.deepEqual(newLabelsIn('Buy #hi now', names), ['hi']);
  });

  test('[ENTRY-12] what held the words leaves with them', () => {
    const left: Readonly<Record<string, string>> = {
      'Buy stamps today!': 'Buy stamps!',
      'Send report, monday.': 'Send report.',
      'Send report – by monday!': 'Send report!',
      'Monday - send report': 'send report',
      'TOMORROW: CALL ANN': 'CALL ANN',
      'Nursery fees (due 1 dec)': 'Nursery fees',
      'Nursery fees (1 dec, 20 min) for Ann': 'Nursery fees for Ann',
      'Nursery fees (1 dec) (20 min)': 'Nursery fees',
      'Call Ann [tomorrow], then Ben': 'Call Ann, then Ben',
      'Call Ann, tomorrow, about the tap': 'Call Ann, about the tap',
      'Call  Ann   tomorrow   about  it': 'Call  Ann about  it',
      'Move the bins out today, it is early': 'Move the bins out, it is early',
      'Kettle mon 16:00 (90 min) @library': 'Kettle @library',
      'Tomorrow!': 'Tomorrow!',
      '— tomorrow —': '— tomorrow —',
      'Leave it -  as it is': 'Leave it -  as it is',
    };
    for (const [text, title] of Object.entries(left))
      assert.equal(finishTask(line('auto', text), '').title, title, text);
  });

  test('[DATE-17] an hour of the day that says no more is in the afternoon', () => {
    const due = (text: string) => {
      const [token] = read(text);
      return token?.kind === 'due' ? written(token.reading.when) : '–';
    };
    assert.equal(due('Fetch Sam at 3:15'), 'Fri 2026-11-20 15:15');
    assert.equal(due('Fetch Sam at 5'), 'Fri 2026-11-20 17:00');
    assert.equal(due('Fetch Sam at 9:15'), 'Sat 2026-11-21 09:15');
    assert.equal(due('Fetch Sam at 6:45'), 'Sat 2026-11-21 06:45');
    assert.equal(due('Fetch Sam at 6'), 'Fri 2026-11-20 18:00');
    assert.equal(due('Fetch Sam @next monday'), 'Mon 2026-11-23');
    assert.equal(due('Mock exams 7-11 dec'), 'Fri 2026-12-11');
    assert.equal(due('Opening hours: Tue 8-12, Thu 14-18'), '–');
    assert.equal(due('Fetch Sam at 03:15'), 'Sat 2026-11-21 03:15');
  });

  test('[ENTRY-8] whatever is typed is read, and what is taken out of the line is what stood there', () => {
    const words = [
      'every',
      'fri',
      '#errands',
      '@home',
      '"',
      'for',
      '45m',
      'on',
      '1',
      '#',
      '@',
      'tom',
      '“',
      '!',
      '9-10',
      '  ',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, (typed) => {
        let end = 0;
        for (const token of read(typed)) {
          assert.equal(typed.slice(token.start, token.end), token.text);
          assert.ok(token.start >= end, 'none lies over another');
          ({ end } = token);
        }
        const made = line('auto', typed);
        made.finish();
      }),
      { numRuns: 4_000, seed: 5 },
    );
  });

  test('[ENTRY-8] the work does not grow with the line', () => {
    for (const part of [
      'every day ',
      'every ',
      'for ',
      'fri ',
      '#x ',
      '1 2 ',
      '" ',
      'every 2 weeks on mon at ',
    ]) {
      const work = (count: number) => {
        const steps = { count: 0 };
        readTokens(part.repeat(count), saidAt('UTC'), { names: () => names, steps });
        return steps.count;
      };
      assert.ok(
        work(200) <= 2.6 * work(100) && work(5_000) <= 60_000,
        `${part}: ${work(100)}, ${work(5_000)}`,
      );
    }
    assert.deepEqual(read(`tomorrow ${'x'.repeat(2_000)}`), []);
    assert.deepEqual(
      read(`${'x '.repeat(1_000)}call tomorrow`).map(({ start, text }) => [start, text]),
      [[2_005, 'tomorrow']],
    );
    assert.deepEqual(read(`${'x '.repeat(1_000)}"${'y '.repeat(100)}call tomorrow"`), []);
  });
});
