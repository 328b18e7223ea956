// Whose address counts, with and without proxies.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClientReader } from './client.ts';

describe('client address', () => {
  test('X-Forwarded-For is ignored unless a trusted proxy sent it', () => {
    const read = createClientReader([]);
    assert.equal(read('203.0.113.9', '198.51.100.1').key, '203.0.113.9');
    assert.equal(read('127.0.0.1', '198.51.100.1').key, '127.0.0.1');
  });

  test('behind trusted proxies the nearest untrusted hop counts, not what it claims', () => {
    const read = createClientReader(['10.0.0.0/8', '::1']);
    assert.equal(read('10.1.2.3', '198.51.100.1').key, '198.51.100.1');
    assert.equal(read('10.1.2.3', '1.1.1.1, 198.51.100.1').key, '198.51.100.1');
    assert.equal(read('10.1.2.3', '198.51.100.1, 10.9.9.9').key, '198.51.100.1');
    assert.equal(read('203.0.113.9', '198.51.100.1').key, '203.0.113.9');
    assert.equal(read('10.1.2.3', 'nonsense').key, '10.1.2.3');
    assert.equal(read('10.1.2.3', null).key, '10.1.2.3');
    assert.equal(read('::1', '2001:db8::5').key, '2001:db8:0:0::/64');
  });

  test('IPv6 counts by /64 and is written down by /48; IPv4 inside IPv6 is IPv4', () => {
    const read = createClientReader([]);
    const address = read('2001:DB8:1:2:3:4:5:6', null);
    assert.deepEqual(address, { key: '2001:db8:1:2::/64', network: '2001:db8:1::/48', isThisMachine: false });
    assert.equal(read('2001:db8:1:2::9', null).key, address.key);
    assert.notEqual(read('2001:db8:1:3::9', null).key, address.key);
    assert.deepEqual(read('::ffff:203.0.113.9', null), {
      key: '203.0.113.9',
      network: '203.0.113.0/24',
      isThisMachine: false,
    });
    assert.equal(read('fe80::1%eth0', null).key, 'fe80:0:0:0::/64');
  });

  test('this machine is this machine only when nobody forwarded', () => {
    const read = createClientReader(['127.0.0.1']);
    assert.equal(read('127.0.0.1', null).isThisMachine, true);
    assert.equal(read('::1', null).isThisMachine, true);
    assert.equal(read('::ffff:127.0.0.1', null).isThisMachine, true);
    assert.equal(read('127.0.0.1', '127.0.0.1').isThisMachine, false);
    assert.equal(read('127.0.0.1', '203.0.113.9').isThisMachine, false);
    assert.equal(read('203.0.113.9', null).isThisMachine, false);
    assert.equal(read('', null).isThisMachine, false);
  });
});
