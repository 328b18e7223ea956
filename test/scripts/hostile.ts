// Scripts that mean harm, and scripts that do it by accident: none may hold up the app, leave anything behind for the next one,
// or end without a sentence. Run in Node by hostile.test.ts and in a browser by test/browser/scripts.test.ts.

export interface Hostile {
  readonly name: string;
  readonly source: string;
  /** What is said of it, or a variable that it returns. */
  readonly ends: RegExp | 'answers';
}

const SLOW = /took longer than 0\.2 seconds/;
const DEPTH = /call each other too many times/;
/** How far it gets depends on the machine. */
const LIMITS = /took longer|used more than|too many times|stopped with an error/;
const TEXT_ONLY = /must return text only/;
const THREW = /stopped with an error/;

/** The body of updateVariables. */
const calls = (name: string, body: string, ends: Hostile['ends']): Hostile => ({
  name,
  source: `function updateVariables(variables, state) { ${body} }`,
  ends,
});
/** Code at the top level, before a function that would answer. */
const top = (name: string, code: string, ends: Hostile['ends']): Hostile => ({
  name,
  source: `${code}\nfunction updateVariables() { return { done: 'yes' }; }`,
  ends,
});

const loops: readonly Hostile[] = [
  top('a loop at the top level', 'for (;;);', SLOW),
  calls('a loop in the function', 'while (true) {}', SLOW),
  top(
    'a loop that catches what ends it',
    'for (;;) { try { for (;;); } catch {} finally { continue; } }',
    SLOW,
  ),
  calls('a loop in a getter of the answer', 'return { get a() { for (;;); } };', SLOW),
  calls('a loop in a trap of a proxy', 'return new Proxy({}, { ownKeys() { for (;;); } });', SLOW),
  calls('a loop in toString of what is thrown', 'throw { toString() { for (;;); } };', THREW),
  calls('a loop in message of what is thrown', 'throw { get message() { for (;;); } };', SLOW),
  calls(
    'a loop in name of an error',
    "const e = new Error('x'); Object.defineProperty(e, 'name', { get() { for (;;); } }); throw e;",
    SLOW,
  ),
  calls('a loop in toJSON of what is logged', 'console.log({ toJSON() { for (;;); } }); return {};', SLOW),
  calls(
    'a generator without an end',
    'function* g() { for (;;) yield 1; } for (const x of g()); return {};',
    SLOW,
  ),
  calls(
    'an iterator without an end, spread',
    'return { a: [...{ *[Symbol.iterator]() { for (;;) yield 1; } }].join() };',
    LIMITS,
  ),
  calls(
    'a destructured array without an end',
    'const [...a] = (function* () { for (;;) yield "x"; })(); return {};',
    LIMITS,
  ),
  calls('replacing for ever', "let s = 'a'; for (;;) s = s.replace('a', 'a');", SLOW),
  top(
    'a getter on the global object that loops',
    "Object.defineProperty(globalThis, 'updateVariables', { get() { for (;;); }, configurable: true });",
    /took longer|stopped with an error/,
  ),
];

const natives: readonly Hostile[] = [
  calls('an array of a billion as text', "return { a: new Array(1e9) + '' };", LIMITS),
  calls('an array of a billion, joined', "return { a: new Array(1e9).join('x') };", LIMITS),
  calls('an array of a billion, filled', 'new Array(1e9).fill(0); return {};', LIMITS),
  calls(
    'indexOf in four billion',
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); return {};',
    SLOW,
  ),
  calls(
    'reverse of an object that says it is long',
    'Array.prototype.reverse.call({ length: 2 ** 53 - 1 }); return {};',
    SLOW,
  ),
  calls('a text of a billion', "return { a: 'x'.repeat(2 ** 30) };", LIMITS),
  calls('a text that doubles', "let s = 'x'; for (;;) s += s;", LIMITS),
  calls('padding to a billion', "return { a: 'x'.padEnd(2 ** 29) };", LIMITS),
  calls(
    'a sort that is never done',
    'const a = Array.from({ length: 100000 }, () => Math.random()); for (;;) a.sort(() => Math.random() - 0.5);',
    SLOW,
  ),
  calls('a sort by a comparison that loops', 'return { a: [2, 1].sort(() => { for (;;); }).join() };', SLOW),
  calls(
    'an expression that backtracks',
    "return { a: String(/^(a+)+$/.test('a'.repeat(40) + 'b')) };",
    LIMITS,
  ),
  calls(
    'an expression that backtracks through a replacement',
    "return { a: 'a'.repeat(50).replace(/(a|aa)+$/g, 'b') + /^(a|a?)+$/.test('a'.repeat(40) + 'b') };",
    LIMITS,
  ),
  calls(
    'an expression with look-behind',
    "return { a: String(/(?<=(a*)*)b$/.test('a'.repeat(5000))) };",
    /took longer|text only|stopped|answers/,
  ),
  calls('a number with a million digits', 'return { a: String(2n ** 100000000n) };', LIMITS),
  calls('multiplied numbers that grow', 'let n = 3n; for (;;) n *= n;', LIMITS),
  calls(
    'JSON of a large object',
    'const o = {}; let at = o; for (let i = 0; i < 1e5; i += 1) at = at.a = {}; return { a: JSON.stringify(o) };',
    LIMITS,
  ),
  calls('JSON nested deeply', "JSON.parse('['.repeat(1e6)); return {};", LIMITS),
  calls(
    'normalizing without an end',
    "const s = '\\u1e9b\\u0323'.repeat(1e5); for (;;) s.normalize('NFKD');",
    LIMITS,
  ),
  calls('splitting into a million', "const s = 'x'.repeat(1e6); for (;;) s.split('');", LIMITS),
  calls('typed arrays of a gigabyte', 'new Uint8Array(2 ** 30); return {};', LIMITS),
  calls('many typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1e6));', LIMITS),
  calls('shared memory', 'const a = []; for (;;) a.push(new SharedArrayBuffer(1e6));', LIMITS),
  calls(
    'waiting on shared memory',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return {};',
    THREW,
  ),
];

const depths: readonly Hostile[] = [
  calls('recursion', 'const f = () => f() + 1; return f();', DEPTH),
  calls('recursion through getters', 'const o = { get a() { return this.a; } }; return o.a;', DEPTH),
  calls(
    'recursion through proxies',
    'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return { a: p.x };',
    LIMITS,
  ),
  calls(
    'recursion through toString',
    "const o = { toString() { return '' + this; } }; return { a: '' + o };",
    DEPTH,
  ),
  calls(
    'recursion through constructors',
    'class A { constructor() { this.a = new A(); } } new A(); return {};',
    DEPTH,
  ),
  calls(
    'recursion through bound functions',
    'let f = () => 1; for (let i = 0; i < 1e5; i += 1) f = f.bind(null); f(); return {};',
    LIMITS,
  ),
  top('code nested deeply', `const nested = ${'['.repeat(20_000)}${']'.repeat(20_000)};`, LIMITS),
  top('a long chain of operators', `const sum = ${'1+'.repeat(15_000)}1;`, /./),
  calls('a cycle in the answer', 'const o = {}; o.o = o; return o;', TEXT_ONLY),
];

const memory: readonly Hostile[] = [
  calls('objects without an end', 'const a = []; for (;;) a.push({ a: 1 });', LIMITS),
  calls(
    'texts without an end',
    "const a = []; for (let i = 0; ; i += 1) a.push('x'.repeat(1e5) + i);",
    LIMITS,
  ),
  calls(
    'memory, caught',
    "const a = []; for (;;) { try { for (;;) a.push('y'.repeat(1e5) + a.length); } catch {} }",
    LIMITS,
  ),
  calls('maps without an end', 'const m = new Map(); for (let i = 0; ; i += 1) m.set(i, { i });', LIMITS),
  calls('symbols without an end', 'const a = []; for (;;) a.push(Symbol());', LIMITS),
  calls(
    'functions without an end',
    "const a = []; for (let i = 0; ; i += 1) a.push(new Function('return ' + i));",
    LIMITS,
  ),
  calls('names without an end', "const o = {}; for (let i = 0; ; i += 1) o['a' + i] = '';", LIMITS),
  calls('lines without an end', "for (let i = 0; ; i += 1) console.log('line ' + i);", SLOW),
  calls(
    'a line of ten megabytes',
    "console.log('x'.repeat(1e7)); return { done: 'yes' };",
    /answers|used more|stopped/,
  ),
];

const answers: readonly Hostile[] = [
  calls('a number', 'return { count: 3 };', /`count` is a number/),
  calls('nothing', '', /returned nothing/),
  calls('a promise', "return Promise.resolve({ a: 'x' });", /returned a promise/),
  {
    name: 'an async function',
    source: "async function updateVariables() { return { a: 'x' }; }",
    ends: /returned a promise/,
  },
  calls('a promise that is refused', 'return Promise.reject(new Error("x"));', /returned a promise/),
  calls('a thenable', 'return { then() { for (;;); } };', /`then` is a function/),
  { name: 'a generator', source: 'function* updateVariables() { yield 1; }', ends: 'answers' },
  calls('an array', "return ['a'];", /It returned an array/),
  calls('a symbol', "return Symbol('x');", /It returned a symbol/),
  calls('a member that is a symbol', "return { a: Symbol('x') };", /`a` is a symbol/),
  calls('a member that is a bigint', 'return { a: 1n };', /`a` is a bigint/),
  calls('a member that is a text object', "return { a: new String('x') };", /`a` is an object/),
  calls('a megabyte', "return { a: 'x'.repeat(1e6) };", /1,000,000 characters/),
  calls(
    'ten thousand names',
    "const o = {}; for (let i = 0; i < 1e4; i += 1) o['n' + i] = ''; return o;",
    /10,000 variables/,
  ),
  calls(
    'a proxy with a million names',
    "return new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => 'n' + i) });",
    LIMITS,
  ),
  calls(
    'a proxy that lies',
    "return new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: '1', enumerable: true, configurable: true }), get: () => 7 });",
    /`a` is a number/,
  ),
  calls('a name with a line break', "return { 'a\\nb': 'x' };", /can’t be the name/),
  calls('a name with markup', "return { '<img src=x onerror=alert(1)>': 'x' };", /can’t be the name/),
  calls('the name of the prototype', "return { ['__proto__']: 'x', constructor: 'y' };", 'answers'),
  calls(
    'a prototype set by assignment',
    "const o = { done: 'yes' }; o.__proto__ = { evil: 'x' }; return o;",
    'answers',
  ),
  calls('toJSON', "return { done: 'yes', toJSON() { return { done: 'no' }; } };", /`toJSON` is a function/),
  calls('NUL and half a pair', "return { done: 'a\\0b\\ud800c' };", 'answers'),
  calls(
    'two million NULs',
    "const o = {}; for (let i = 0; i < 200; i += 1) o['a' + i] = '\\0'.repeat(10000); return o;",
    /answers|took longer/,
  ),
];

const escapes: readonly Hostile[] = [
  calls('postMessage', 'postMessage({ answer: 1 }); return {};', /'?postMessage'? is not defined/),
  calls('self', 'return { a: self.name };', /'?self'? is not defined/),
  calls('fetch', "fetch('/'); return {};", /'?fetch'? is not defined/),
  calls(
    'the page’s globals',
    'return { a: typeof window + typeof document + typeof process + typeof require + typeof WebAssembly + typeof setTimeout + typeof Intl };',
    'answers',
  ),
  top('an import', "import x from '/app/index.html';", /has a mistake in line 1/),
  calls('an import while it runs', "import('/app/sw.js').catch(() => 0); return { done: 'yes' };", 'answers'),
  calls(
    'the constructor of functions',
    "return { done: String((() => {}).constructor('return this')() === globalThis) };",
    'answers',
  ),
  calls('eval', "return { done: eval('typeof self') };", 'answers'),
  calls(
    'what the console holds',
    "return { a: console.log.constructor('return typeof postMessage')() };",
    'answers',
  ),
  calls('the caller', 'return { a: String(updateVariables.caller) };', /./),
  calls(
    'replaced built-ins',
    "JSON.stringify = JSON.parse = Object.keys = () => { throw 1; }; String.prototype.isWellFormed = () => { throw 2; }; Array.isArray = () => true; return { done: 'yes' };",
    'answers',
  ),
  top(
    'spoiled prototypes',
    "for (const name of ['get', 'set', 'value', 'toJSON', '0', '1', 'then']) Object.defineProperty(Object.prototype, name, { get() { throw new Error('spoiled'); }, set() {}, configurable: true });",
    /./,
  ),
  top(
    'a spoiled array',
    "Object.defineProperty(Array.prototype, '0', { set() { throw new Error('spoiled'); } }); Array.prototype[Symbol.iterator] = () => { throw 1; };",
    /./,
  ),
  top(
    'a frozen world',
    'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis);',
    /./,
  ),
  top(
    'a console that was replaced',
    'console = null; globalThis.console = { log() { for (;;); } };',
    'answers',
  ),
  calls(
    'a stack that lies',
    "const e = new Error('x'); e.stack = 'at <eval> (macro.js:999999)'; throw e;",
    /./,
  ),
  calls('prepareStackTrace', "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');", /./),
  calls('a thrown function', 'throw updateVariables;', THREW),
  calls('a thrown proxy', 'throw new Proxy({}, { get() { throw new Proxy({}, {}); } });', THREW),
  calls('a long message', "throw new Error('x'.repeat(1e6));", THREW),
  calls('markup in a message', "throw new Error('<script>alert(1)</script>');", /<script>/),
  top('queued work', 'const again = () => Promise.resolve().then(again); again();', 'answers'),
  top(
    'a registry that cleans up',
    'new FinalizationRegistry(() => { for (;;); }).register({}, 1);',
    'answers',
  ),
];

/** More than sixty of them. */
export const hostile: readonly Hostile[] = [
  ...loops,
  ...natives,
  ...depths,
  ...memory,
  ...answers,
  ...escapes,
];

/** Runs after each of them, and must find a world as new. */
export const after = `function updateVariables(variables, state) {
  return { title: state.selectedTasks[0].title, globals: typeof again + typeof Object.prototype.evil + JSON.stringify({}) };
}`;
