// What an appearance becomes: accents that can be read, own tokens and gradients that can do nothing but colour.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelColors } from '../labels/colors.ts';
import { accentTokens, cursorColor } from './accent.ts';
import { contrast, hexOfLch, lchOf } from './contrast.ts';
import { type Appearance, lookOf } from './look.ts';
import { gradientProblem, readOwnTokens } from './own-look.ts';

const usual: Appearance = {
  theme: 'auto',
  accent: '',
  density: 'comfortable',
  statusBar: 'shown',
  fontSize: 100,
  motion: 'system',
  tokens: '',
  gradient: '',
};
const look = (said: Partial<Appearance>, isSafe = false) => lookOf({ ...usual, ...said }, isSafe);

/** The values of a token in the light and in the dark theme. */
function both(value: string | undefined): readonly [string, string] {
  const pair = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value ?? '');
  return [pair?.[1] ?? value ?? '', pair?.[2] ?? value ?? ''];
}

const SURFACES = [
  ['#ffffff', '#f3f4f7', '#f7f8fa', cursorColor.light],
  ['#131519', '#0b0d10', '#0f1114', '#1c1f24', cursorColor.dark],
] as const;
const TEXTS = [
  ['#181e29', '#505763'],
  ['#ebedf1', '#acb1ba'],
] as const;

describe('accent colours', () => {
  /** Of every hue, from grey to gaudy, from black to white. */
  const gamut = [0.05, 0.35, 0.65, 0.97].flatMap((l) =>
    [0, 0.08, 0.2].flatMap((c) =>
      Array.from({ length: 12 }, (_, hour) => hexOfLch({ l, c, h: (hour * Math.PI) / 6 })),
    ),
  );

  test('[SET-21] whatever the colour, text and lines in it can be read in both themes', () => {
    for (const accent of [...labelColors.map(({ value }) => value), ...gamut]) {
      const tokens = accentTokens(accent);
      for (const fill of [tokens['--ph-accent'], tokens['--ph-accent-hover']])
        assert.ok(contrast(fill ?? '', '#ffffff') >= 4.5, `${accent}: white on ${fill}`);
      const selected = both(tokens['--ph-selected']);
      const strong = both(tokens['--ph-selected-strong']);
      for (const theme of [0, 1] as const) {
        const [text, focus] = [both(tokens['--ph-accent-text'])[theme], both(tokens['--ph-focus'])[theme]];
        for (const surface of [...SURFACES[theme], selected[theme]]) {
          assert.ok(contrast(text, surface) >= 4.5, `${accent}: ${text} on ${surface}`);
          assert.ok(contrast(focus, surface) >= 3, `${accent}: line ${focus} on ${surface}`);
        }
        for (const plain of TEXTS[theme])
          for (const tint of [selected[theme], strong[theme]])
            assert.ok(contrast(plain, tint) >= 4.5, `${accent}: ${plain} on ${tint}`);
      }
    }
  });

  test('colours survive the way to lightness, chroma and hue and back', () => {
    for (const hex of ['#000000', '#ffffff', '#3679e7', '#e2403a', '#808016'])
      assert.equal(hexOfLch(lchOf(hex)), hex);
  });
});

describe('own themes', () => {
  test('[SET-22] documented tokens with values of their kind count, names with or without their prefix', () => {
    const text =
      '--ph-surface: light-dark(#fffdf7, oklch(0.2 0.01 80));\n\nradius-row: 2px\nfont: "Iosevka", monospace';
    assert.deepEqual(readOwnTokens(text), {
      problem: null,
      tokens: {
        '--ph-surface': 'light-dark(#fffdf7, oklch(0.2 0.01 80))',
        '--ph-radius-row': '2px',
        '--ph-font': '"Iosevka", monospace',
      },
    });
  });

  test('[SET-22] anything else is refused with its line, and nothing of it counts', () => {
    const refused = [
      'surface: url(https://example.test/x.png)',
      'surface: red; } body { display: none',
      'surface: light-dark(red, url(x))',
      'surface: light-dark(red)(',
      'surface: var(--x)',
      'surface: expression(1)',
      'surface: #12',
      'surface: rgb(1 2 3',
      'font: x; background: url(y)',
      'font: url(y)',
      'measure: calc(1px + 1px)',
      'measure: 12',
      'row: 2px',
      'app-h: 1px',
      '__proto__: red',
      'constructor: red',
      'surface red',
      ': red',
      'x'.repeat(5_000),
    ];
    for (const text of refused) {
      const { tokens, problem } = readOwnTokens(`accent: red\n${text}`);
      assert.deepEqual(tokens, {}, text);
      assert.match(problem ?? '', /\.$/, text);
    }
    assert.match(
      readOwnTokens('accent: red\nsurface: nope!').problem ?? '',
      /^Line 2: surface needs a color/,
    );
  });

  test('[SET-23] gradients count; what fetches, calls or closes anything does not', () => {
    const good = [
      '',
      'linear-gradient(135deg, #d7e8ff, #ffebe8)',
      'repeating-conic-gradient(from 10deg, red 0 5%, rgb(0 0 0 / 0.5) 5% 10%)',
      'radial-gradient(circle at 10% 20%, oklch(0.9 0.1 20), transparent 40%), linear-gradient(red, blue)',
    ];
    for (const text of good) assert.equal(gradientProblem(text), null, text);
    const bad = [
      'url(https://example.test/x.png)',
      'linear-gradient(red, blue), url(x)',
      'linear-gradient(red, url(x))',
      'linear-gradient(red, blue);} body{display:none',
      'linear-gradient(red, blue)) , (',
      'linear-gradient(var(--x), blue)',
      'linear-gradient(env(x), blue)',
      'image-set("x" 1x)',
      'element(#x)',
      'cross-fade(red, blue)',
      'linear-gradient(red, \\75rl(x))',
      'red',
      `linear-gradient(${'red,'.repeat(400)}blue)`,
    ];
    for (const text of bad) assert.notEqual(gradientProblem(text), null, text);
  });
});

describe('the look', () => {
  test('the usual one leaves the page as it is', () => {
    assert.deepEqual(look({}), { marks: {}, tokens: {} });
  });

  test('marks and tokens are what was chosen; own tokens win over the accent', () => {
    const { marks, tokens } = look({
      theme: 'dark',
      density: 'compact',
      motion: 'reduced',
      statusBar: 'hidden',
      fontSize: 115,
      accent: '#8e61eb',
      tokens: 'focus: #ff0000',
      gradient: ' linear-gradient(red, blue) ',
    });
    assert.deepEqual(marks, {
      theme: 'dark',
      density: 'compact',
      motion: 'reduced',
      status: 'hidden',
      gradient: '',
    });
    assert.equal(tokens['--ph-scale'], '115%');
    assert.equal(tokens['--ph-focus'], '#ff0000');
    assert.equal(tokens['--ph-theme-gradient'], 'linear-gradient(red, blue)');
  });

  test('[SET-24] a safe start keeps theme, density and size, and leaves out the rest', () => {
    const said = {
      theme: 'dark',
      fontSize: 130,
      accent: '#8e61eb',
      tokens: 'text: #fff',
      gradient: 'linear-gradient(red, blue)',
    } as const;
    assert.deepEqual(look(said, true), { marks: { theme: 'dark' }, tokens: { '--ph-scale': '130%' } });
  });
});
