import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { keyScopes } from '#contract/apikey/openToKeys.ts';

/** 对接密钥: keys with which other systems of an institution read its data. */

/** Most keys that are valid at once. */
export const MOST_KEYS = 10;
/** Days for which a key is valid, as a choice. The longest is a year. */
export const KEY_DAYS = [30, 90, 180, 365] as const;

const administrators = forTypes(['004', '005'], staffOf('organization.users'));

/** Returns the keys of the caller's institution: the valid ones first, then those that ended. A key itself is shown only once. */
export const getApiKeys = defineAction({
  name: 'as.m.system.apikey.getApiKeys',
  title: '查询对接密钥',
  allow: administrators,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    keys: z.array(
      z.object({
        keyid: z.string(),
        keyname: z.string(),
        /** its first characters */
        prefix: z.string(),
        scopes: z.array(z.enum(keyScopes)),
        /** most calls in a minute */
        permin: z.number(),
        createby: z.string(),
        createtime: z.string(),
        expiretime: z.string(),
        /** null: not used yet */
        lasttime: z.string().nullable(),
        state: z.enum(['valid', 'expired', 'ended']),
      }),
    ),
    /** the groups of which the institution may make every call; only these can be given to a key */
    open: z.array(z.enum(keyScopes)),
  }),
});

/**
 * Makes a key and returns it, this once. Answers 140001 while 10 keys are valid and for a group that the institution does not have, and
 * 130002 for the name of another valid key.
 */
export const insertApiKey = defineAction({
  name: 'as.m.system.apikey.insertApiKey',
  title: '新建对接密钥',
  allow: administrators,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    keyname: z.string().trim().min(1, '请填写名称').max(30, '名称不超过 30 个字').describe('名称'),
    scopes: z.array(z.enum(keyScopes)).min(1, '请至少选择一项').max(keyScopes.length).describe('可以读取'),
    permin: z.coerce.number().int('每分钟次数应为整数').min(1).max(600, '每分钟不超过 600 次').describe('每分钟次数'),
    days: z.literal(KEY_DAYS, '请选择有效期').describe('有效期'),
  }),
  response: z.object({ key: z.string() }),
});

/** Ends a key at once. Answers 130001 for a key that is unknown or has ended. */
export const endApiKey = defineAction({
  name: 'as.m.system.apikey.endApiKey',
  title: '停用对接密钥',
  allow: administrators,
  kind: 'write',
  request: z.strictObject({ keyid: z.string().min(1).max(40).describe('密钥') }),
  response: z.object({}),
});
