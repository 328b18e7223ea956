// Which hosts may have the password of another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfSite } from './fetching.ts';

test('[CAL-45] a password goes to hosts of the same site, and to no stranger', () => {
  for (const [one, other] of [
    ['caldav.icloud.com', 'p42-caldav.icloud.com'],
    ['caldav.icloud.com', 'icloud.com'],
    ['example.org', 'dav.example.org'],
    ['example.co.uk', 'dav.example.co.uk'],
    ['dav.example.co.uk', 'www.example.co.uk'],
    ['localhost', 'localhost'],
    ['10.0.0.1', '10.0.0.1'],
  ] as const)
    assert.ok(isOfSite(one, other), `${one} ${other}`);
  for (const [one, other] of [
    ['example.org', 'example.com'],
    ['example.org', 'other.org'],
    ['example.org', 'notexample.org'],
    ['example.co.uk', 'stranger.co.uk'],
    ['example.com.au', 'com.au'],
    ['10.0.0.1', '9.0.0.1'],
    ['10.0.0.1', 'x.0.0.1'],
    ['localhost', 'other'],
  ] as const)
    assert.ok(!isOfSite(one, other), `${one} ${other}`);
});
