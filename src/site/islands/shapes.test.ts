// What the pages accept in an answer or a link, and what they reject.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { avatarColors, decodeInvitation, readListInvitation, readPromoCode } from './shapes.ts';

const invitation = {
  list_name: 'Größe',
  inviting_user_avatar_initials: 'ÅB',
  inviting_user_avatar_color_hex_string: '#0090a8',
};
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

describe('answers', () => {
  test('of a promo code need a name and two numbers', () => {
    const promo = { name: 'The Lighthouse', discount_percentage: 25, discount_num_months: 12 };
    assert.deepEqual(readPromoCode({ ...promo, more: true }), promo);
    for (const wrong of [
      null,
      7,
      'x',
      [],
      {},
      { ...promo, name: 7 },
      { ...promo, discount_percentage: '25' },
    ])
      assert.equal(readPromoCode(wrong), null);
    assert.equal(readPromoCode({ ...promo, discount_num_months: Number.NaN }), null);
    assert.equal(readPromoCode(Object.create(promo)), null, 'what is inherited does not count');
  });

  test('of an invitation need three texts', () => {
    assert.deepEqual(readListInvitation(invitation), invitation);
    for (const name of Object.keys(invitation)) {
      assert.equal(readListInvitation({ ...invitation, [name]: null }), null);
      assert.equal(readListInvitation({ ...invitation, [name]: undefined }), null);
    }
  });
});

describe('payloads in a link', () => {
  const utf8 = new TextEncoder().encode(JSON.stringify(invitation));

  test('are UTF-8 in the second version, with either alphabet of base64', () => {
    assert.deepEqual(decodeInvitation(base64(utf8), '2'), invitation);
    const safe = base64(utf8).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    assert.deepEqual(decodeInvitation(safe, '2'), invitation);
  });

  test('are one byte for each letter before it', () => {
    const latin = Uint8Array.from(JSON.stringify(invitation), (letter) => letter.charCodeAt(0));
    for (const version of [null, '', '1', 'x'])
      assert.deepEqual(decodeInvitation(base64(latin), version), invitation);
    assert.equal(decodeInvitation(base64(latin), '2'), null, 'Latin letters are no UTF-8');
  });

  test('are nothing when they are something else', () => {
    for (const wrong of ['', '%', 'e30', btoa('null'), btoa('"x"'), 'x'.repeat(100_000)])
      assert.equal(decodeInvitation(wrong, '2'), null);
  });
});

describe('avatars', () => {
  test('have a colour if it is one, and letters that can be read on it', () => {
    assert.deepEqual(avatarColors('#ffffff'), { background: '#ffffff', text: '#000000' });
    assert.deepEqual(avatarColors('0000AA'), { background: '#0000AA', text: '#ffffff' });
    for (const wrong of ['', 'red', 'url(x)', '#12345', '#1234567', '#12345g'])
      assert.equal(avatarColors(wrong).background, '#505763');
  });
});
