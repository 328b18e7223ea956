// What stands in deploy/ names variables, ports and metrics of the server: those that the code has.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { variables } from '#server/config.ts';
import { filesUnder } from '../scripts/files.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const all = readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

/** Of the composition itself, of the database's image, and of the proxy. */
const NOT_OURS = /^(?:DOMAIN|NODES|DATABASE_PASSWORD|OBJECTS_KEY|OBJECTS_SECRET|POSTGRES_[A-Z]+)$/;

describe('deploy/', () => {
  test('[NODE-80] names only variables that the server reads', () => {
    const known = new Set(Object.keys(variables));
    let count = 0;
    for (const path of all.filter((each) => /\.(?:yml|env|service)$|Dockerfile$/.test(each)))
      for (const [, name = ''] of textOf(path).matchAll(
        /(?:^|[\s#{])([A-Z]+(?:_[A-Z]+)+|PORT|HOST|BACKUPS)(?=[:=])/gm,
      )) {
        if (NOT_OURS.test(name)) continue;
        count += 1;
        assert.ok(known.has(name), `${path}: ${name}`);
      }
    assert.ok(count > 20, `${count} names were found`);
  });

  test('[NODE-80] alerts and dashboard ask for metrics that there are', () => {
    const source = filesUnder('src/server')
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map(textOf)
      .join('\n');
    const there = new Set(Array.from(source.matchAll(/'(posthaste_[a-z0-9_]+)'/g), ([, name = '']) => name));
    const asked = new Set(
      ['deploy/metrics/alerts.yml', 'deploy/metrics/dashboard.json'].flatMap((path) =>
        Array.from(textOf(path).matchAll(/posthaste_[a-z0-9_]+/g), ([name]) => name.replace(/_bucket$/, '')),
      ),
    );
    assert.ok(asked.size > 12);
    assert.deepEqual(
      [...asked].filter((name) => !there.has(name)),
      [],
    );
  });

  test('[NODE-80] the port of the metrics is one everywhere, and every alert is explained to the operator', () => {
    const ports = new Set(
      all.flatMap((path) =>
        Array.from(textOf(path).matchAll(/METRICS_PORT:\s*"?(\d+)|node\d:(9\d{3})/g), ([, a, b]) => a ?? b),
      ),
    );
    assert.deepEqual([...ports], ['9464']);
    const operating = textOf('docs/operating.md');
    for (const [, alert = ''] of textOf('deploy/metrics/alerts.yml').matchAll(/alert: (\w+)/g))
      assert.ok(operating.includes(`\`${alert}\``), alert);
  });
});
