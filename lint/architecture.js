// Rules of the architecture: the direction of imports, file names, the size of folders. eslint.config.js switches them on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const web = /^(react|preact|@mantine|@tanstack|@tabler)/;
const serverSide = /^(kysely|pg|fastify|node:.*)$/;

/**
 * Returns the kind of a file and its feature. The file name decides the kind. Of a plain `x.ts` of a feature the imports decide it:
 * steps of handlers, part of a view, or pure code for both sides.
 */
function kindOf(path, text, visited = new Set()) {
  const [top, area, feature] = path.split('/');
  if (/\.test\.tsx?$/.test(path) || path.startsWith('src/testing/')) return { kind: 'test' };
  if (top !== 'src') return { kind: top === 'seed' ? 'seed' : top === 'db' ? 'db' : 'tool' };
  if (area === 'server') return { kind: 'server-room' };
  if (area !== 'features') return { kind: area };
  if (path.endsWith('.tsx')) return { kind: 'page', feature };
  const ending = /\.(contract|queries|server)\.ts$/.exec(path)?.[1];
  return { kind: ending ?? natureOf(path, text ?? readFile(path), visited), feature };
}

function natureOf(path, text, visited) {
  if (visited.has(path)) return 'pure';
  visited.add(path);
  for (const [, source] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)) {
    const target = resolveImport(path, source);
    const kind = target === undefined ? '' : kindOf(target, undefined, visited).kind;
    if (serverSide.test(source) || ['queries', 'server', 'steps', 'server-room'].includes(kind)) return 'steps';
    if (web.test(source) || ['ui', 'blocks', 'page', 'view', 'console', 'respondent'].includes(kind)) return 'view';
  }
  return 'pure';
}

const readFile = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

const browser = ['ui', 'blocks', 'console', 'respondent', 'page', 'view'];

/**
 * The kinds that each kind may import. `own` are kinds of the same feature only. Packages that match `packages` are refused.
 * With `only`, all packages that do not match it are refused.
 */
const allowedImports = {
  domain: { kinds: ['domain'], only: /^$/, why: 'The domain imports nothing but itself.' },
  contract: {
    kinds: ['domain', 'contract'],
    only: /^(zod|js-md5)$/,
    why: 'Server and browser read a contract, so it imports neither.',
  },
  queries: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'db'],
    packages: web,
    why: 'Queries know neither handlers nor the browser.',
  },
  pure: { kinds: ['domain', 'contract', 'pure'], why: 'A pure file of a feature imports pure code only.' },
  steps: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room'],
    packages: /^(kysely|pg|react|preact|@mantine.*|@tanstack.*)$/,
    why: 'A plain file of a feature contains steps of its handlers: it reads the database through queries and knows no handler.',
  },
  server: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room'],
    own: ['server'],
    packages: /^(kysely|pg|react|preact|@mantine.*|@tanstack.*)$/,
    why: 'A handler uses the database through queries and never another feature’s handlers. Put shared steps into a plain x.ts.',
  },
  'server-room': {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'db'],
    packages: web,
    why: 'The server imports neither browser code nor tests. Only actions, jobs.ts and main.ts import handlers and the seed.',
  },
  ui: {
    kinds: ['domain', 'contract', 'ui'],
    packages: serverSide,
    why: 'The components of `ui` import no feature and no block, and the browser does not import server code.',
  },
  blocks: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    packages: serverSide,
    why: 'A shared block imports contracts of features but not their pages, and the browser does not import server code.',
  },
  page: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    own: ['page', 'view', 'pure'],
    packages: serverSide,
    why: 'A page uses the server and other features through contracts.',
  },
  view: {
    kinds: ['domain', 'contract', 'ui', 'blocks'],
    own: ['view', 'pure'],
    packages: serverSide,
    why: 'A part of a page uses the server and other features through contracts.',
  },
  console: {
    kinds: ['domain', 'contract', 'ui', 'blocks', 'page', 'console'],
    packages: serverSide,
    why: 'The browser does not import server code, and the console does not import the respondent’s app.',
  },
  respondent: {
    kinds: ['domain', 'contract', 'respondent'],
    packages: /^(kysely|pg|fastify|node:.*|@mantine\/.*|@tanstack\/.*|@tabler\/.*)$/,
    why: 'The respondent’s app is small: it imports neither server nor console blocks.',
  },
  seed: {
    kinds: ['domain', 'contract', 'pure', 'queries', 'steps', 'server-room', 'seed', 'db', 'server'],
    packages: web,
    why: 'The seed uses server code only.',
  },
};
/** The files of the server that import all features: the actions, the recurring jobs, the start. */
const assembly = /^src\/server\/(actions(\/\w+)?|jobs|main)\.ts$/;

function resolveImport(from, source) {
  if (source.startsWith('.'))
    return relative(root, resolve(dirname(join(root, from)), source))
      .split(sep)
      .join('/');
  if (/^#(db|seed)\//.test(source)) return source.slice(1);
  if (source.startsWith('#')) return `src/${source.slice(1)}`;
  return undefined;
}

/** Returns the reason why an import is refused, or undefined. */
function refusal(from, source, text) {
  const here = kindOf(from, text);
  const allowed = allowedImports[here.kind];
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

/** Exported functions need a doc comment, because their readers are not their authors. */
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

/** Folders with one table of data per file; they may have many files. */
const tables = /^src\/domain\/(scoring\/)?scales$/;
const isCode = (name) => /\.(ts|tsx|js|mjs)$/.test(name) && !/\.(test|spec)\.tsx?$|\.d\.ts$/.test(name);

/** A folder has at most `max` code files. Tests, styles and tables of data do not count. */
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
    const entries = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    const names = [...new Set([...entries, name])].filter(isCode).sort();
    const data = { folder, count: String(names.length), max: String(max) };
    return { Program: (node) => names.indexOf(name) >= max && context.report({ node, messageId: 'crowded', data }) };
  },
};

/** The imports of files on disk, types included, as paths of the repository. Each file is read once per run. */
const importsOnDisk = new Map();
function importsOf(path) {
  let imports = importsOnDisk.get(path);
  if (!imports) {
    const sources = [...readFile(path).matchAll(/^(?:import|export)\b[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*'([^']+)'/gm)];
    imports = sources
      .map(([, first, second]) => resolveImport(path, first ?? second))
      .filter((target) => /\.tsx?$/.test(target ?? ''));
    importsOnDisk.set(path, imports);
  }
  return imports;
}

/** Returns the shortest way of imports from one file to another, both included, or undefined. */
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

/** No file imports itself through other files. Imports of types count, because a reader must follow them too. */
const noCycle = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { circle: 'Import circle: {{way}}. Move the shared code into a separate file.' },
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
