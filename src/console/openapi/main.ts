import { exampleOf, isForKeys, isShown, keyFilters, type KeyFilter } from '#console/openapi/calls.ts';
import './openapi.css';

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  const?: unknown;
}
interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}
interface Description {
  info: { title: string; version: string; description?: string };
  components?: { schemas?: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/** Shows the OpenAPI document in readable form: every call by area, with its request and response. */
const place = document.getElementById('openapi') as HTMLElement;

function element(name: string, text: string, ...inside: (Node | string)[]): HTMLElement {
  const madeElement = document.createElement(name);
  if (text) madeElement.textContent = text;
  madeElement.append(...inside);
  return madeElement;
}

/** The named schemas of the document. */
let named: Readonly<Record<string, Schema>> = {};
/** Returns the schema that a reference names. */
const resolve = <S extends Schema | undefined>(schema: S): S | Schema =>
  schema?.$ref ? (named[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema;

const kindOf = (reference: Schema): string => {
  const schema = resolve(reference);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => JSON.stringify(item)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' | ');
  if (schema.items) return `${kindOf(schema.items)}[]`;
  return [schema.type ?? 'object'].flat().join(' | ');
};

/** The fields of a schema as a table. A schema inside itself is not opened again. */
function fields(reference: Schema | undefined, opened: readonly (Schema | undefined)[] = []): Node {
  const schema = resolve(reference);
  const items = resolve(schema?.items);
  const inner = items?.properties ? items : schema;
  const entries = Object.entries(inner?.properties ?? {});
  if (entries.length === 0) return element('p', schema ? kindOf(schema) : '无');
  const rows = entries.map(([key, field]) => {
    const cells = [element('code', key), kindOf(field), inner?.required?.includes(key) ? '必填' : '', field.description ?? ''];
    const row = element('tr', '', ...cells.map((cell) => element('td', '', cell)));
    const own = resolve(field);
    const part = resolve(own.items);
    const nested = own.properties ? own : part?.properties ? part : undefined;
    if (nested && !opened.includes(nested)) row.lastElementChild?.append(fields(nested, [...opened, inner, nested]));
    return row;
  });
  return element('table', '', element('tbody', '', ...rows));
}

/** The schema of a body: of an answer the form without an error. */
const bodyOf = (content: Record<string, { schema?: Schema }> | undefined) => {
  const schema = Object.values(content ?? {})[0]?.schema;
  return schema?.oneOf?.[0] ?? schema;
};

interface CallView {
  name: string;
  title: string;
  view: HTMLElement;
}

function callView(path: string, operation: Operation): CallView {
  const name = path.split('/')[2] ?? path;
  const title = operation.summary ?? '';
  const answer = operation.responses?.['200'];
  const summary = element('summary', '', element('code', name), element('span', title));
  if (isForKeys(name)) summary.append(element('mark', '对接密钥可用'));
  const view = element('details', '', summary);
  // Rendered when opened: several hundred calls would make a heavy page.
  view.addEventListener(
    'toggle',
    () => {
      if (operation.description) view.append(element('p', operation.description));
      view.append(
        element('h3', '请求'),
        fields(bodyOf(operation.requestBody?.content)),
        element('h3', '应答'),
        fields(bodyOf(answer?.content)),
      );
    },
    { once: true },
  );
  return { name, title, view };
}

/** The calls of an area under its heading, with a function that shows those that fit and returns their number. */
function areaView(area: string, calls: readonly CallView[]) {
  const heading = element('h2', '');
  const section = element('section', '', heading, ...calls.map(({ view }) => view));
  const show = (isWanted: (call: CallView) => boolean): number => {
    for (const call of calls) call.view.hidden = !isWanted(call);
    const count = calls.filter(({ view }) => !view.hidden).length;
    heading.textContent = `${area}（${count}）`;
    section.hidden = count === 0;
    return count;
  };
  return { section, show };
}

/** The choice of the calls that keys may make. */
function keyChoice(): HTMLSelectElement {
  const choice = document.createElement('select');
  choice.setAttribute('aria-label', '密钥可用范围');
  for (const { value, label } of keyFilters) choice.append(new Option(label, value));
  return choice;
}

function draw({ info, paths, components }: Description): void {
  named = components?.schemas ?? {};
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = '按名称或说明查找';
  search.setAttribute('aria-label', '查找调用');
  const choice = keyChoice();
  const areas = new Map<string, CallView[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const operation of Object.values(methods)) {
      const area = operation.tags?.[0] ?? '其他';
      areas.set(area, [...(areas.get(area) ?? []), callView(path, operation)]);
    }
  const views = [...areas].map(([area, calls]) => areaView(area, calls));
  const count = element('p', '');
  count.setAttribute('role', 'status');
  const filter = () => {
    const shown = views.map(({ show }) => show((call) => isShown(call, search.value, choice.value as KeyFilter)));
    const total = shown.reduce((sum, part) => sum + part, 0);
    count.textContent = total === 0 ? '没有符合条件的调用' : `共 ${total} 项调用`;
  };
  search.addEventListener('input', filter);
  choice.addEventListener('change', filter);
  filter();
  const filters = element('div', '', search, choice);
  filters.className = 'filters';
  place.replaceChildren(
    element('h1', `${info.title} ${info.version}`),
    ...(info.description ? [element('p', info.description)] : []),
    element('h2', '用对接密钥调用'),
    element('p', '密钥放在名为 token 的请求头里，由机构管理员在“对接密钥”页新建：'),
    element('pre', '', element('code', exampleOf(location.origin))),
    filters,
    count,
    ...views.map(({ section }) => section),
  );
}

fetch('/openapi.json')
  .then((answer) => (answer.ok ? (answer.json() as Promise<Description>) : Promise.reject(new Error(String(answer.status)))))
  .then(draw)
  .catch(() => place.replaceChildren(element('h1', '调用说明'), element('p', '加载失败，请刷新页面重试')));
