// The contract of themes: what docs/themes.md promises is what the style sheets, the settings and the views have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { cursorColor } from '#client/settings/accent.ts';
import { ownTokens } from '#client/settings/own-look.ts';
import { readSources } from './sources.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const doc = read('docs/themes.md');
const styles = read('src/web/styles/tokens.css');
const views = readSources('src/web', /\.tsx$/)
  .map(({ text }) => text)
  .join('\n');
const boot = read('src/web/public/theme-boot.js');

describe('[SET-25] the contract of themes', () => {
  test('every token that can be set is documented, and has a value to begin with', () => {
    const documented = [...doc.matchAll(/^\| `(--ph-[a-z-]+)`/gm)].map(([, name = '']) => name);
    assert.deepEqual(documented, Object.keys(ownTokens));
    for (const name of documented) assert.match(styles, new RegExp(`^    ${name}: `, 'm'), name);
  });

  test('accents are measured against --ph-cursor as the style sheet has it', () => {
    assert.ok(styles.includes(`--ph-cursor: light-dark(${cursorColor.light}, ${cursorColor.dark});`));
  });

  test('every mark that is promised is there', () => {
    const parts = [...doc.matchAll(/^\| `([a-z]+(?:-[a-z]+)?)` \|/gm)].map(([, part = '']) => part);
    assert.ok(parts.length > 20);
    for (const part of parts) assert.match(views, new RegExp(`data-ph="${part}"`), part);
    for (const [, marks = ''] of doc.matchAll(/^\| (?:a task|a list) \| ([^|]+)\|/gm))
      for (const [, mark = ''] of marks.matchAll(/`(data-ph-[a-z]+)`/g))
        assert.match(views, new RegExp(`${mark}=`), mark);
  });

  test('every style sheet stands in a layer, so that one’s own wins', () => {
    const outside = readSources('src/web', /\.css$/).filter(({ text }) => {
      const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/@property[^{]*\{[^}]*\}/g, '');
      let depth = 0;
      return [...bare.matchAll(/([^{}]*)([{}])/g)].some(([, before = '', brace]) => {
        const isOutside = depth === 0 && brace === '{' && !before.includes('@layer');
        depth += brace === '{' ? 1 : -1;
        return isOutside;
      });
    });
    assert.deepEqual(
      outside.map(({ path }) => path),
      [],
    );
    assert.match(styles, /^@layer reset, tokens, look, base, parts, state;$/m);
  });

  test('what is shown before the app is loaded is held to the same form', () => {
    assert.match(boot, /@layer look/);
    assert.match(boot, /url\|image\|element/);
  });
});
