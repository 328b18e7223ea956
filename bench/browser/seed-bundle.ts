// The seeding program as one script text, made by the same bundler as the app.
import { join } from 'node:path';

/** Takes about a second. */
export async function bundleSeedProgram(): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, '../..'),
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2024',
      lib: {
        entry: join(import.meta.dirname, 'seed-program.ts'),
        formats: ['iife'],
        name: 'benchSeedProgram',
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The seeding program was not built.');
  return chunk.code;
}
