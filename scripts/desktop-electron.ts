// Puts together what Electron runs: dist/desktop-electron, which electron-builder packs by config/electron-builder.json.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDesktop, bundle } from './desktop-build.ts';
import { ROOT } from './files.ts';

const OUTPUT = join(ROOT, 'dist/desktop-electron');
/** Of the Node in Electron 45. */
const TARGET = 'node24';

/** Makes the folder anew and returns its path. */
export async function buildElectron(): Promise<string> {
  await buildDesktop();
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  cpSync(join(ROOT, 'dist/desktop'), OUTPUT, {
    recursive: true,
    filter: (from) => !from.endsWith('/desktop/main.js'),
  });
  for (const name of ['main', 'preload'])
    writeFileSync(
      join(OUTPUT, `${name}.js`),
      await bundle(`src/desktop/electron/${name}.ts`, {
        format: 'cjs',
        target: TARGET,
        external: [/^electron$/, /^node:/, /^(?:bufferutil|utf-8-validate)$/],
        isForNode: true,
      }),
    );
  const { version, description, license } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'version' | 'description' | 'license', string>;
  const whole = {
    name: 'posthaste',
    productName: 'Posthaste',
    version,
    description,
    license,
    main: 'main.js',
  };
  writeFileSync(join(OUTPUT, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
  return OUTPUT;
}
