import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHtml } from './html.ts';
import { markupFaults } from './markup-rules.ts';

const faultsOf = (html: string) => markupFaults(readHtml(html));

describe('rules of markup', () => {
  test('take what the standard takes', () => {
    const good = [
      '<p>One <a href="/"><kbd>K</kbd> two</a><br></p>',
      '<ul><li><p>x</p></li></ul><dl><div><dt>a</dt><dd>b</dd></div></dl>',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><ul><li>b</li></ul></td></tr></tbody></table>',
      '<label for="x">L</label><input id="x" aria-describedby="y"><p id="y"></p>',
      '<a href="/"><h2>Heading</h2><p>words</p></a>',
      '<p><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg></p>',
      '<img src="a.png" alt="" width="1" height="1">',
    ];
    for (const html of good) assert.deepEqual(faultsOf(html), [], html);
  });

  test('name what it does not take', () => {
    const bad: readonly (readonly [html: string, fault: string])[] = [
      ['<p><div>x</div></p>', 'div stands in p'],
      ['<ul><p>x</p></ul>', 'p stands in ul'],
      ['<ul>words</ul>', 'words stand in ul'],
      ['<li>x</li>', 'li stands in '],
      ['<table><tr><td>x</td></tr></table>', 'tr stands in table'],
      ['<a href="/"><span><button>x</button></span></a>', 'button stands in a'],
      ['<label for="x">L</label>', 'label points to x, which is not there'],
      ['<center>x</center>', 'there is no element center'],
      ['<p align="left">x</p>', 'align at p'],
      ['<img src="a.png" width="1" height="1">', 'a.png has no alternative text'],
      ['<img src="a.png" alt="">', 'a.png has no size'],
    ];
    for (const [html, fault] of bad) assert.ok(faultsOf(html).includes(fault), html);
  });
});
