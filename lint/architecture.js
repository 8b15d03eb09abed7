// Rules of the architecture: who may import whom, how files are named, how large a folder may be. eslint.config.js switches them on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const web = /^(react|preact|@mantine|@tanstack|@tabler)/;
const serverSide = /^(kysely|pg|fastify|node:.*)$/;

/**
 * The kind of a file and the feature it belongs to. The kind stands in the name; a plain `x.ts` of a feature is what its imports make of
 * it: steps of handlers, part of a view, or pure and fit for both sides.
 */
function kindOf(path, text, seen = new Set()) {
  const [top, area, feature] = path.split('/');
  if (/\.test\.tsx?$/.test(path) || path.startsWith('src/testing/')) return { kind: 'test' };
  if (top !== 'src') return { kind: top === 'seed' ? 'seed' : top === 'db' ? 'db' : 'tool' };
  if (area === 'server') return { kind: 'server-room' };
  if (area !== 'features') return { kind: area };
  if (path.endsWith('.tsx')) return { kind: 'page', feature };
  const ending = /\.(contract|queries|server)\.ts$/.exec(path)?.[1];
  return { kind: ending ?? natureOf(path, text ?? readFile(path), seen), feature };
}

function natureOf(path, text, seen) {
  if (seen.has(path)) return 'pure';
  seen.add(path);
  for (const [, source] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)) {
    const target = resolveImport(path, source);
    const kind = target === undefined ? '' : kindOf(target, undefined, seen).kind;
    if (serverSide.test(source) || ['queries', 'server', 'steps', 'server-room'].includes(kind)) return 'steps';
    if (web.test(source) || ['ui', 'blocks', 'page', 'view', 'console', 'respondent'].includes(kind)) return 'view';
  }
  return 'pure';
}

const readFile = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

const browser = ['ui', 'blocks', 'console', 'respondent', 'page', 'view'];

/**
 * What each kind may import; `own` are kinds of the same feature only. Packages that match `packages` are refused; with `only`, all
 * others are.
 */
const may = {
  domain: { kinds: ['domain'], only: /^$/, why: 'The domain imports nothing but itself.' },
  contract: {
    kinds: ['domain', 'contract'],
    only: /^(zod|js-md5)$/,
    why: 'A contract is read by server and browser: it imports neither.',
  },
  queries: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'db'],
    packages: web,
    why: 'Queries know neither handlers nor the browser.',
  },
  pure: { kinds: ['domain', 'contract', 'pure'], why: 'A pure file of a feature works with what it is given.' },
  steps: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room'],
    packages: /^(kysely|pg|react|preact|@mantine.*|@tanstack.*)$/,
    why: 'A plain file of a feature holds steps of its handlers: it asks the database through queries and knows no handler.',
  },
  server: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room'],
    own: ['server'],
    packages: /^(kysely|pg|react|preact|@mantine.*|@tanstack.*)$/,
    why: 'A handler asks the database through queries, and never another feature’s handlers: what both need is a plain x.ts.',
  },
  'server-room': {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'db'],
    packages: web,
    why: 'The server reaches neither the browser nor the tests; handlers and seed are known to actions.ts, jobs.ts and main.ts alone.',
  },
  ui: {
    kinds: ['domain', 'contract', 'ui'],
    packages: serverSide,
    why: 'The kit of the console knows no feature and no block, and the browser does not reach the server.',
  },
  blocks: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    packages: serverSide,
    why: 'A shared block knows the contracts of features, not their pages, and the browser does not reach the server.',
  },
  page: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    own: ['page', 'view', 'pure'],
    packages: serverSide,
    why: 'A page reaches the server, and other features, through contracts.',
  },
  view: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    own: ['view', 'pure'],
    packages: serverSide,
    why: 'What a page works with reaches the server, and other features, through contracts.',
  },
  console: {
    kinds: ['domain', 'contract', 'ui', 'blocks', 'page', 'console'],
    packages: serverSide,
    why: 'The browser does not reach the server, nor the console the respondent’s app.',
  },
  respondent: {
    kinds: ['domain', 'contract', 'respondent'],
    packages: /^(kysely|pg|fastify|node:.*|@mantine\/.*|@tanstack\/.*|@tabler\/.*)$/,
    why: 'The respondent’s app is small: it imports neither server nor console blocks.',
  },
  seed: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'seed', 'db', 'server'],
    packages: web,
    why: 'The seed goes in through the server’s side.',
  },
};
/** The files of the server that put everything together: what is called, what runs by the clock, what starts. */
const assembly = /^src\/server\/(actions|jobs|main)\.ts$/;

function resolveImport(from, source) {
  if (source.startsWith('.'))
    return relative(root, resolve(dirname(join(root, from)), source))
      .split(sep)
      .join('/');
  if (/^#(db|seed)\//.test(source)) return source.slice(1);
  if (source.startsWith('#')) return `src/${source.slice(1)}`;
  return undefined;
}

/** Says why an import is refused, or undefined. */
function refusal(from, source, text) {
  const here = kindOf(from, text);
  const allowed = may[here.kind];
  if (!allowed) return undefined;
  const target = resolveImport(from, source);
  if (target === undefined) {
    if (allowed.only ? allowed.only.test(source) : !allowed.packages?.test(source)) return undefined;
    return allowed.why;
  }
  if (target.endsWith('.css')) return browser.includes(here.kind) ? undefined : allowed.why;
  const there = kindOf(target);
  if (here.kind === 'ui' && there.feature) return allowed.why;
  if (allowed.kinds.includes(there.kind)) return undefined;
  if (allowed.own?.includes(there.kind) && there.feature === here.feature) return undefined;
  if (assembly.test(from) && ['server', 'seed'].includes(there.kind)) return undefined;
  return allowed.why;
}

const pathOf = (context) => relative(root, context.filename).split(sep).join('/');

const direction = {
  meta: { type: 'problem', schema: [], messages: { wrongWay: '{{why}} (docs/architecture.md, Direction)' } },
  create(context) {
    const from = pathOf(context);
    const check = (node) => {
      const why = typeof node.source?.value === 'string' && refusal(from, node.source.value, context.sourceCode.text);
      if (why) context.report({ node: node.source, messageId: 'wrongWay', data: { why } });
    };
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

const fileName = {
  meta: { type: 'problem', schema: [], messages: { vague: 'A file named “{{name}}” says nothing about what is in it.' } },
  create(context) {
    const name = pathOf(context)
      .split('/')
      .map((part) => part.replace(/\..*$/, ''))
      .find((part) => /^(utils?|helpers?|misc|common|index|shared|lib)$/i.test(part));
    return { Program: (node) => name && context.report({ node, messageId: 'vague', data: { name } }) };
  },
};

const reason = {
  meta: { type: 'problem', schema: [], messages: { silent: 'Say after “--” why the rule does not hold here.' } },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          if (/^\s*eslint-disable/.test(comment.value) && !/--\s*\S{3}/.test(comment.value))
            context.report({ loc: comment.loc, messageId: 'silent' });
      },
    };
  },
};

/** Actions and the doors of the server are read by people who did not write them. */
const docComment = {
  meta: { type: 'suggestion', schema: [], messages: { undocumented: 'Say above “{{name}}” what it means, in a doc comment.' } },
  create(context) {
    const { sourceCode } = context;
    return {
      ExportNamedDeclaration(node) {
        const declared = node.declaration;
        if (declared?.type !== 'FunctionDeclaration') return;
        const last = sourceCode.getCommentsBefore(node).at(-1);
        if (!last || !last.value.startsWith('*'))
          context.report({ node: declared.id, messageId: 'undocumented', data: { name: declared.id.name } });
      },
    };
  },
};

/** Folders whose files are tables of data, one table a file: they may be many. */
const tables = /^src\/domain\/(scoring\/)?scales$/;
const isCode = (name) => /\.(ts|tsx|js|mjs)$/.test(name) && !/\.(test|spec)\.tsx?$|\.d\.ts$/.test(name);

/** A folder holds at most `max` code files. Tests, styles and tables of data are not counted. */
const folderSize = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }],
    messages: { crowded: 'The folder {{folder}} holds {{count}} code files; at most {{max}}. Group them into folders by duty.' },
  },
  create(context) {
    const max = context.options[0]?.max ?? 15;
    const path = pathOf(context);
    const folder = dirname(path);
    const name = path.slice(folder.length + 1);
    if (tables.test(folder) || !isCode(name)) return {};
    const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    const names = [...new Set([...there, name])].filter(isCode).sort();
    const data = { folder, count: String(names.length), max: String(max) };
    return { Program: (node) => names.indexOf(name) >= max && context.report({ node, messageId: 'crowded', data }) };
  },
};

/** Imports of a file on disk as paths of the repository; types included. Read once a run. */
const importsOnDisk = new Map();
function importsOf(path) {
  let found = importsOnDisk.get(path);
  if (!found) {
    const sources = [...readFile(path).matchAll(/^(?:import|export)\b[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*'([^']+)'/gm)];
    found = sources
      .map(([, first, second]) => resolveImport(path, first ?? second))
      .filter((target) => /\.tsx?$/.test(target ?? ''));
    importsOnDisk.set(path, found);
  }
  return found;
}

/** The shortest way of imports from one file to another, both included, or undefined. */
function wayBetween(start, end) {
  const from = new Map([[start, undefined]]);
  for (const path of from.keys()) {
    if (path === end) {
      const way = [];
      for (let step = path; step !== undefined; step = from.get(step)) way.unshift(step);
      return way;
    }
    for (const next of importsOf(path)) if (!from.has(next)) from.set(next, path);
  }
  return undefined;
}

/** No file imports itself over others. Imports of types count: a circle of types is a circle for the reader. */
const noCycle = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { circle: 'Import circle: {{way}}. Move what both need into a file of its own.' },
  },
  create(context) {
    const path = pathOf(context);
    const check = (node) => {
      const target = typeof node.source?.value === 'string' ? resolveImport(path, node.source.value) : undefined;
      const way = target?.match(/\.tsx?$/) && wayBetween(target, path);
      if (way) context.report({ node: node.source, messageId: 'circle', data: { way: [path, ...way].join(' → ') } });
    };
    return { ImportDeclaration: check, ImportExpression: check };
  },
};

export const architecture = {
  rules: { direction, 'file-name': fileName, reason, 'doc-comment': docComment, 'folder-size': folderSize, 'no-cycle': noCycle },
};
