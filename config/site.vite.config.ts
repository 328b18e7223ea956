// How the public site's scripts and styles become files, and how its pages become a program that the build runs once.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { neededScripts, preloadHelper } from './preload-helper.ts';

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig({
  root: folder('src/site'),
  base: '/',
  publicDir: false,
  cacheDir: folder('node_modules/.vite'),
  plugins: [react(), preloadHelper('/')],
  build: {
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    manifest: true,
    emptyOutDir: true,
    modulePreload: { polyfill: false, resolveDependencies: neededScripts },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        page: folder('src/site/scripts/page.ts'),
        island: folder('src/site/islands/mount.tsx'),
        'public-list': folder('src/site/public-list/main.ts'),
      },
    },
  },
});
