// Which parts of pages are kept (site-conditions.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conditionMarks, resolveConditions } from './site-conditions.ts';

describe('conditions of the site', () => {
  const { begin, otherwise, end } = conditionMarks('mail');

  test('keep the part that holds, over lines and in attributes, and leave out the other', () => {
    const text = `<p class="a${begin} b${end}">${begin}We\nwrite.${otherwise}Nobody <b>writes</b>.${end}</p> %ELSE% 5 %`;
    assert.equal(resolveConditions(text, new Set(['mail'])), '<p class="a b">We\nwrite.</p> %ELSE% 5 %');
    assert.equal(
      resolveConditions(text, new Set(['social'])),
      '<p class="a">Nobody <b>writes</b>.</p> %ELSE% 5 %',
    );
  });

  test('do not reach from one into the next', () => {
    const text = `${begin}1${end}-${conditionMarks('social').begin}2${otherwise}3${end}`;
    assert.equal(resolveConditions(text, new Set()), '-3');
    assert.equal(resolveConditions(text, new Set(['mail', 'social'])), '1-2');
  });
});
