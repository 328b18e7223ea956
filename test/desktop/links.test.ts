// Links that the system hands to the desktop app, in every order of what happens at its start.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLink, LinkQueue } from '#desktop/link-queue.ts';

const LINKS = ['posthaste:quick-entry?title=One', 'posthaste://lists', 'web+posthaste:purchase'] as const;

/** All orders of some things. */
function* ordersOf<T>(things: readonly T[]): Generator<readonly T[]> {
  if (things.length === 0) yield [];
  for (const [at, thing] of things.entries())
    for (const rest of ordersOf([...things.slice(0, at), ...things.slice(at + 1)])) yield [thing, ...rest];
}

describe('links of the system', () => {
  test('[DESK-1] reach the page once each and in their order, whatever comes first: the link, a second start, the page', () => {
    const events = [...LINKS, 'ready', 'left'] as const;
    let orders = 0;
    for (const order of ordersOf(events)) {
      orders += 1;
      const queue = new LinkQueue();
      const taken: string[] = [];
      for (const event of order) {
        if (event === 'ready') queue.open((link) => taken.push(link));
        else if (event === 'left') queue.close();
        else assert.equal(queue.add(event), true);
      }
      // The page comes back at last.
      queue.open((link) => taken.push(link));
      assert.deepEqual(
        taken,
        order.filter((event) => event !== 'ready' && event !== 'left'),
        order.join(' '),
      );
    }
    assert.equal(orders, 120);
  });

  test('[DESK-2] are of our schemes alone, and no longer than any link is', () => {
    for (const link of [...LINKS, 'POSTHASTE:today', 'posthaste:']) assert.equal(isLink(link), true, link);
    for (const other of [
      'https://example.org/',
      ['javascript', 'alert(1)'].join(':'),
      'file:///etc/passwd',
      'posthastes:x',
      '--server',
      `posthaste:quick-entry?title=${'x'.repeat(64_000)}`,
    ])
      assert.equal(isLink(other), false, other.slice(0, 40));
  });

  test('[DESK-3] a thousand at once before there is a page: the first hundred wait, the others are counted', () => {
    const queue = new LinkQueue();
    const taken: string[] = [];
    for (let at = 0; at < 1_000; at += 1) queue.add(`posthaste:quick-entry?title=${at}`);
    queue.open((link) => taken.push(link));
    assert.equal(taken.length, 100);
    assert.equal(taken.at(-1), 'posthaste:quick-entry?title=99');
    assert.deepEqual([queue.forgetLeftOut(), queue.forgetLeftOut()], [900, 0]);
    assert.equal(queue.add('posthaste:today'), true, 'and it goes on');
    assert.equal(taken.at(-1), 'posthaste:today');
  });
});
