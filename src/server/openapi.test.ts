import { expect, test } from 'vitest';
import { problems } from '#contract/problem.ts';
import { actions } from '#server/actions.ts';
import { sharedHttp } from '#testing/http.ts';

const shared = sharedHttp();

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  required?: string[];
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  operationId: string;
  summary: string;
  requestBody: { content: Content };
  responses: { 200: { content: Content } };
}
interface Description {
  openapi: string;
  components: { schemas: Record<string, Schema> };
  paths: Record<string, { post: Operation }>;
}

const read = async () => (await (await fetch(`${shared().base}/openapi.json`)).json()) as Description;
const operationsOf = ({ paths }: Description) => Object.values(paths).map(({ post }) => post);

test('openapi.json describes every action with its name, its title, its request and its answer', async () => {
  const described = await read();
  expect(described.openapi).toBe('3.1.0');
  expect(Object.keys(described.paths).sort()).toEqual(actions.map((action) => `/api/${action.name}/1.0.0/action`).sort());
  expect(operationsOf(described).map(({ operationId }) => operationId)).toEqual(
    actions.map(({ name }) => name as string).sort((a, b) => a.localeCompare(b)),
  );
  for (const { operationId, summary, requestBody, responses } of operationsOf(described)) {
    expect([operationId, summary]).not.toContain('');
    for (const { schema } of Object.values(requestBody.content))
      expect([operationId, schema.$ref]).toEqual([operationId, expect.stringMatching(/^#\/components\/schemas\/\w+$/)]);
    expect(Object.keys(responses[200].content)).toContain('application/json');
  }
});

test('every reference in openapi.json names a schema of the document, and no two named schemas are equal', async () => {
  const described = await read();
  const names = new Set(Object.keys(described.components.schemas).map((name) => `#/components/schemas/${name}`));
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference as string);
  expect(references.filter((reference) => !names.has(reference))).toEqual([]);
  expect([...names].filter((name) => !references.includes(name))).toEqual([]);
  expect(JSON.stringify(described)).not.toContain('$defs');
  const roots = Object.entries(described.components.schemas).filter(([name]) => !/Part\d+$/.test(name));
  const texts = roots.map(([, schema]) => JSON.stringify(schema));
  expect(new Set(texts).size).toBe(texts.length);
});

test('every answer is the success or the refusal, and the refusal lists all numbers with their texts', async () => {
  const described = await read();
  const { Problem: refusal } = described.components.schemas;
  expect(refusal?.required).toEqual(['errorCode', 'errorMsg']);
  expect(refusal?.properties?.['errorCode']?.enum).toHaveLength(Object.keys(problems).length);
  expect(refusal?.description).toContain('110000 用户身份失效，请重新登录');
  expect(refusal?.description).toContain('130001 …不存在或已删除');
  for (const { operationId, responses } of operationsOf(described)) {
    const { schema } = responses[200].content['application/json'] as { schema: Schema };
    const choices = schema.oneOf ?? [schema];
    expect([operationId, choices.at(-1)]).toEqual([operationId, { $ref: '#/components/schemas/Problem' }]);
    if (choices.length > 1) expect(choices[0]?.properties?.['errorCode']?.const).toBe(0);
  }
});

test('an answer of the server has the fields that the document names as required', async () => {
  const described = await read();
  const { call } = shared();
  for (const name of ['as.m.user.getUserInfo', 'as.m.cuser.getCUserPageList', 'as.m.org.nothing']) {
    const { json } = await call(name, {}, { token: 'chen' });
    const operation = described.paths[`/api/${name}/1.0.0/action`]?.post;
    expect([name, operation === undefined]).toEqual([name, json.errorCode === 130001]);
    const [success] = operation?.responses[200].content['application/json']?.schema.oneOf ?? [];
    const data = described.components.schemas[success?.properties?.['data']?.$ref?.split('/').at(-1) ?? ''];
    for (const field of data?.required ?? [])
      expect([name, field, Object.hasOwn(json.data as object, field)]).toEqual([name, field, true]);
  }
});
