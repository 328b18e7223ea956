// That labels can be read and told apart in both themes: the figures of WCAG for what outline.module.css draws.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cursorColor } from '../settings/accent.ts';
import { labelColors, nextColor } from './colors.ts';

const TINT = 0.15;
/** Background of rows, of the list at the side, of a hovered and of a raised surface; the text on them. */
const THEMES = [
  { name: 'light', text: '#181e27', backgrounds: ['#f3f4f7', '#ffffff', '#f7f8fa', cursorColor.light] },
  { name: 'dark', text: '#eaecee', backgrounds: ['#0b0d10', '#131519', '#0f1114', cursorColor.dark] },
];

type Rgb = readonly [number, number, number];

function rgb(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function tinted(color: Rgb, background: Rgb): Rgb {
  const mix = (at: 0 | 1 | 2) => color[at] * TINT + background[at] * (1 - TINT);
  return [mix(0), mix(1), mix(2)];
}

describe('colours of labels', () => {
  test('[LABEL-9] the name stands out by 4.5:1 and the dot by 3:1, in the light and in the dark theme', () => {
    for (const { name, text, backgrounds } of THEMES) {
      for (const color of labelColors) {
        for (const background of backgrounds) {
          const chip = tinted(rgb(color.value), rgb(background));
          const onChip = contrast(rgb(text), chip);
          assert.ok(onChip >= 4.5, `${color.name} ${name} ${background}: text ${onChip}`);
          const dot = contrast(rgb(color.value), rgb(background));
          assert.ok(dot >= 3, `${color.name} ${name} ${background}: dot ${dot}`);
        }
      }
    }
  });

  test('[LABEL-9] a new label has the colour used least', () => {
    const [first, second] = labelColors.map(({ value }) => value);
    assert.equal(nextColor([]), first);
    assert.equal(nextColor([first ?? '']), second);
    assert.equal(nextColor(labelColors.map(({ value }) => value)), first);
  });
});
