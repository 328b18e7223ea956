// How people are shown: initials, one emoji, a color and the text on it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  areInitials,
  avatarText,
  colorsApart,
  firstColor,
  initialsOf,
  inkOn,
  isOneEmoji,
  nameFromEmail,
  personColorName,
  personColors,
  readEmoji,
  readInitials,
} from './people.ts';

const part = (color: string, at: number) => {
  const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const brightness = (color: string) =>
  0.2126 * part(color, 1) + 0.7152 * part(color, 3) + 0.0722 * part(color, 5);
const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [brightness(one), brightness(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

describe('people', () => {
  test('[SHARE-110] initials come from the first and the last word, at most two characters', () => {
    const cases: readonly (readonly [name: string, initials: string])[] = [
      ['Ann', 'AN'],
      ['ann', 'AN'],
      ['Ann Example', 'AE'],
      ['Ann Maria Example', 'AE'],
      ['ann.example', 'AE'],
      ['A', 'A'],
      ['', ''],
      ['  ', ''],
      ['(Ben)', 'BE'],
      ['\u202eAnn', 'AN'],
      ['e\u0301lan vital', 'ÉV'],
      ['👩‍🚀', ''],
      ['王小明', '王小'],
    ];
    for (const [name, initials] of cases) assert.equal(initialsOf(name), initials, name);
  });

  test('[SHARE-110] initials that somebody gives have at most two characters as a reader counts them', () => {
    assert.equal(readInitials(' ab '), 'ab');
    assert.equal(readInitials('a b'), 'ab');
    assert.equal(readInitials('e\u0301e\u0301'), 'éé');
    assert.equal(readInitials('abc'), null);
    assert.equal(readInitials('\u202e\u0000'), '');
    assert.equal(readInitials(`a${'\u0301\u0302'.repeat(5)}`), null);
    assert.equal(initialsOf(`a${'\u0302\u0301'.repeat(9)}`), '');
    for (const [text, is] of [
      ['ab', true],
      ['', false],
      ['a b', false],
      ['abc', false],
    ] as const)
      assert.equal(areInitials(text), is, text);
  });

  test('[SHARE-110] an emoji is exactly one, however many code points it has', () => {
    for (const emoji of ['🌵', '👩‍🚀', '🇨🇭', '❤️', '👍🏽', '1️⃣']) assert.equal(readEmoji(` ${emoji} `), emoji);
    assert.deepEqual([isOneEmoji('🌵'), isOneEmoji(' 🌵'), isOneEmoji('a')], [true, false, false]);
    for (const text of ['', 'a', '🌵🌵', '🌵a', '1', '<b>']) assert.equal(readEmoji(text), null, text);
  });

  test('[SHARE-110] a first name and color come from the account', () => {
    assert.equal(nameFromEmail('ann.example+lists@example.com'), 'Ann Example');
    assert.equal(nameFromEmail('ben@example.com'), 'Ben');
    assert.equal(firstColor(13), firstColor(13));
    assert.ok(personColors.some((color) => color === firstColor(4_294_967_295)));
  });

  test('[SHARE-111] text on a person’s color has a contrast of 4.5:1 or more, whatever the color', () => {
    const some = Array.from({ length: 512 }, (_, n) => {
      const hex = (bits: number) =>
        Math.min(255, bits * 36)
          .toString(16)
          .padStart(2, '0');
      return `#${hex(n >> 6)}${hex((n >> 3) & 7)}${hex(n & 7)}`;
    });
    for (const color of [...some, ...personColors])
      assert.ok(contrast(inkOn(color), color) >= 4.5, `${inkOn(color)} on ${color}`);
    assert.equal(new Set(personColors).size, personColors.length);
  });

  test('[SHARE-342] two people in a list never have the same color until all sixteen are taken', () => {
    const [heather, plum, green] = personColors;
    assert.deepEqual(colorsApart([]), []);
    assert.deepEqual(colorsApart([heather, green]), [heather, green], 'who is apart already keeps it');
    assert.deepEqual(colorsApart([plum, heather, plum]), [plum, heather, green]);
    assert.deepEqual(colorsApart([plum, plum, heather]), [plum, green, heather]);
    assert.deepEqual(colorsApart(['#123456', '#123456']), ['#123456', heather]);
    for (const own of [personColors, personColors.map(() => heather), personColors.map(() => '#123456')])
      assert.equal(new Set(colorsApart(own)).size, 16);
    assert.deepEqual(colorsApart([...personColors, plum, plum]), [...personColors, plum, plum]);
  });

  test('[SHARE-342] every color stands out from the sheet, in light and dark, and has a name', () => {
    for (const color of personColors) {
      for (const sheet of ['#ffffff', '#131519'])
        assert.ok(contrast(color, sheet) >= 3, `${color} on ${sheet}: ${contrast(color, sheet)}`);
      assert.notEqual(personColorName(color), color);
    }
  });

  test('[SHARE-110] an avatar shows the emoji, else the initials, else a question mark', () => {
    assert.equal(avatarText({ emoji: '🌵', initials: 'AN' }), '🌵');
    assert.equal(avatarText({ emoji: null, initials: 'AN' }), 'AN');
    assert.equal(avatarText({ emoji: null, initials: '' }), '?');
  });
});
