// Latency figures: ranks, what is kept, and the text that can be copied.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LatencyLog, latencyText } from './latency.ts';

describe('latency of keys', () => {
  test('gives the nearest ranks of each command, the slowest first', () => {
    const log = new LatencyLog();
    for (let took = 1; took <= 100; took += 1) log.add({ command: 'task.toggle', took });
    log.add({ command: null, took: 200 });
    const { last, count, p50, p95, commands } = log.report();
    assert.deepEqual(last, { command: null, took: 200 });
    assert.deepEqual([count, p50, p95], [101, 51, 96]);
    assert.deepEqual(commands, [
      { command: 'typing', count: 1, p50: 200, p95: 200, max: 200 },
      { command: 'task.toggle', count: 100, p50: 50, p95: 95, max: 100 },
    ]);
  });

  test('forgets what is long ago, so that a slow start does not stand for ever', () => {
    const log = new LatencyLog();
    log.add({ command: 'go.down', took: 900 });
    for (let n = 0; n < 200; n += 1) log.add({ command: 'go.down', took: 5 });
    assert.equal(log.report().commands[0]?.max, 5);
    assert.equal(log.report().count, 201);
  });

  test('says nothing but zeros before the first key', () => {
    assert.deepEqual(new LatencyLog().report(), { last: null, count: 0, p50: 0, p95: 0, commands: [] });
  });

  test('is copied as a table with the place it was measured at', () => {
    const log = new LatencyLog();
    log.add({ command: 'go.down', took: 4.26 });
    assert.deepEqual(latencyText(log.report(), ['Version 1']).split('\n'), [
      'Posthaste: key to paint, in milliseconds',
      'Version 1',
      '',
      'command   keys     p50     p95     max',
      'go.down      1     4.3     4.3     4.3',
      'all          1     4.3     4.3     4.3',
    ]);
  });
});
