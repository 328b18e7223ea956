// Where push messages may be sent: shapes of addresses, and what names are found to be.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, test } from 'node:test';
import { createEndpointGuard, type GuardPorts } from './guard.ts';

const GOOD = 'https://updates.push.services.example.org/wpush/v2/abc';

function found(...addresses: readonly string[]): NonNullable<GuardPorts['resolve']> {
  const list = addresses.map((address): LookupAddress => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_host, done) => done(null, list);
}

function lookUp(ports: GuardPorts, all = false): Promise<unknown> {
  return new Promise((resolve) => {
    createEndpointGuard(ports).lookup('push.example.org', { all }, (error, address) =>
      resolve(error ? error.name : address),
    );
  });
}

describe('inside the networks of an operator', () => {
  const allowed = ['10.0.0.0/8', 'fd00::/8'];
  const guard = (...addresses: readonly string[]) =>
    createEndpointGuard({ allowed, resolve: found(...addresses) }).inside;
  const lookUpInside = (...addresses: readonly string[]) =>
    new Promise((resolve) => {
      guard(...addresses).lookup('cal.lan', {}, (error, address) => resolve(error ? error.name : address));
    });

  test('[CAL-116] a host may be there as an address of theirs, or as a name', () => {
    for (const host of ['10.1.2.3', '[fd00::1]', 'cal.lan']) assert.equal(guard().mayBe(host), true, host);
    for (const host of ['8.8.8.8', '127.0.0.1', '192.168.0.1', '[::1]', '[2606:2800::1]'])
      assert.equal(guard().mayBe(host), false, host);
    assert.equal(createEndpointGuard({ allowed: [] }).inside.mayBe('cal.lan'), false);
  });

  test('[CAL-116] a name counts if all that it is found at is theirs', async () => {
    assert.equal(await lookUpInside('10.1.2.3'), '10.1.2.3');
    assert.equal(await lookUpInside('10.1.2.3', '93.184.215.14'), 'AddressRefused');
    assert.equal(await lookUpInside('127.0.0.1'), 'AddressRefused');
  });
});

describe('push endpoints', () => {
  test('[REM-26] only HTTPS, on the usual port, by a public name or address', () => {
    const guard = createEndpointGuard({ allowed: [] });
    const problem = (endpoint: string) => guard.problem(endpoint);
    assert.equal(problem(GOOD), null);
    assert.equal(problem('https://93.184.215.14/x'), null);
    assert.equal(problem('https://[2606:2800:21f:cb07::1]/x'), null);
    for (const wrong of [
      'no url',
      'http://push.example.org/x',
      'https://name:word@push.example.org/x',
      'https://push.example.org/x#y',
      'https://push.example.org:8443/x',
      'https://localhost/x',
      'https://intranet/x',
      'https://127.0.0.1/x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://10.1.2.3/x',
      'https://172.31.0.1/x',
      'https://192.168.0.1/x',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/x',
      'https://0.0.0.0/x',
      'https://255.255.255.255/x',
      'https://[::1]/x',
      'https://[::]/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://[fe80::1]/x',
      'https://[fd00::1]/x',
      'https://[64:ff9b::7f00:1]/x',
      'https://[2002:7f00:1::]/x',
      'https://[2001:db8::1]/x',
    ])
      assert.notEqual(problem(wrong), null, wrong);
  });

  test('[REM-26] a name is as good as every address it has', async () => {
    const allowed: readonly string[] = [];
    assert.equal(await lookUp({ allowed, resolve: found('93.184.215.14') }), '93.184.215.14');
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '10.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['fe80::1%eth0'],
    ])
      assert.equal(await lookUp({ allowed, resolve: found(...addresses) }), 'AddressRefused');
    const listed = await lookUp({ allowed, resolve: found('93.184.215.14', '1.1.1.1') }, true);
    assert.deepEqual(listed, [
      { address: '93.184.215.14', family: 4 },
      { address: '1.1.1.1', family: 4 },
    ]);
  });

  test('[REM-26] networks that the operator names are allowed besides', async () => {
    const allowed = ['10.20.0.0/16', '::1'];
    const guard = createEndpointGuard({ allowed });
    const problem = (endpoint: string) => guard.problem(endpoint);
    assert.equal(problem('https://10.20.3.4:8443/x'), null);
    assert.equal(problem('https://[::1]/x'), null);
    assert.notEqual(problem('https://10.21.0.1/x'), null);
    assert.notEqual(problem('http://10.20.3.4/x'), null);
    assert.equal(await lookUp({ allowed, resolve: found('10.20.0.9') }), '10.20.0.9');
    assert.equal(await lookUp({ allowed, resolve: found('10.30.0.9') }), 'AddressRefused');
  });
});
