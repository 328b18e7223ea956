// The words of events: HTML in descriptions, and the addresses that can be opened.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CalendarEvent } from './events.ts';
import { linksOf, plainDescription } from './event-words.ts';

const at = { type: 'moment', at: 0 } as const;
const event = (said: Partial<CalendarEvent>): CalendarEvent => ({
  uid: 'a',
  occurrence: null,
  start: at,
  end: at,
  title: '',
  place: '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
  ...said,
});

describe('the words of events', () => {
  const cases: readonly (readonly [written: string, plain: string])[] = [
    ['Plain, with 1 < 2 & more', 'Plain, with 1 < 2 & more'],
    ['<p>Hello <b>all</b><br>see below</p><p>Bye</p>', 'Hello all\nsee below\nBye'],
    ['<ul><li>One</li><li>Two</li></ul>', '• One\n• Two'],
    ['Join <a href="https://zoom.us/j/1?a=1&amp;b=2">here</a>', 'Join here\nhttps://zoom.us/j/1?a=1&b=2'],
    ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['write a <div> and stop', 'write a <div> and stop'],
    ['<div>One</div><div><br></div><div><br></div><div>Two</div>', 'One\n\nTwo'],
  ];
  for (const [written, plain] of cases)
    test(`[CAL-114] ${JSON.stringify(written)} is read as text`, () => {
      assert.equal(plainDescription(written), plain);
    });

  test('[CAL-114] addresses in link, place and description can be opened, each once, a call first', () => {
    const links = linksOf(
      event({
        link: 'https://calendar.example/e/1',
        place: 'Room 2 (https://us02web.zoom.us/j/12).',
        description:
          'Notes: https://docs.example/a, https://calendar.example/e/1; http://zoom.us/ and ftp://x.example/ javascript:1',
      }),
    );
    assert.deepEqual(
      links.map(({ address, isCall }) => [address, isCall]),
      [
        ['https://us02web.zoom.us/j/12', true],
        ['https://calendar.example/e/1', false],
        ['https://docs.example/a', false],
        ['http://zoom.us/', false],
      ],
    );
    assert.deepEqual(linksOf(event({ description: 'https://[broken and https://evilzoom.us/j/1' })), [
      { address: 'https://evilzoom.us/j/1', isCall: false },
    ]);
    assert.equal(
      linksOf(
        event({
          description:
            'https://a.example/x '.repeat(3) +
            Array.from({ length: 20 }, (_, n) => `https://a.example/${n}`).join(' '),
        }),
      ).length,
      6,
    );
  });
});
