// What the app says of itself to the system: everything it names exists, is as large as it says, and stands under /app/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { screenshots } from '../scripts/web-build.ts';

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: string;
  readonly label?: string;
  readonly form_factor?: string;
}

interface Manifest {
  readonly id: string;
  readonly start_url: string;
  readonly scope: string;
  readonly icons: readonly Picture[];
  readonly screenshots: readonly Picture[];
  readonly shortcuts: readonly { readonly url: string }[];
  readonly protocol_handlers: readonly { readonly url: string }[];
  readonly file_handlers: readonly { readonly action: string }[];
  readonly share_target: { readonly action: string };
}

const ROOT = join(import.meta.dirname, '..');
const PUBLIC = join(ROOT, 'src/web/public');

/** As the file itself says. */
function sizeOf(path: string): string {
  const bytes = readFileSync(path);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

describe('the manifest', () => {
  const manifest = JSON.parse(readFileSync(join(PUBLIC, 'manifest.webmanifest'), 'utf8')) as Manifest;

  test('[INST-3] keeps to /app/', () => {
    const { id, start_url: start, scope, shortcuts, share_target: share } = manifest;
    assert.deepEqual([id, start, scope], ['/app/', '/app/', '/app/']);
    const opened = [
      ...shortcuts.map(({ url }) => url),
      ...manifest.protocol_handlers.map(({ url }) => url),
      ...manifest.file_handlers.map(({ action }) => action),
      share.action,
    ];
    for (const url of opened) assert.match(url, /^\/app\/open(?:\/|\?)/);
  });

  test('[INST-3] names icons of every purpose, as large as they are said to be', () => {
    const purposes = manifest.icons.map(({ purpose = 'any' }) => purpose);
    for (const purpose of ['any', 'maskable', 'monochrome']) assert.ok(purposes.includes(purpose), purpose);
    for (const { src, sizes, type } of manifest.icons)
      if (type === 'image/png') assert.equal(sizeOf(join(PUBLIC, src.replace('/app/', ''))), sizes, src);
  });

  test('[INST-3] shows pictures of both shapes, each with what is on it', () => {
    const byName = new Map(screenshots.map((file) => [`/app/screenshots/${basename(file)}`, file]));
    assert.deepEqual(
      manifest.screenshots.map(({ src }) => src),
      [...byName.keys()],
    );
    for (const { src, sizes, label } of manifest.screenshots) {
      assert.equal(sizeOf(join(ROOT, byName.get(src) ?? '')), sizes, src);
      assert.ok(label, src);
    }
    const shapes = manifest.screenshots.map(({ form_factor: shape }) => shape);
    assert.ok(shapes.includes('wide') && shapes.includes('narrow'));
  });
});
