// What a file is told to be, and the names it may have.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pictureType, safeFileName } from './file-types.ts';

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('file types', () => {
  test('[FILE-4] are told from the first bytes alone', () => {
    assert.equal(pictureType(bytesOf('\x89PNG\r\n\x1a\nrest')), 'image/png');
    assert.equal(pictureType(bytesOf('\xff\xd8\xff\xe0')), 'image/jpeg');
    assert.equal(pictureType(bytesOf('GIF89a..')), 'image/gif');
    assert.equal(pictureType(bytesOf('RIFF\x10\0\0\0WEBPVP8 ')), 'image/webp');
    assert.equal(pictureType(bytesOf('\0\0\0\x20ftypavif')), 'image/avif');
    for (const other of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<!DOCTYPE html>',
      '%PDF-1.7',
      'RIFF\x10\0\0\0WAVE',
      '\0\0\0\x20ftypmp42',
      'GIF87',
    ])
      assert.equal(pictureType(bytesOf(other)), null);
  });

  test('[FILE-5] names lead nowhere and hide nothing', () => {
    assert.equal(safeFileName('../../etc/passwd'), 'passwd');
    assert.equal(safeFileName('C:\\Users\\x\\plan.pdf'), 'plan.pdf');
    assert.equal(safeFileName('invoice\u202egnp.exe'), 'invoicegnp.exe');
    assert.equal(safeFileName('a\r\nContent-Type: x.txt'), 'aContent-Type_ x.txt');
    assert.equal(safeFileName('...'), 'file');
    assert.equal(safeFileName(`${'ü'.repeat(300)}.pdf`).endsWith('.pdf'), true);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const safe = safeFileName(name);
        assert.ok(safe.length > 0 && new TextEncoder().encode(safe).length <= 255);
        assert.doesNotMatch(safe, /[/\\\u0000-\u001f\u202e]/);
        assert.ok(!safe.startsWith('.'));
      }),
      { numRuns: 2_000, seed: 4 },
    );
  });
});
