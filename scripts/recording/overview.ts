// The overview film: 2 m 40 s of the real app, without a network and without an account. Each scene says when it begins, what
// its caption says and which keys are pressed; captions and transcript are made from the same list.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files.ts';
import { encode } from './encode.ts';
import { openSample } from './sample.ts';
import { type Studio, Take } from './stage.ts';

const TARGET = join(ROOT, 'src/site/media/overview');
/** So small a window that its words can be read in a film that is shown small. */
const VIEWPORT = { width: 960, height: 540 };
const SIZE = { width: 1_280, height: 720 };
const CAP_SIZE = 19;
const SECONDS = 160;
/** The picture of the film before it is played: a moment with something on screen. */
const POSTER_AT = 74;

interface Scene {
  /** Seconds since the film began. */
  readonly from: number;
  readonly title: string;
  readonly caption: string;
  readonly act: (take: Take) => Promise<void>;
}

const scenes: readonly Scene[] = [
  {
    from: 0,
    title: 'Posthaste',
    caption: 'Posthaste is a task manager in which everything has a key.',
    async act(take) {
      await take.rest(2);
      await take.repeat('ArrowDown', 5);
      await take.repeat('ArrowUp', 4);
    },
  },
  {
    from: 8,
    title: 'Capture',
    caption:
      'Ctrl and Enter make a task right below, with the cursor in it. Enter again goes on to the next line.',
    async act(take) {
      await take.press('Control+Enter', 0.4);
      await take.type('Thank the lighthouse keeper');
      await take.rest(0.8);
      await take.press('Control+Enter', 0.4);
      await take.type('Ask for a photograph of the lamp');
      await take.rest(0.8);
      await take.press('Escape', 0.8);
    },
  },
  {
    from: 23,
    title: 'Capture',
    caption:
      'Dates, repeats and labels are understood while you type. The right arrow takes what is suggested.',
    async act(take) {
      await take.press('Control+Enter', 0.4);
      await take.type('Collect the proof tomorrow 5pm');
      await take.rest(1.5);
      await take.press('ArrowRight', 1.5);
      await take.press('Escape', 1.2);
    },
  },
  {
    from: 37,
    title: 'Capture',
    caption: 'Quick entry opens wherever you are. This task repeats every Friday.',
    async act(take) {
      await take.press('Control+Shift+Space', 0.6);
      await take.type('Buy stamps every friday');
      await take.rest(1.5);
      await take.press('Tab', 0.5);
      await take.press('Enter', 2);
    },
  },
  {
    from: 50,
    title: 'Plan',
    caption: 'Tab puts a task below the one above it, and Alt with the arrows moves it.',
    async act(take) {
      await take.press('Tab', 1);
      await take.press('Shift+Tab', 1);
      await take.repeat('Alt+ArrowDown', 2, 0.6);
      await take.repeat('Alt+ArrowUp', 2, 0.6);
    },
  },
  {
    from: 61,
    title: 'Plan',
    caption: 'D says when it is due, in your own words. Every way to read them is shown before you choose.',
    async act(take) {
      await take.repeat('ArrowDown', 2);
      await take.press('d', 0.8);
      await take.type('next fri 5pm', 0.1);
      await take.rest(2.5);
      await take.press('Enter', 1.5);
    },
  },
  {
    from: 76,
    title: 'Plan',
    caption: 'S sends a task away until its time comes. Its due date stays as it was.',
    async act(take) {
      await take.press('ArrowDown', 0.4);
      await take.press('s', 0.8);
      await take.type('mon 9am', 0.12);
      await take.rest(2);
      await take.press('Enter', 2);
    },
  },
  {
    from: 88,
    title: 'Plan',
    caption: 'Ctrl and L put labels on it.',
    async act(take) {
      await take.press('Control+l', 0.8);
      await take.type('wri', 0.2);
      await take.rest(1);
      await take.press('Enter', 1);
      await take.press('Escape', 0.8);
    },
  },
  {
    from: 97,
    title: 'Search',
    caption: 'A slash searches every list while you type.',
    async act(take) {
      await take.press('/', 0.6);
      await take.type('letters', 0.14);
      await take.rest(3);
    },
  },
  {
    from: 106,
    title: 'Search',
    caption: 'With operators you ask for exactly what you mean: everything open that is due within a week.',
    async act(take) {
      await take.press('Control+a', 0.3);
      await take.type('due:<=7d is:open', 0.1);
      await take.rest(4);
      await take.press('Escape', 0.3);
      await take.press('Escape', 0.8);
    },
  },
  {
    from: 118,
    title: 'Search',
    caption: 'Ctrl and K know all the rest: every command with its key, every list, every task.',
    async act(take) {
      await take.press('Control+k', 0.8);
      await take.type('sno', 0.25);
      await take.rest(2);
      await take.press('Control+a', 0.2);
      await take.type('household', 0.12);
      await take.rest(1);
      await take.press('Enter', 1.5);
    },
  },
  {
    from: 132,
    title: 'Finish',
    caption: 'Space completes. Ctrl and Z take back whatever you did, two hundred steps of it.',
    async act(take) {
      await take.press('Home', 0.4);
      await take.press('Space', 0.9);
      await take.press('ArrowDown', 0.4);
      await take.press('Space', 0.9);
      await take.press('ArrowDown', 0.4);
      await take.press('Space', 1);
      await take.press('Control+z', 1.2);
      await take.press('Space', 0.9);
    },
  },
  {
    from: 149,
    title: 'Posthaste',
    caption:
      'This was the real app in a browser, cut off from the network and without an account. With one, it is on all your devices.',
    act: (take) => take.rest(10),
  },
];

const stamp = (seconds: number) =>
  `00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;

/** WebVTT. A caption stands until shortly before the next. */
function captions(): string {
  const cues = scenes.map(
    ({ from, caption }, index) =>
      `${stamp(from)} --> ${stamp((scenes[index + 1]?.from ?? SECONDS) - 0.2)}\n${caption}`,
  );
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

/** `stills`: a folder for one picture of each scene instead of the film, to see whether the story goes as it is told. */
export async function recordOverview(
  { browser, url }: Studio,
  work: string,
  stills: string | null,
): Promise<void> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    deviceScaleFactor: SIZE.width / VIEWPORT.width,
    colorScheme: 'light',
    locale: 'en-US',
  });
  const page = await openSample(context, url);
  await context.setOffline(true);
  const folder = join(work, 'overview');
  const take = await Take.of(page, folder, CAP_SIZE);
  await take.start();
  for (const { from, title, act } of scenes) {
    if (stills === null) await take.at(from);
    await take.title(title);
    const beganAt = take.now;
    await act(take);
    console.log(`${from} s, ${title}: ${(take.now - beganAt).toFixed(1)} s`);
    if (stills !== null)
      await page.screenshot({ path: join(stills, `${String(from).padStart(3, '0')}.png`) });
  }
  if (stills === null) await take.at(SECONDS);
  const frames = await take.stop();
  await context.close();
  if (stills !== null) return;
  encode({ frames, folder, from: 0, to: SECONDS, ...SIZE }, TARGET, {
    poster: POSTER_AT,
    crf: 25,
    hasAv1: true,
  });
  writeFileSync(`${TARGET}.vtt`, captions());
}
