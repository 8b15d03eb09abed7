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

function callView(path: string, operation: Operation): HTMLElement {
  const name = path.split('/')[2] ?? path;
  const answer = operation.responses?.['200'];
  const view = element('details', '', element('summary', '', element('code', name), element('span', operation.summary ?? '')));
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
  view.dataset['text'] = `${name} ${operation.summary ?? ''}`.toLowerCase();
  return view;
}

function draw({ info, paths, components }: Description): void {
  named = components?.schemas ?? {};
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = '按名称或说明查找';
  search.setAttribute('aria-label', '查找接口');
  const areas = new Map<string, HTMLElement[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const operation of Object.values(methods)) {
      const area = operation.tags?.[0] ?? '其他';
      areas.set(area, [...(areas.get(area) ?? []), callView(path, operation)]);
    }
  const sections = [...areas].map(([area, calls]) =>
    element('section', '', element('h2', `${area}（${calls.length}）`), ...calls),
  );
  search.addEventListener('input', () => {
    const keyword = search.value.trim().toLowerCase();
    for (const section of sections) {
      const calls = [...section.querySelectorAll<HTMLElement>('details')];
      for (const call of calls) call.hidden = !(call.dataset['text'] ?? '').includes(keyword);
      section.hidden = calls.every((call) => call.hidden);
    }
  });
  place.replaceChildren(
    element('h1', `${info.title} ${info.version}`),
    ...(info.description ? [element('p', info.description)] : []),
    search,
    ...sections,
  );
}

fetch('/openapi.json')
  .then((answer) => (answer.ok ? (answer.json() as Promise<Description>) : Promise.reject(new Error(String(answer.status)))))
  .then(draw)
  .catch(() => place.replaceChildren(element('h1', '接口说明'), element('p', '加载失败，请刷新页面重试')));
