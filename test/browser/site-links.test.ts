// The built public site as files: every link and anchor leads somewhere, nothing is linked from nowhere, every page has what it
// must have and stays within its budget.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspectSite } from '../../scripts/site/inspect.ts';

const GUIDES = 31;

describe('the built site', () => {
  const report = inspectSite();

  test('has nothing to complain of', () => {
    assert.deepEqual(report.problems, []);
  });

  test('has a page for each guide, each with a way on', () => {
    const guides = report.pages.filter(({ path }) => /^\/guides\/[^/]+$/.test(path));
    assert.equal(guides.length, GUIDES);
    for (const { path, elements } of guides) {
      const ways = elements
        .flatMap(({ attributes }) => attributes['rel'] ?? [])
        .filter((rel) => /^(?:prev|next)$/.test(rel));
      const isAtAnEnd = path === '/guides/command-palette' || path === '/guides/affiliates';
      assert.equal(ways.length, isAtAnEnd ? 1 : 2, path);
    }
  });
});
