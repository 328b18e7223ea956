// Merging itself, below what an edit means for a row (test/model/notes.test.ts): bytes in, text out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
