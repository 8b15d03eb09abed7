import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { KEY_SCOPES, scopesOf } from '#contract/apikey/openToKeys.ts';
import { problemTexts } from '#contract/problem.ts';
import { actions } from '#server/actions.ts';

type Json = Record<string, unknown>;
const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of the document. A schema that two calls share has one name. */
class Schemas {
  readonly byName: Record<string, unknown> = {};
  readonly #nameOf = new Map<string, string>();

  /** Adds a schema under a name, or finds the equal one. Returns the reference. */
  add(name: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const known = this.#nameOf.get(text);
    if (known !== undefined) return refOf(known);
    this.#nameOf.set(text, name);
    this.byName[name] = schema;
    return refOf(name);
  }

  /** Adds a schema of a contract. Its parts that repeat or contain themselves get names of their own. */
  addContract(name: string, schema: z.ZodType, io: 'input' | 'output', more: Json = {}): Json {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      cycles: 'ref',
    }) as Json & { $defs?: Record<string, Json> };
    const names = new Map(Object.keys($defs).map((key, index) => [`#/$defs/${key}`, `${name}Part${index + 1}`]));
    const resolve = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolve);
      if (typeof value !== 'object' || value === null) return value;
      const { $ref, ...rest } = value as Json;
      const fields = Object.entries(rest).map(([key, field]): [string, unknown] => [key, resolve(field)]);
      return Object.fromEntries(
        typeof $ref === 'string'
          ? [...fields, ...Object.entries(refOf($ref === '#' ? name : (names.get($ref) ?? $ref)))]
          : fields,
      );
    };
    for (const [key, part] of Object.entries($defs)) this.byName[names.get(`#/$defs/${key}`) as string] = resolve(part);
    const { properties = {}, ...resolved } = resolve(root) as { properties?: Json };
    const hasProperties = 'properties' in root || Object.keys(more).length > 0;
    return this.add(name, { ...resolved, ...(hasProperties ? { properties: { ...properties, ...more } } : {}) });
  }
}

/** `as.m.cuser.getCUserPageList` → `CuserGetCUserPageList`; the calls of respondents begin with C. */
const nameOf = ({ name }: Action): string =>
  name
    .replace(/^as\.m\./, '')
    .replace(/^as\./, '')
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The refusal: HTTP 200 too, with the number of `contract/problem.ts`. */
const problemSchema = {
  type: 'object',
  description: [...problemTexts].map(([code, text]) => `${code} ${text}`).join('\n\n'),
  properties: {
    errorCode: { type: 'integer', enum: [...problemTexts.keys()] },
    errorMsg: { type: 'string' },
    data: {
      type: 'object',
      description: '字段错误时 field 为字段名',
      properties: { field: { type: 'string' } },
      additionalProperties: true,
    },
  },
  required: ['errorCode', 'errorMsg'],
};

const okSchema = (data: Json) => ({
  type: 'object',
  properties: { errorCode: { type: 'integer', const: 0 }, errorMsg: { type: 'string', const: '' }, data },
  required: ['errorCode', 'errorMsg', 'data'],
});
const success = (action: Action, schemas: Schemas) => {
  const problem = refOf('Problem');
  return action.kind === 'export'
    ? {
        description: '文件；失败时为 JSON',
        content: {
          'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
          'application/json': { schema: problem },
        },
      }
    : {
        description: '成功时 errorCode 为 0；失败时 errorCode 为错误号，errorMsg 为说明（HTTP 状态同为 200）',
        content: {
          'application/json': {
            schema: {
              oneOf: [okSchema(schemas.addContract(`${nameOf(action)}Response`, action.response, 'output')), problem],
            },
          },
        },
      };
};

const callerText = ({ allow }: Action) =>
  allow.caller === 'anyone'
    ? '无需登录'
    : allow.caller === 'respondent'
      ? '受测者'
      : [
          '工作人员',
          allow.codes ? `，权限之一：${allow.codes.join('、')}` : '',
          allow.and ? `，且 ${allow.and.join('、')}` : '',
          allow.types ? `，账号类型 ${allow.types.join('、')}` : '',
        ].join('');

/** Which groups of an API key contain the call. */
const keyText = ({ name }: Action): string => {
  const titles = scopesOf(name).map((scope) => KEY_SCOPES[scope].title);
  return titles.length > 0 ? `对接密钥：${titles.join('、')}` : '';
};

const bodyTypeOf = ({ kind }: Action): string =>
  kind === 'import' ? 'multipart/form-data' : kind === 'export' ? 'application/x-www-form-urlencoded' : 'application/json';

function operationOf(action: Action, schemas: Schemas) {
  const file = action.kind === 'import' ? { file: { type: 'string', format: 'binary', description: '文件' } } : {};
  return {
    operationId: action.name,
    summary: action.title,
    description: [callerText(action), action.kind, keyText(action)].filter(Boolean).join(' · '),
    tags: [tagOf(action)],
    security:
      action.allow.caller === 'anyone' ? [] : [{ token: [] }, ...(scopesOf(action.name).length > 0 ? [{ apikey: [] }] : [])],
    requestBody: {
      required: true,
      content: {
        [bodyTypeOf(action)]: { schema: schemas.addContract(`${nameOf(action)}Request`, action.request, 'input', file) },
      },
    },
    responses: { 200: success(action, schemas) },
  };
}
const tagOf = ({ name }: Action): string => name.split('.').slice(0, 3).join('.');

let description: unknown;
/** The description of all calls in OpenAPI 3.1, built once from the contracts. */
export function openapi(): unknown {
  return (description ??= describe([...actions].sort((a, b) => a.name.localeCompare(b.name))));
}

function describe(sorted: readonly Action[]) {
  const schemas = new Schemas();
  schemas.add('Problem', problemSchema);
  const paths = Object.fromEntries(
    sorted.map((action) => [`/api/${action.name}/1.0.0/action`, { post: operationOf(action, schemas) }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'AI智慧心理-管理端',
      version: '1.0.0',
      description:
        '所有调用均为 POST /api/{name}/1.0.0/action；登录后的调用携带请求头 token。其他系统以对接密钥作为 token，只能做标明“对接密钥”的调用。',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(sorted.map(tagOf))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: '登录后取得的令牌' },
        apikey: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: '对接密钥（xlk_ 开头），机构管理员在“对接密钥”页新建',
        },
      },
      schemas: schemas.byName,
    },
    paths,
  };
}
