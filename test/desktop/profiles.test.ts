// The profiles of the desktop app as lists: hosts of their own, names, and the addresses of their pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAddress, staysInApp } from '#desktop/app-files.ts';
import { firstProfile, freshHost, HOST, sessionName, titleOf } from '#desktop/profiles.ts';

describe('profiles of the desktop app', () => {
  test('[DESK-25] each has a host that no other has, also where several are made at once', () => {
    const hosts = ['desktop'];
    for (let n = 0; n < 5; n += 1)
      hosts.push(
        freshHost(
          hosts.map((host) => ({ ...firstProfile, host })),
          1_795_000_000_000,
        ),
      );
    assert.equal(new Set(hosts).size, 6);
    assert.ok(
      hosts.every((host) => HOST.test(host)),
      hosts.join(' '),
    );
    for (const host of [
      'desktop-',
      'desktops',
      'desktop-A',
      'desktop/x',
      'x.desktop',
      `desktop-${'1'.repeat(17)}`,
    ])
      assert.ok(!HOST.test(host), host);
  });

  test('[DESK-25] the keychain tells two accounts at one server apart, and finds the session of before', () => {
    const server = 'https://tasks.example.org';
    const second = { ...firstProfile, host: 'desktop-1', server };
    assert.equal(sessionName({ ...firstProfile, server }), `session ${server}`);
    assert.equal(sessionName(second), `session ${server} desktop-1`);
    assert.equal(titleOf(second), 'tasks.example.org');
    assert.equal(titleOf({ ...second, name: 'ida@example.org' }), 'ida@example.org at tasks.example.org');
    assert.equal(titleOf(firstProfile), 'this machine alone');
  });

  test('[DESK-25] a page stays among the pages of its own profile', () => {
    assert.deepEqual(readAddress('posthaste-app://desktop-1/app/?quick#x'), {
      host: 'desktop-1',
      path: '/app/?quick',
    });
    assert.equal(readAddress('https://desktop/app/'), null);
    for (const address of [
      'posthaste-app://desktop/app',
      'posthaste-app://desktop/app/open/lists',
      'blob:posthaste-app://desktop/1',
    ])
      assert.ok(staysInApp('desktop', address), address);
    for (const address of [
      'posthaste-app://desktop-1/app/',
      'posthaste-app://desktop/application',
      'posthaste-app://desktop/guides',
      'blob:posthaste-app://desktop-1/1',
      'https://example.org/app/',
      'about:blank',
    ])
      assert.ok(!staysInApp('desktop', address), address);
  });
});
