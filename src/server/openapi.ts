import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });

const success = (action: Action) =>
  action.kind === 'export'
    ? { description: '文件', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
    : {
        description: '成功时 errorCode 为 0；失败时 errorCode 为错误号，errorMsg 为说明（HTTP 状态同为 200）',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                errorCode: { type: 'integer' },
                errorMsg: { type: 'string' },
                data: jsonSchema(action.response, 'output'),
              },
              required: ['errorCode', 'errorMsg'],
            },
          },
        },
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

let description: unknown;
/** The description of all calls in OpenAPI 3.1, built once from the contracts. */
export function openapi(): unknown {
  return (description ??= {
    openapi: '3.1.0',
    info: {
      title: 'AI智慧心理-管理端',
      version: '1.0.0',
      description: '所有调用均为 POST /api/{name}/1.0.0/action；登录后的调用携带请求头 token。',
    },
    components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } } },
    paths: Object.fromEntries(
      [...actions]
        .sort((a, b) => a.name.localeCompare(b.name))
        .map((action) => [
          `/api/${action.name}/1.0.0/action`,
          {
            post: {
              operationId: action.name,
              summary: action.title,
              description: `${callerText(action)} · ${action.kind}`,
              tags: [action.name.split('.').slice(0, 3).join('.')],
              security: action.allow.caller === 'anyone' ? [] : [{ token: [] }],
              requestBody: {
                required: true,
                content: {
                  [action.kind === 'import'
                    ? 'multipart/form-data'
                    : action.kind === 'export'
                      ? 'application/x-www-form-urlencoded'
                      : 'application/json']: { schema: jsonSchema(action.request, 'input') },
                },
              },
              responses: { 200: success(action) },
            },
          },
        ]),
    ),
  });
}
