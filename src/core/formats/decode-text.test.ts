// Bytes as programs of all times write them, and bytes that are no text at all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeText } from './decode-text.ts';

const BOM = { le: Buffer.from([0xff, 0xfe]), be: Buffer.from([0xfe, 0xff]) };

function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  assert.ok(decoded.ok, JSON.stringify(decoded));
  return decoded.value.text;
}

const problemOf = (bytes: Uint8Array) => {
  const decoded = decodeText(bytes);
  return decoded.ok ? null : decoded.problem;
};

describe('bytes of files', () => {
  test('[FLOW-9] UTF-16 is read with and without its mark, either way round', () => {
    for (const text of [
      'title,notes\nÜben,später\n',
      'x',
      'заголовок,заметки\nкупить молоко,\n',
      '标题,备注\n准备,今天\n',
      'Ā ō 🎉\r\n',
    ]) {
      const le = Buffer.from(text, 'utf16le');
      const be = Buffer.from(le).swap16();
      for (const bytes of [le, be, Buffer.concat([BOM.le, le]), Buffer.concat([BOM.be, be])])
        assert.equal(textOf(bytes), text);
      assert.equal(textOf(Buffer.from(`\uFEFF${text}`)), text);
    }
    assert.equal(textOf(new Uint8Array()), '');
    assert.equal(textOf(Buffer.from('准备')), '准备');
    assert.equal(textOf(BOM.le), '');
  });

  test('[FLOW-9] Windows-1252 is noticed, and said', () => {
    const bytes = Buffer.from('Caf\xe9 \x96 \x93sp\xe4ter\x94: 5 \x80\n', 'latin1');
    const decoded = decodeText(bytes);
    assert.deepEqual(decoded, {
      ok: true,
      value: {
        text: 'Café – “später”: 5 €\n',
        note: 'It isn’t UTF-8, so we read it as Windows-1252. Check letters like é and ü.',
      },
    });
    // The bytes of the five places that stand for nothing.
    assert.equal(textOf(Buffer.from('A\xe4\x81', 'latin1')).slice(0, 2), 'Aä');
    assert.equal(decodeText(Buffer.from('Üben')).ok && decodeText(Buffer.from('plain')).ok, true);
  });

  test('[FLOW-9] a file that is cut off or damaged in one place keeps its other letters', () => {
    const whole = Buffer.from('später üben, früher schließen, größer');
    const cut = decodeText(whole.subarray(0, whole.indexOf(Buffer.from('ö')) + 1));
    assert.deepEqual(cut, {
      ok: true,
      value: {
        text: 'später üben, früher schließen, gr\uFFFD',
        note: 'One character couldn’t be read. The file is damaged there.',
      },
    });
  });

  test('[FLOW-9] XML is read as it says itself', () => {
    const declared = (name: string, text: string) =>
      Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${name}"?>`), Buffer.from(text, 'latin1')]);
    assert.match(textOf(declared('ISO-8859-1', '<a>\xfcben</a>')), /üben/);
    assert.match(textOf(declared('windows-1251', '<a>\xcc\xee\xf1\xea</a>')), /Моск/);
    assert.match(textOf(declared('no-such', '<a>\xfcben</a>')), /üben/);
  });

  test('[FLOW-9] what is no text is named, whatever it is called', () => {
    const zeros = Buffer.alloc(64);
    const named = (head: string) => Buffer.concat([Buffer.from(head, 'latin1'), zeros]);
    assert.equal(
      problemOf(named('PK\x03\x04')),
      'is a ZIP archive, not text. Unpack it and import the files inside.',
    );
    assert.equal(problemOf(named('SQLite format 3\0')), 'is an SQLite database, not text.');
    const bells = Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(4_000, 7)]);
    assert.equal(problemOf(bells), 'is an SQLite database, not text.');
    assert.equal(problemOf(named('\x89PNG\r\n\x1a\n')), 'is a PNG image, not text.');
    assert.equal(problemOf(named('\xff\xd8\xff\xe0')), 'is a JPEG image, not text.');
    assert.equal(problemOf(Buffer.from('%PDF-1.7\n%\xe2\xe3\n', 'latin1')), 'is a PDF document, not text.');
    assert.match(problemOf(gzipSync('Buy milk\n'.repeat(100))) ?? '', /^is a gzip archive/);
    assert.match(problemOf(Buffer.from('Buy\0milk')) ?? '', /^isn’t text/);
    assert.match(problemOf(Buffer.from('Buy milk', 'utf16le').fill(0, 0, 2)) ?? '', /^isn’t text/);
    assert.match(problemOf(Buffer.concat([BOM.le, Buffer.from([0, 0, 65, 0, 0, 0])])) ?? '', /^isn’t text/);
  });

  test('[FLOW-9] words that begin like another format are words', () => {
    for (const text of ['PK meeting\n', 'GIF89 or PNG?\n', 'BM\n', 'ID3 tags\n', 'BZh\n', 'so, ftyp WEBP\n'])
      assert.equal(textOf(Buffer.from(text)), text);
  });

  test('[FLOW-9] noise of any length is refused, never tasks', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      let state = seed;
      const bytes = Uint8Array.from({ length: 200 + seed * 10 }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      });
      assert.notEqual(problemOf(bytes), null, `seed ${seed}`);
    }
  });
});
