// Prints every text that a person reads, as `path:line text`: literals, templates and JSX texts found in the TypeScript syntax tree.
// `node scripts/words.ts [folder]` reads one folder instead of `src`. It guesses: a text counts when it has a letter and a space,
// is between tags, or is the value of a property such as `title`. Imports, types, class names, SQL, addresses and tests are left out.
import { extname, join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExportDeclaration,
  isImportDeclaration,
  isJsxAttribute,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is';
import { filesUnder, ROOT } from './files.ts';

/** Their values are for people even when they are one word. */
const READ =
  /^(?:title|name|label|hint|description|placeholder|alt|summary|heading|text|message|noun|aria-label|aria-description)$/;

/** Their values are for programs whatever they look like. */
const UNREAD =
  /^(?:class|className|style|selector|key|id|href|src|d|viewBox|transform|media|sizes|rel|type)$/;

/** Calls that take text for programs: selectors, classes, statements and what only a log or a failed assertion shows. */
const UNREAD_CALL =
  /(?:querySelector(?:All)?|closest|matches|classList\.\w+|\.(?:exec|prepare|query)|assert|must|setAttribute)$/;

const SQL =
  /^\s*(?:select\s[\s\S]*\sfrom|insert\s+(?:or\s+\w+\s+)?into|update\s+\S+\s+set|delete\s+from|(?:create|alter|drop)\s+(?:unique\s+)?(?:table|index)|pragma|begin|vacuum)\b/i;

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

function nameOf(node: Node, source: SourceFile): string {
  return node.getText(source).replaceAll(/^['"]|['"]$/g, '');
}

/** What a literal is given to, through choices and sums: a property, an attribute or a call; empty for none. */
function receiverOf(node: Node, source: SourceFile): { readonly property: string; readonly call: string } {
  let [at, up] = [node, node.parent];
  while (isConditionalExpression(up) || isBinaryExpression(up)) [at, up] = [up, up.parent];
  if ((isPropertyAssignment(up) && up.initializer === at) || isJsxAttribute(up))
    return { property: nameOf(up.name, source), call: '' };
  if (isCallExpression(up) || isNewExpression(up))
    return { property: '', call: nameOf(up.expression, source) };
  return { property: '', call: '' };
}

function isForPeople(text: string, node: Node, source: SourceFile): boolean {
  if (!/\p{L}/u.test(text) || SQL.test(text)) return false;
  if (isJsxText(node)) return true;
  const { property, call } = receiverOf(node, source);
  if (UNREAD.test(property) || UNREAD_CALL.test(call)) return false;
  if (READ.test(property)) return !/^[a-z]+(?:[-_.:/][\w-]+)+$/.test(text);
  // Long runs of bare words are dictionaries.
  if (text.length > 1_000 && !/[.,:]/.test(text)) return false;
  // Words, not a selector, a path, an address or a list of codes.
  return (
    /\p{L}\S* +\S*\p{L}|^\p{Lu}\p{Ll}+[.…!?]$/u.test(text) &&
    !/^(?:https?:|[./#[&*:@<])|[{};]\s*$|=>/.test(text)
  );
}

/** The literal as it is written, with `{…}` where a template puts something in. */
function textOf(node: Node, source: SourceFile): string | undefined {
  if (isJsxText(node) || isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node))
    return squeezed(node.text);
  if (!isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${expression.getText(source)}}${literal.text}`,
  );
  return squeezed(node.head.text + spans.join(''));
}

function printWords(path: string, source: SourceFile): void {
  const lineOf = (node: Node) => {
    const start = isJsxText(node) ? node.end - node.text.trimStart().length : node.getStart(source);
    return source.text.slice(0, start).split('\n').length;
  };
  const visit = (node: Node): void => {
    if (
      isImportDeclaration(node) ||
      isExportDeclaration(node) ||
      isTypeNode(node) ||
      isTaggedTemplateExpression(node)
    )
      return;
    const text = textOf(node, source);
    if (text !== undefined && isForPeople(text, node, source)) console.log(`${path}:${lineOf(node)} ${text}`);
    node.forEachChild(visit);
  };
  visit(source);
}

const folder = (process.argv[2] ?? 'src').replace(/\/$/, '');
const api = new API({ cwd: ROOT });
try {
  const config = join(ROOT, 'tsconfig.json');
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  for (const path of filesUnder(folder)) {
    if (!['.ts', '.tsx'].includes(extname(path)) || /\.test\.tsx?$|\.d\.ts$/.test(path)) continue;
    const source = project?.program.getSourceFile(join(ROOT, path));
    if (source !== undefined) printWords(path, source);
  }
} finally {
  api.close();
}
