// HTML mail read as text: what is kept, what is left out, and how long it takes on shapes made to be slow.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOfHtml } from './html-text.ts';

const times = (text: string, count: number) => text.repeat(count);

describe('the text of HTML', () => {
  test('[MAIL-2] keeps what is read, in lines as it is read', () => {
    for (const [html, text] of [
      ['plain', 'plain'],
      ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
      ['one<br>two<br/>three', 'one\ntwo\nthree'],
      ['<ul><li>a</li><li>b <b>c</b></li></ul>d', '- a\n- b c\n\nd'],
      ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
      ['<div>a<div>b</div></div>c', 'a\nb\nc'],
      ['  a \n\n  b  <i>c</i>\td ', 'a b c d'],
      ['<pre>a\n  b</pre>', 'a\n  b'],
      ['a<hr>b', 'a\n---\nb'],
      ['&lt;b&gt; &amp;amp; &#8364; &#x1F33B; &nbsp;x &unknown; &#0; &#xD800;', '<b> &amp; € 🌻 x &unknown;'],
      ['a < b > c <3', 'a < b > c <3'],
    ] as const)
      assert.equal(textOfHtml(html), text, html);
  });

  test('[MAIL-2] keeps addresses of links that lead somewhere', () => {
    for (const [html, text] of [
      ['<a href="https://a.example/x?a=1&amp;b=2">here</a>', 'here (https://a.example/x?a=1&b=2)'],
      ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
      ['<a href="mailto:ada@example.org">ada@example.org</a>', 'ada@example.org'],
      ['<a href="javascript:alert(1)">x</a>', 'x'],
      ['<a href="#top">up</a>', 'up'],
      ['<a href=https://a.example>x</a>', 'x (https://a.example)'],
      ["<a class='b' href='https://a.example'><img alt='Logo'></a>", 'Logo (https://a.example)'],
      ['<a href="https://a.example"><img></a>', 'https://a.example'],
    ] as const)
      assert.equal(textOfHtml(html), text, html);
  });

  test('[MAIL-2] leaves out what is not for reading, and survives what is broken', () => {
    for (const [html, text] of [
      ['a<script>alert("</b>")</script>b', 'ab'],
      ['a<STYLE>p{}</STYLE>b', 'ab'],
      ['<head><title>t</title></head><body>b</body>', 'b'],
      ['a<!-- <p>c</p> -->b', 'ab'],
      ['<!DOCTYPE html><?xml version="1.0"?>a', 'a'],
      ['a<p class="x > y">b', 'a\n\nb'],
      ['a<p class="never closed>b</p>', 'a\n\nb'],
      ['a<script>never closed', 'anever closed'],
      ['a<!-- never closed', 'a'],
      ['a<', 'a<'],
      ['</p></p></div>a', 'a'],
      ['<img onerror=alert(1) src=x>a<svg/onload=alert(1)>b</svg>', 'a'],
    ] as const)
      assert.equal(textOfHtml(html), text, html);
  });

  test('[MAIL-2] takes time in proportion to its length', () => {
    for (const piece of [
      '<',
      '<a',
      '<!--',
      '<p "',
      '<a href="',
      '<script>',
      '</pre><pre>\n ',
      '<b>x</b>',
      '&#',
      '&lt;',
      '<td> </td>',
      '<a href=https://x.example>y',
      ' \t',
      '<p>',
      '<i =\'">',
    ]) {
      const time = (length: number) => {
        const html = times(piece, Math.ceil(length / piece.length));
        const before = process.cpuUsage();
        textOfHtml(html);
        // What neighbours on the machine use is not in it.
        return process.cpuUsage(before).user / 1_000;
      };
      time(20_000);
      const ms = time(200_000);
      // Four times as much within eight times the time, and a floor for what a busy machine adds.
      assert.ok(time(800_000) < Math.max(400, 8 * ms), `${JSON.stringify(piece)} took ${ms} ms`);
    }
  });
});
