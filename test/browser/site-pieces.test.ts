// The front page as a slow network brings it: in two pieces, cut at places all over it. Nothing that is shown moves when the
// rest arrives.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { serveElsewhere } from './harness.ts';
import { withSite } from './site-world.ts';

/** Long enough for the first piece to be painted. */
const APART_MS = 400;
/** Every so many elements its first section, which fills the screen, is cut. */
const STEP = 12;
/** What is left out of the answer: it is of another length, and not kept. */
const OWN = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'etag']);

/** The site at an address of its own, whose pages come in two pieces. */
async function inPieces(t: TestContext, origin: string) {
  let cut = Infinity;
  const url = await serveElsewhere(t, (request, response) => {
    void (async () => {
      const answer = await fetch(origin + (request.url ?? ''), {
        headers: { 'accept-encoding': 'identity' },
      });
      const body = Buffer.from(await answer.arrayBuffer());
      const headers = [...answer.headers].filter(([name]) => !OWN.has(name));
      response.writeHead(answer.status, Object.fromEntries([...headers, ['cache-control', 'no-store']]));
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
      response.write(isPage ? body.subarray(0, cut) : body);
      if (isPage) setTimeout(() => response.end(body.subarray(cut)), APART_MS);
      else response.end();
    })();
  });
  return {
    url,
    cutAt(bytes: number): void {
      cut = bytes;
    },
  };
}

describe('the public site', () => {
  const site = withSite();

  for (const [device, options] of [
    ['a computer', { viewport: { width: 1_280, height: 720 } }],
    ['a tall phone', { viewport: { width: 390, height: 1_200 }, hasTouch: true, isMobile: true }],
  ] as const)
    test(`the front page does not move on ${device} where it arrives in pieces`, async (t) => {
      const world = site();
      const pieces = await inPieces(t, world.url);
      const html = await (await fetch(world.url)).text();
      const places = [...html.matchAll(/<[a-z]/g)].map(({ index }) =>
        Buffer.byteLength(html.slice(0, index)),
      );
      const lengthTo = (words: string) => Buffer.byteLength(html.slice(0, html.indexOf(words)));
      const [from, to] = [lengthTo('<body'), lengthTo('</section>')];
      const cuts = places.filter((at) => at > from && at < to).filter((_, index) => index % STEP === 0);
      assert.ok(cuts.length > 10, `${cuts.length} places`);
      const page = await world.visit(t, '', options);
      await page.addInitScript(() => {
        const moved: string[] = [];
        Object.assign(globalThis, { moved });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, sources } = entry as unknown as {
              readonly value: number;
              readonly sources: readonly { readonly node: Node | null }[];
            };
            moved.push(`${value}: ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      for (const at of cuts) {
        pieces.cutAt(at);
        await page.goto(pieces.url);
        const moved = await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
        assert.deepEqual(moved, [], `cut before ${html.slice(at, at + 80)}`);
      }
    });
});
