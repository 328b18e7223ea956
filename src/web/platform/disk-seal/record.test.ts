// The form of encrypted records, by an independent writing of it: what this app stores every later one opens.
import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { asRow } from '#sync/rows/row.ts';
import { decodePage, encodePage } from '../storage/row-page.ts';
import { pageBytes, readPageBytes } from './page-bytes.ts';
import { isSealed, openBytes, sealBytes } from './record.ts';

const RAW = new Uint8Array(32).map((_, index) => index);
const TAG_BYTES = 16;
const PLACE = 'posthaste-x/outbox/{"q":1}';

const keyOf = (raw: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);

describe('encrypted records', () => {
  test('[SEAL-330] are 01, a nonce of twelve bytes and what AES-256-GCM makes of the content at its place', async () => {
    const key = await keyOf(RAW);
    const content = new TextEncoder().encode('{"q":1,"title":"Žluť"}');
    const sealed = await sealBytes(key, PLACE, content);
    assert.equal(sealed[0], 1);
    const decipher = createDecipheriv('aes-256-gcm', RAW, sealed.subarray(1, 13));
    decipher.setAAD(Buffer.from(PLACE)).setAuthTag(sealed.subarray(-TAG_BYTES));
    const open = Buffer.concat([decipher.update(sealed.subarray(13, -TAG_BYTES)), decipher.final()]);
    assert.deepEqual(new Uint8Array(open), content);

    const nonce = new Uint8Array(12).fill(7);
    const cipher = createCipheriv('aes-256-gcm', RAW, nonce).setAAD(Buffer.from(PLACE));
    const theirs = Buffer.concat([cipher.update(content), cipher.final()]);
    const whole = new Uint8Array(Buffer.concat([Uint8Array.of(1), nonce, theirs, cipher.getAuthTag()]));
    assert.deepEqual(await openBytes(key, PLACE, whole), content);
    assert.ok(isSealed({ q: 1, sealed: whole }));
  });

  test('[SEAL-336] open with no other key, at no other place, in no other form, and not with a bit changed', async () => {
    const key = await keyOf(RAW);
    const sealed = await sealBytes(key, PLACE, new TextEncoder().encode('canary'));
    assert.equal(await openBytes(await keyOf(RAW.toReversed()), PLACE, sealed), null);
    assert.equal(await openBytes(key, PLACE.replace('1', '2'), sealed), null);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(await openBytes(key, PLACE, changed), null, `byte ${at}`);
      assert.equal(await openBytes(key, PLACE, sealed.subarray(0, at)), null, `cut at ${at}`);
    }
  });

  test('[SEAL-339] a page of rows is the same after it was bytes', () => {
    const rows = ['one', '日本語', '\uD800', '\uFEFF', 'a\u2028b'].map((title, at) =>
      asRow({
        id: `01900000-0000-7000-8000-00000000000${at}` as Id,
        type: 'task',
        scope: '01900000-0000-7000-8000-000000000009' as Id,
        version: 2 ** 52 + at,
        fields: { title, notes: `${title} note` },
        stamp: [at, 1, 2, 3],
        createdAt: 0.5,
        updatedAt: -1,
        ...(at > 2 && { hops: at }),
      }),
    );
    const page = readPageBytes(pageBytes(encodePage(rows, [rows[0]?.id as Id])));
    assert.deepEqual(page && decodePage(page), rows);
    assert.deepEqual(page?.gone, [rows[0]?.id]);
  });
});
