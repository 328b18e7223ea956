// A slower world for the browser's tests: `SLOW=answers,processor npm test -- --only=browser`. Whoever reads a value before it had
// to be there passes on a quiet machine and fails here. It waits by chance, from a seed that it prints; nothing in it is a bound.
import { Server } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const slow = new Set((process.env['SLOW'] ?? '').split(',').filter(Boolean));
/** Most answers take a moment, some take long. */
const LONGEST_MS = 1_500;
const PROCESSOR_RATE = 4;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Every request to a server of this process is answered late, and not in the order in which they came. */
function slowAnswers(): void {
  const seed = Number(process.env['SLOW_SEED'] ?? Date.now() % 100_000);
  process.stderr.write(`SLOW_SEED=${seed}\n`);
  const random = seeded(seed);
  const emit = Reflect.get(Server.prototype, 'emit') as (event: string, ...given: unknown[]) => boolean;
  Reflect.set(Server.prototype, 'emit', function later(this: Server, event: string, ...given: unknown[]) {
    const send = () => Reflect.apply(emit, this, [event, ...given]);
    if (event !== 'request') return send();
    setTimeout(send, random() ** 3 * LONGEST_MS);
    return true;
  });
}

async function slowPage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_RATE });
}

function slowContext(context: BrowserContext): void {
  // A page that is closed at once needs no slowing.
  context.on('page', (page) => void slowPage(page).catch(() => undefined));
}

if (slow.has('answers')) slowAnswers();

/** Slows what is opened in this browser from now on, if that was asked for. */
export function slowDown(browser: Browser): void {
  if (!slow.has('processor')) return;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (...given) => {
    const context = await open(...given);
    slowContext(context);
    return context;
  };
}
