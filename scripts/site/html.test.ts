// Reading drawn markup, and the markdown twin made from it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { elementsOf, readHtml, textOf } from './html.ts';
import { markdownTwin } from './twin.ts';

describe('reading markup', () => {
  test('sees elements, attributes and text; passes over scripts and comments', () => {
    const nodes = readHtml(
      '<!doctype html><p class="a b" hidden>A &amp; B<br>C</p><!-- <i> --><script>if (a<b) {}</script><img src="x" alt="&quot;y&quot;">',
    );
    const found = [...elementsOf(nodes)];
    assert.deepEqual(
      found.map(({ tag }) => tag),
      ['p', 'br', 'script', 'img'],
    );
    assert.deepEqual(found[0]?.attributes, { class: 'a b', hidden: '' });
    assert.equal(textOf(found[0] ?? ''), 'A & BC');
    assert.equal(found[3]?.attributes['alt'], '"y"');
  });
});

describe('the markdown twin', () => {
  const twin = (main: string) =>
    markdownTwin(`<header>x</header><main>${main}</main><footer>y</footer>`).trim();

  test('keeps headings, words, lists, code and tables of the main part', () => {
    assert.equal(
      twin(
        '<h1>One <a class="anchor" href="#x"></a></h1><p>A <strong>b</strong> <em>c</em> <a href="/d">d</a> <kbd>Esc</kbd>.</p><ul><li>x</li><li>y<ul><li>z</li></ul></li></ul><pre data-language="js"><code>a &lt; b\n</code></pre><div><table><thead><tr><th>H</th><th>I</th></tr></thead><tbody><tr><td>1|2</td><td>3</td></tr></tbody></table></div>',
      ),
      [
        '# One',
        'A **b** *c* [d](/d) `Esc`.',
        '- x\n- y\n\n  - z',
        '```js\na < b\n```',
        '| H | I |\n| --- | --- |\n| 1\\|2 | 3 |',
      ].join('\n\n'),
    );
  });

  test('keeps apart what only the look keeps apart', () => {
    assert.equal(
      twin(
        '<p><span>Undo</span><kbd>Esc</kbd><a href="/a">One</a><a href="/b">Two</a></p><p><em>c</em>, <b>d</b>e</p>',
      ),
      'Undo `Esc` [One](/a) [Two](/b)\n\n*c*, de',
    );
  });

  test('leaves out navigation, forms and what is hidden', () => {
    assert.equal(twin('<nav>n</nav><form>f</form><p hidden>h</p><p>Here</p>'), 'Here');
  });
});
