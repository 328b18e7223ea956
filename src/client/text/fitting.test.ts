// Text made storable loses nothing but what cannot be stored.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkRegister } from '#wire/registers.ts';
import { fitNotes, fitTitle } from './fitting.ts';

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

describe('fitting', () => {
  test('[KEY-21] whatever is typed can be stored, and well-formed text comes through whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assert.equal(checkRegister('task', 'title', fitTitle(text).text), null);
        assert.equal(checkRegister('task', 'notes', fitNotes(text).text), null);
        const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '\uFFFD');
        assert.equal(fitNotes(text).text, clean);
      }),
      { seed: 3 },
    );
  });

  test('[KEY-21] lone surrogates and NUL become the replacement character', () => {
    assert.equal(fitNotes('a\u0000b\uD800c\uDC00').text, 'a\uFFFDb\uFFFDc\uFFFD');
    assert.equal(fitTitle('two\r\nlines').text, 'two lines');
  });

  test('[KEY-21] long notes are cut between characters and by bytes', () => {
    const text = '😀'.repeat(70_000);
    const { text: head, rest } = fitNotes(text);
    assert.equal(head + rest, text);
    assert.equal(head.length, (256 * 1024) / 2);
    assert.equal(checkRegister('task', 'notes', head), null);
  });
});
