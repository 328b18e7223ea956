// What operators may write, and that the documentation says the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { configurationPage, readConfig, variables } from './config.ts';

describe('configuration', () => {
  test('everything is optional', () => {
    const result = readConfig({});
    assert.ok(result.ok);
    assert.equal(result.value.port, 4040);
    assert.equal(result.value.host, '127.0.0.1');
    assert.equal(result.value.databaseUrl, null);
    assert.match(result.value.dataDir, /data$/);
  });

  test('an empty variable counts as absent', () => {
    assert.deepEqual(readConfig({ PORT: '', PUBLIC_URL: '' }), readConfig({}));
  });

  test('good values are read', () => {
    const result = readConfig({
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgres://tasks@db.example/tasks',
      PUBLIC_URL: 'https://tasks.example.org/',
      API_HOST: 'api.tasks.example.org',
      RATE_LIMITS: 'off',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      METRICS_PORT: '9100',
    });
    assert.ok(result.ok);
    assert.equal(result.value.port, 0);
    assert.equal(result.value.publicUrl, 'https://tasks.example.org');
    assert.deepEqual(result.value.rates, {});
    assert.deepEqual(result.value.trustedProxies, ['10.0.0.0/8', '::1']);
    assert.equal(result.value.metricsPort, 9100);
  });

  test('groups for the history have names, and go with PostgreSQL', () => {
    const HISTORY_GROUPS = 'east=postgres://db1/history?a=b  west-2=postgres://db2/history';
    const result = readConfig({ DATABASE_URL: 'postgres://db/tasks', HISTORY_GROUPS });
    assert.ok(result.ok);
    assert.deepEqual(result.value.historyGroups, [
      { name: 'east', url: 'postgres://db1/history?a=b' },
      { name: 'west-2', url: 'postgres://db2/history' },
    ]);
    assert.equal(readConfig({ HISTORY_GROUPS }).ok, false);
  });

  const wrong: readonly (readonly [name: string, value: string])[] = [
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['HOST', 'tasks.example.org'],
    ['DATABASE_URL', 'mysql://secret-canary@db/tasks'],
    ['HISTORY_GROUPS', 'postgres://secret-canary@db/history'],
    ['HISTORY_GROUPS', 'East=postgres://secret-canary@db/history'],
    ['HISTORY_GROUPS', 'east=mysql://secret-canary@db/history'],
    ['HISTORY_GROUPS', 'east=postgres://a/b east=postgres://secret-canary@db/history'],
    ['PUBLIC_URL', 'tasks.example.org'],
    ['PUBLIC_URL', 'https://tasks.example.org/path'],
    ['PUBLIC_URL', 'ftp://tasks.example.org'],
    ['API_HOST', 'https://api.example.org'],
    ['SMTP_URL', 'mail.example.org'],
    ['MAIL_PORT', '65536'],
    ['MAIL_DOMAIN', 'in.example.org:25'],
    ['MAIL_HOST', 'mail.example.org'],
    ['MAIL_CERT', 'cert.pem'],
    ['RATE_LIMITS', 'sometimes'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', 'yes'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy'],
  ];
  for (const [name, value] of wrong) {
    test(`${name}=${value} is refused by name`, () => {
      const result = readConfig({ [name]: value });
      assert.ok(!result.ok);
      assert.equal(result.problem.length > 0, true);
      for (const problem of result.problem) {
        assert.ok(problem.startsWith(`${name} `), problem);
        assert.ok(!problem.includes('secret-canary'));
      }
    });
  }

  test('all wrong variables are named at once', () => {
    const result = readConfig({ PORT: 'x', LOG_LEVEL: 'y' });
    assert.ok(!result.ok && result.problem.length === 2);
  });

  test('every variable is documented, and docs/configuration.md is what the schema says', () => {
    for (const [name, { doc }] of Object.entries(variables)) assert.match(doc, /\.$/, name);
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    assert.equal(page, configurationPage(), 'run: npm run admin -- config-table > docs/configuration.md');
  });
});
