// Merging itself, below what an edit means for a row (test/model/notes.test.ts): bytes in, text out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as Y from 'yjs';
import { carryText, noteMerge } from './note-merge.ts';
import { splicesOf } from '../rows/text-diff.ts';
import { seedOf } from './note.ts';
import { NoteSession } from './note-session.ts';
import { withSplices } from '../rows/text-change.ts';

const base = (text: string) => ({ state: null, text });
let clients = 10_000;
const sessionOf = (text: string) => {
  const session = new NoteSession(() => (clients += 1));
  session.load(text, undefined);
  return session;
};

describe('what merges notes', () => {
  test('[SYNC-16] makes the same of two edits in either order, half characters and line ends kept whole', () => {
    const text = '😀 שלום\nline';
    const one = sessionOf(text).change('😁 שלום\nline one', true);
    const two = sessionOf(text).change('😀 שלום two\nline', true);
    assert.equal(one.seed, two.seed);
    const merge = (first: string, second: string) => {
      const merged = noteMerge.merge(base(text), first);
      assert.ok(merged.type === 'ok');
      return noteMerge.merge(merged, second);
    };
    const [there, back] = [merge(one.update, two.update), merge(two.update, one.update)];
    assert.ok(there.type === 'ok' && back.type === 'ok');
    assert.equal(there.text, '😁 שלום two\nline one');
    assert.equal(back.text, there.text);
  });

  test('[SHARE-375] two lines that were written at the same place apart stay two lines, in either order and through what follows', () => {
    for (const text of ['', 'Base\n', 'Top\n\nEnd', '\nEnd'])
      for (const flip of [false, true]) {
        const at = text === 'Top\n\nEnd' ? 4 : text === '\nEnd' ? 0 : text.length;
        const put = (line: string) => text.slice(0, at) + line + text.slice(at);
        const [ann, ben, cyn] = [sessionOf(text), sessionOf(text), sessionOf(text)];
        const edits = [
          ann.change(put('Ann line one'), true),
          ben.change(put('Ben offline line'), true),
          cyn.change(put('Cyn too\nand more'), true),
          // They go on in their lines, and none has seen those of the others.
          ann.change(put('Ann line one!'), false),
          ben.change(put('Ben offline line?'), false),
        ];
        if (flip) edits.reverse();
        let now: ReturnType<typeof base> | { state: string; text: string } = base(text);
        for (const { update } of edits) {
          const before: string = now.text;
          const merged = noteMerge.merge(now, update);
          assert.ok(merged.type === 'ok');
          assert.equal(withSplices(before, merged.changes), merged.text);
          now = merged;
        }
        const [top, end] = [text.slice(0, at), text.slice(at)];
        const lines = now.text.slice(top.length, now.text.length - end.length).split('\n');
        assert.ok(now.text.startsWith(top) && now.text.endsWith(end), JSON.stringify(now.text));
        assert.deepEqual(
          lines.toSorted(),
          ['Ann line one!', 'Ben offline line?', 'Cyn too', 'and more'],
          JSON.stringify(now.text),
        );
        assert.equal(lines.indexOf('and more'), lines.indexOf('Cyn too') + 1);
        // Somebody who comes later goes on from there.
        const later = new NoteSession(() => (clients += 1));
        later.load(now.text, { seed: seedOf(text), state: now.state ?? '' });
        assert.equal(later.text, now.text);
        const more = noteMerge.merge(
          now,
          later.change(now.text.replace('one!', 'one, at last!'), true).update,
        );
        assert.equal(more.type === 'ok' && more.text, now.text.replace('one!', 'one, at last!'));
        // Sent once more, nothing changes.
        for (const { update } of edits) {
          const again = noteMerge.merge(now, update);
          assert.deepEqual([again.type, again.type === 'ok' && again.text], ['ok', now.text]);
        }
      }
  });

  test('[SHARE-375] lines of any number of people, in any order of arrival, are whole, and each is there once', () => {
    const start = fc.constantFrom('', 'Base\n', '\n');
    const author = fc.record({
      client: fc.integer({ min: 1_024, max: 2 ** 32 - 1 }),
      pieces: fc.integer({ min: 1, max: 4 }),
    });
    const authors = fc.uniqueArray(author, { minLength: 2, maxLength: 5, selector: ({ client }) => client });
    fc.assert(
      fc.property(
        start,
        authors,
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
        (text, people, order) => {
          const at = text === 'Base\n' ? text.length : 0;
          const edits = people.flatMap(({ client, pieces }, index) => {
            const session = new NoteSession(() => client);
            session.load(text, undefined);
            return Array.from({ length: pieces }, (_, done) => {
              const line = `line ${index} ${'x'.repeat(done)}`.trim();
              return {
                index,
                update: session.change(text.slice(0, at) + line + text.slice(at), done === 0).update,
              };
            });
          });
          // Each author's own come one after the other, as they are sent.
          const turns = edits.map(({ index }, place) => ({ index, turn: order[place % 40] ?? 0 }));
          const arriving = turns
            .toSorted((a, b) => a.turn - b.turn)
            .map(({ index }, place, all) => {
              const before = all.slice(0, place).filter((each) => each.index === index).length;
              return edits.filter((each) => each.index === index)[before];
            });
          let now: { state: string | null; text: string } = base(text);
          for (const edit of arriving) {
            const merged = noteMerge.merge(now, edit?.update ?? '');
            assert.ok(merged.type === 'ok');
            now = merged;
          }
          const lines = now.text.split('\n').filter((line) => line.startsWith('line'));
          const wanted = people.map(({ pieces }, index) => `line ${index} ${'x'.repeat(pieces - 1)}`.trim());
          assert.deepEqual(lines.toSorted(), wanted.toSorted(), JSON.stringify(now.text));
          assert.equal(
            now.text.replaceAll(/line \d(?: x+)?/g, '').replaceAll('\n', ''),
            text.replaceAll('\n', ''),
          );
        },
      ),
      { numRuns: 1_500, seed: 17 },
    );
  });

  test('[SHARE-375] what goes on with a line gets no break, also where somebody else goes on with it', () => {
    const merged = (text: string, ...edits: readonly string[]) => {
      let now: { state: string | null; text: string } = base(text);
      for (const to of edits) {
        const next = noteMerge.merge(now, sessionOf(text).change(to, true).update);
        assert.ok(next.type === 'ok');
        now = next;
      }
      return now.text;
    };
    assert.equal(merged('Buy', 'Buy milk', 'Buy oats').includes('\n'), false);
    assert.equal(merged('a', 'a\none', 'a\ntwo').split('\n').length, 3);
    assert.equal(merged('', 'one\n', 'two\n').split('\n').length, 3);
    // One author after the other has seen what was there.
    const session = sessionOf('');
    const first = noteMerge.merge(base(''), session.change('one', true).update);
    assert.ok(first.type === 'ok');
    const other = new NoteSession(() => (clients += 1));
    other.load('one', { seed: seedOf(''), state: first.state });
    const next = noteMerge.merge(first, other.change('one more', true).update);
    assert.equal(next.type === 'ok' && next.text, 'one more');
  });

  test('[SHARE-375] lines that are carried over to a text written anew stay lines as well', () => {
    const carried = noteMerge.carry(base('Theirs'), '', [{ at: 0, remove: 0, insert: 'Mine' }]);
    assert.ok(carried.type === 'ok');
    assert.deepEqual(carried.text.split('\n').toSorted(), ['Mine', 'Theirs']);
    assert.equal(withSplices('Theirs', carried.changes), carried.text);
    assert.equal(carryText('', 'Mine', 'Theirs').split('\n').length, 2);
  });

  test('says what an edit changed, and what it lacks', () => {
    const session = sessionOf('abc');
    const first = session.change('abXc', true);
    const second = session.change('abXYc', true);
    const merged = noteMerge.merge(base('abc'), first.update);
    assert.ok(merged.type === 'ok');
    assert.deepEqual(merged.changes, [{ at: 2, remove: 0, insert: 'X' }]);
    assert.equal(noteMerge.merge(base('abc'), second.update).type, 'missing');
    assert.equal(noteMerge.merge({ state: 'AAAA', text: '' }, first.update).type, 'damaged');
  });

  test('an edit that waits holds all before it', () => {
    const session = sessionOf('a');
    session.change('ab', true);
    const edit = session.change('abc', false);
    const merged = noteMerge.merge(base('a'), edit.update);
    assert.equal(merged.type === 'ok' && merged.text, 'abc');
  });

  test('[SYNC-26] refuses what is no text, and makes no room for what an update claims', () => {
    const doc = new Y.Doc();
    doc.getText('note').insertEmbed(0, { image: 'x' });
    const embed = Y.encodeStateAsUpdate(doc).toBase64();
    const claims = [
      [1, 0xff, 0xff, 0xff, 0x0f, 5, 0],
      [0xff, 0xff, 0xff, 0xff, 0x0f, 0],
    ];
    const updates = [embed, ...claims.map((bytes) => Uint8Array.from(bytes).toBase64())];
    const before = process.memoryUsage().rss;
    for (const update of updates) assert.equal(noteMerge.merge(base(''), update).type, 'invalid');
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });

  test('carries a change over to a text that was written anew', () => {
    assert.equal(carryText('a\nb\nc', 'a\nb\nc!', 'A\nb\nc'), 'A\nb\nc!');
    const carried = noteMerge.carry(base('new text'), 'old text', [{ at: 8, remove: 0, insert: '!' }]);
    assert.equal(carried.type === 'ok' && carried.text, 'new text!');
  });

  test('[SYNC-16] an edit of one carried text is not made to another that began with the same words', () => {
    const carry = (insert: string) => {
      const carried = noteMerge.carry(base('abc'), 'ac', [{ at: 1, remove: 0, insert }]);
      assert.ok(carried.type === 'ok');
      return carried;
    };
    const [one, other] = [carry('first'), carry('second')];
    const session = new NoteSession(() => (clients += 1));
    session.load(one.text, { seed: seedOf('abc'), state: one.state });
    const edit = session.change('abc!', true);
    assert.equal(noteMerge.merge(one, edit.update).type, 'ok');
    assert.equal(noteMerge.merge(other, edit.update).type, 'missing');
  });

  test('[SYNC-16] who goes on in a text that is plain again sends nothing of what was taken out before', () => {
    const typed = noteMerge.merge(base('abc'), sessionOf('abc').change('abcX', true).update);
    assert.ok(typed.type === 'ok');
    const session = new NoteSession(() => (clients += 1));
    session.load(typed.text, { seed: seedOf('abc'), state: typed.state });
    session.change('abc', true);
    session.load('abc', undefined);
    const merged = noteMerge.merge(base('abc'), session.change('abc!', false).update);
    assert.equal(merged.type === 'ok' && merged.text, 'abc!');
  });

  test('finds where texts differ piece by piece, also in long ones', () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index} of a long note`);
    const changed = lines.map((line, index) => (index % 1_000 === 500 ? `${line}, changed` : line));
    const [from, to] = [lines.join('\n'), changed.join('\n')];
    const splices = splicesOf(from, to);
    assert.equal(withSplices(from, splices), to);
    assert.equal(splices.length, 4);
    for (const [one, other] of [
      ['', 'x'],
      ['x', ''],
      ['aXb', 'cXd'],
      ['😀a😁', '😁b😀'],
      ['one two', 'two one'],
    ] as const)
      assert.equal(withSplices(one, splicesOf(one, other)), other);
  });
});
