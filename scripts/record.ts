// Records the overview film and the short recordings of the front page from the real app: `node scripts/record.ts [moments [name …] |
// gestures [name …] | together [desktop | phone] | overview [folder for stills]]`. Needs ffmpeg. What it makes is kept in the repository (src/site/media), because a copy of it cannot record.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './files.ts';
import { recordGestures } from './recording/gestures.ts';
import { recordMoments } from './recording/moments.ts';
import { recordOverview } from './recording/overview.ts';
import { recordTogether, recordTogetherByTouch } from './recording/together.ts';
import { withApp } from './recording/stage.ts';

const [what, ...names] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'posthaste-frames-'));
mkdirSync(join(ROOT, 'src/site/media'), { recursive: true });
try {
  await withApp(async (studio) => {
    const wants = (one: string) => what === undefined || what === one;
    if (wants('moments')) await recordMoments(studio, work, names);
    if (wants('gestures')) await recordGestures(studio, work, names);
    if (wants('together') && names[0] !== 'phone') await recordTogether(studio, work);
    if (wants('together') && names[0] !== 'desktop') await recordTogetherByTouch(studio, work);
    if (wants('overview')) await recordOverview(studio, work, names[0] ?? null);
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
