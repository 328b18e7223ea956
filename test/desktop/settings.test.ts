// The address of the server as people type it, and the file with the settings of the desktop app.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceleratorOf } from '#desktop/linux/accelerator.ts';
import { firstSettings, readSettings, serverAddress } from '#desktop/settings.ts';

describe('settings of the desktop app', () => {
  test('[DESK-4] an address is taken as people type it, and nothing but an origin', () => {
    const good: readonly (readonly [string, string])[] = [
      ['tasks.example.org', 'https://tasks.example.org'],
      [' https://Tasks.Example.org/ ', 'https://tasks.example.org'],
      ['localhost:8080', 'http://localhost:8080'],
      ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['http://192.168.1.4:8080', 'http://192.168.1.4:8080'],
      ['[::1]:8080', 'http://[::1]:8080'],
      ['aufgaben.müller.example', 'https://aufgaben.müller.example'],
    ];
    for (const [typed, address] of good) assert.equal(serverAddress(typed), address, typed);
    for (const typed of [
      '',
      'https://',
      'tasks.example.org/app',
      'https://ann:secret@example.org',
      'example.org?x=1',
      'example.org#x',
      'two words.example',
      '"><script>',
      'ftp://example.org',
      'https://-.example',
    ])
      assert.equal(serverAddress(typed), null, typed);
  });

  test('[DESK-5] a file that was cut off, or that somebody else wrote, isn’t read; a key that can’t be had alone is the first one', () => {
    const profile = {
      host: 'desktop-1a',
      server: 'https://tasks.example.org',
      name: 'ida@example.org',
      isBound: true,
    };
    const settings = {
      ...firstSettings('desktop'),
      key: null,
      profiles: [profile],
      last: profile.host,
    };
    const whole = JSON.stringify(settings);
    assert.deepEqual(readSettings(whole), settings);
    assert.equal(readSettings(JSON.stringify({ ...settings, key: 7 }))?.key, 'Ctrl+Alt+Space');
    const odd = { zoom: 9, menuBar: 1, tray: 'x', spelling: ['English'] };
    assert.deepEqual(readSettings(JSON.stringify({ ...settings, ...odd })), settings);
    assert.equal(readSettings(JSON.stringify({ ...settings, last: 'desktop-2' }))?.last, profile.host);
    for (const text of [
      '',
      whole.slice(0, -3),
      '[]',
      '{"server":"javascript:x","key":null}',
      '{"server":7}',
      JSON.stringify({ ...settings, profiles: [] }),
      JSON.stringify({ ...settings, profiles: [profile, profile] }),
      JSON.stringify({ ...settings, profiles: [{ ...profile, host: '../desktop' }], server: null }),
      JSON.stringify({ ...settings, profiles: [{ ...profile, server: 'https://a.example/b' }] }),
    ])
      assert.equal(readSettings(text), null, text);
  });

  test('[DESK-24] the settings with one server and one account go on with what is stored where it is, for that server alone', () => {
    assert.deepEqual(readSettings('{"server":"https://tasks.example.org","key":"Super+K"}'), {
      ...firstSettings('desktop'),
      key: 'Super+K',
      profiles: [{ host: 'desktop', server: 'https://tasks.example.org', name: '', isBound: true }],
      last: 'desktop',
    });
    assert.deepEqual(readSettings('{"server":null,"key":null}'), {
      ...firstSettings('desktop'),
      key: null,
    });
  });

  test('[DESK-6] the key for the whole system has a modifier, and is one that every keyboard has', () => {
    assert.equal(acceleratorOf('Ctrl+Alt+Space'), '<Control><Alt>space');
    assert.equal(acceleratorOf('Super+K'), '<Super>k');
    assert.equal(acceleratorOf('Ctrl+F12'), '<Control>F12');
    for (const key of ['K', 'Space', 'Ctrl+', 'Ctrl+Hyper+K', 'Ctrl+Enter<Super>', ''])
      assert.equal(acceleratorOf(key), null, key);
  });
});
