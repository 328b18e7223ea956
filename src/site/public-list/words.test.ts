// What the page of a public list says about how things stand.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statusText } from './words.ts';

describe('what the page of a public list says', () => {
  const well = { waiting: 0, isCutOff: false, isConnected: true, reason: null };

  test('[PUBLIC-26] where changes are that wait, and whether it is up to date', () => {
    assert.equal(statusText(well), '');
    assert.equal(statusText({ ...well, waiting: 2 }), 'Saving…');
    assert.match(
      statusText({ ...well, isConnected: false }),
      /^No connection\. This page may be out of date/,
    );
    assert.match(
      statusText({ ...well, waiting: 2, isCutOff: true }),
      /^No connection\. 2 changes wait in this page only/,
    );
  });

  test('[PUBLIC-15] why the server does not answer now, where it says so', () => {
    const reason = 'That was very often.';
    assert.equal(
      statusText({ ...well, waiting: 1, reason }),
      'That was very often. One change waits in this page only: leave it open until they are saved.',
    );
    assert.match(
      statusText({ ...well, isConnected: false, reason }),
      /^That was very often\. This page tries again by itself/,
    );
  });
});
