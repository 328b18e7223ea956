// One run over one dataset with one subject: a fresh browser, the tasks put in, every interaction measured.
import { setTimeout as pause } from 'node:timers/promises';
import { conditions, type Conditions } from '../machine.ts';
import { type Dataset, openCount } from '../datasets.ts';
import { launch, openList, readCounters, waitUntil, type Browser, type Tab } from './chromium.ts';
import { holdArrowDown, type HeldSamples } from './held-key.ts';
import { measureInteraction, type InteractionSamples } from './keystrokes.ts';
import { measureStartUp, type StartUp } from './start-up.ts';
import { INTERACTIONS, type InteractionName, type Subject } from './subject.ts';

export interface SessionPlan {
  readonly dataset: Dataset;
  /** Keys per interaction. */
  readonly keys: number;
  readonly loads: number;
  readonly only: (name: string) => boolean;
  readonly log: (text: string) => void;
}

export interface Session {
  readonly subject: string;
  readonly dataset: Dataset;
  readonly conditions: Conditions;
  readonly interactions: Partial<Record<InteractionName, InteractionSamples>>;
  readonly held: HeldSamples | null;
  readonly cold: readonly StartUp[];
  readonly warm: readonly StartUp[];
  readonly heapBytes: number;
  readonly nodes: number;
  /** Uncaught errors of the page. */
  readonly errors: readonly string[];
}

async function seed(
  browser: Browser,
  subject: Subject,
  { url, dataset }: { url: string; dataset: Dataset },
): Promise<void> {
  const { page } = await browser.open();
  await page.goto(new URL(subject.seedPath, url).href);
  await subject.seed(page, dataset);
  await page.close();
}

/** After a forced collection, the list open and nothing done yet. */
async function weigh({ cdp }: Tab): Promise<{ readonly heapBytes: number; readonly nodes: number }> {
  await pause(1_500);
  await cdp.send('HeapProfiler.collectGarbage');
  const { heapBytes, nodes } = await readCounters(cdp);
  return { heapBytes, nodes };
}

export async function runSession(subject: Subject, plan: SessionPlan): Promise<Session> {
  const { dataset } = plan;
  const served = await subject.serve();
  const browser = await launch(subject);
  try {
    const before = conditions();
    await seed(browser, subject, { url: served.url, dataset });
    const tab = await browser.open();
    await openList(tab, served.url);
    await waitUntil(tab, 'complete', openCount(dataset));
    const weight = await weigh(tab);
    const interactions: Partial<Record<InteractionName, InteractionSamples>> = {};
    for (const name of INTERACTIONS.filter(plan.only)) {
      await subject.focus(tab.page);
      interactions[name] = await measureInteraction(tab, subject.interactions(dataset)[name], plan.keys);
      plan.log(`${subject.name}, ${dataset.name}: ${name}`);
    }
    await subject.focus(tab.page);
    const held = plan.only('held') ? await holdArrowDown(tab) : null;
    await tab.page.close();
    const loads = async (cold: boolean): Promise<StartUp[]> => {
      const measured: StartUp[] = [];
      for (let at = 0; at < (plan.only('start') ? plan.loads : 0); at += 1) {
        measured.push(await measureStartUp(browser, subject, { url: served.url, dataset, cold }));
      }
      return measured;
    };
    const cold = await loads(true);
    const warm = await loads(false);
    return {
      subject: subject.name,
      dataset,
      conditions: before,
      interactions,
      held,
      cold,
      warm,
      ...weight,
      errors: tab.errors,
    };
  } finally {
    await browser.close();
    await served.close();
  }
}
