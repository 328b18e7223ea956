// Holds the app's style sheets to its components and its tokens: every class is defined and used, space and color come from
// src/web/styles/tokens.css.
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { readSources, withoutComments } from './sources.ts';

const TOKENS = 'src/web/styles/tokens.css';

/** Classes looked up by a computed name, per component: `styles[kind]`. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  'src/web/dialogs/button.tsx': ['primary', 'danger'],
};

const withoutComment = ({ path, text }: { path: string; text: string }) => ({
  path,
  text: withoutComments(text),
});
const sheets = readSources('src/web', /\.css$/).map(withoutComment);
const components = readSources('src', /\.tsx?$/).map(withoutComment);
const tokens = sheets.find(({ path }) => path === TOKENS)?.text ?? '';

/** The classes that the selectors of a CSS module name; global ones are not its own. */
function classesOf(css: string): Set<string> {
  const own = css.replaceAll(/'[^'\n]*'/g, "''").replaceAll(/:global\((?:[^()]|\([^()]*\))*\)/g, '');
  const selectors = [...own.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector.trim());
  return new Set(
    selectors
      .filter((selector) => !selector.startsWith('@'))
      .flatMap((selector) => [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name)),
  );
}

/** The CSS modules that a component imports, under the names that it gives them. */
function modulesOf({
  path,
  text,
}: {
  path: string;
  text: string;
}): (readonly [name: string, sheet: string])[] {
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)';/gm)].map(
    ([, name = '', specifier = '']) => [name, posix.join(posix.dirname(path), specifier)] as const,
  );
}

/** The classes that a component takes from a module by their own names. */
function classesNamed(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`(?<![\\w.'])${name}\\.(\\w+)`, 'g'))].map(([, found = '']) => found);
}

/** Classes named by components, by CSS module; a computed name belongs to the component's first module. */
function classesUsed(): Map<string, Map<string, string>> {
  const used = new Map<string, Map<string, string>>();
  for (const component of components) {
    for (const [index, [name, sheet]] of modulesOf(component).entries()) {
      const classes = used.get(sheet) ?? new Map<string, string>();
      used.set(sheet, classes);
      const computed = index === 0 ? (COMPUTED[component.path] ?? []) : [];
      for (const found of [...classesNamed(component.text, name), ...computed])
        classes.set(found, component.path);
    }
  }
  return used;
}

const modules = sheets.filter(({ path }) => path.endsWith('.module.css'));
const used = classesUsed();

/** The values of gaps, padding and margins, each with its declaration. */
function spaces(css: string): { declaration: string; value: string }[] {
  const declarations = css.matchAll(
    /(?<=^|[\s;{])((?:(?:row-|column-)?gap|(?:scroll-)?(?:padding|margin)(?:-[a-z-]+)?):([^;{}]+);)/g,
  );
  return [...declarations].flatMap(([, declaration = '', values = '']) =>
    [...values.matchAll(/(?<![\w.-])\d+px(?!\w)/g)].map(([value]) => ({ declaration, value })),
  );
}

describe('classes of the app', () => {
  test('every class that a component names is defined in its module', () => {
    const defined = new Map(modules.map(({ path, text }) => [path, classesOf(text)]));
    const missing = [...used].flatMap(([sheet, classes]) =>
      [...classes]
        .filter(([name]) => defined.get(sheet)?.has(name) !== true)
        .map(([name, component]) => `${component} names .${name}, which ${sheet} lacks`),
    );
    assert.deepEqual(missing, []);
  });

  test('every class of a module is named by a component', () => {
    const idle = modules.flatMap(({ path, text }) =>
      [...classesOf(text)]
        .filter((name) => used.get(path)?.has(name) !== true)
        .map((name) => `${path}: .${name}`),
    );
    assert.deepEqual(idle, []);
  });

  test('components that compute the name of a class are listed', () => {
    const computing = components.filter((component) =>
      modulesOf(component).some(([name]) => new RegExp(`(?<![\\w.'])${name}\\[`).test(component.text)),
    );
    assert.deepEqual(
      computing.map(({ path }) => path),
      Object.keys(COMPUTED),
    );
  });
});

describe('tokens of the app', () => {
  const steps = new Map(
    [...tokens.matchAll(/(--ph-space-\d+): (\d+px);/g)].map(([, name = '', value = '']) => [value, name]),
  );

  test('a gap, padding or margin that equals a step of space is written as its token', () => {
    assert.ok(steps.size > 0);
    const plain = sheets.flatMap(({ path, text }) =>
      spaces(text).flatMap(({ declaration, value }) => {
        const token = steps.get(value);
        return token === undefined ? [] : [`${path}: ${declaration} ${value} is var(${token})`];
      }),
    );
    assert.deepEqual(plain, []);
  });

  test('every step of space is defined and used', () => {
    const named = sheets.flatMap(({ text }) =>
      [...text.matchAll(/var\((--ph-space-[^),]*)/g)].map(([, name = '']) => name),
    );
    assert.deepEqual([...new Set(named)].toSorted(), [...steps.values()].toSorted());
  });

  test('every variable that is read is set somewhere', () => {
    const all = [...sheets, ...components].map(({ text }) => text).join('\n');
    const isSet = (name: string) => new RegExp(`${name}(?:['"\`]|\\s*:)`).test(all);
    const read = sheets.flatMap(({ path, text }) =>
      [...text.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, name = '']) => ({ path, name })),
    );
    assert.deepEqual(
      read.filter(({ name }) => !isSet(name)),
      [],
    );
  });

  test('other sheets have no color of their own but black and white', () => {
    const colors = sheets
      .filter(({ path }) => path !== TOKENS)
      .flatMap(({ path, text }) =>
        [...text.matchAll(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^)]*\)/gi)].map(
          ([color]) => `${path}: ${color}`,
        ),
      )
      .filter((found) => !/: #(?:0{3}|0{6}|f{3}|f{6})$/i.test(found));
    assert.deepEqual(colors, []);
  });
});

describe('reading style sheets', () => {
  test('sees the classes of selectors, not those in texts, globals and values', () => {
    const css = [
      '@layer parts {',
      '  .one:not(.two > .three)::before { content: ".five"; margin: .5em; }',
      "  @media (width < 76.8px) { .four[data-action='task.done'], :global(html:has(.six)) .four {} }",
      '  @keyframes shake { 25.5% { translate: 1px; } }',
      '}',
    ].join('\n');
    assert.deepEqual([...classesOf(css)].toSorted(), ['four', 'one', 'three', 'two']);
  });

  test('sees every length of a space, also inside a function, but no negative one', () => {
    const css =
      '.a { gap: 4px 10px; padding: calc(6px + env(safe)) 0; scroll-margin-block: -8px 1.5px; inset: 2px; }';
    assert.deepEqual(
      spaces(css).map(({ value }) => value),
      ['4px', '10px', '6px'],
    );
  });
});
