import { z } from 'zod';
import type { Fault } from '#domain/scoring/editor/fault.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { formcode } from '#features/form/form.contract.ts';
import { definition } from '#features/scaleeditor/definition.contract.ts';

/**
 * The scale editor: drafts, checks, versions. A form has at most one draft. A published version never changes; only its status does:
 * 1 published, 2 superseded, 3 withdrawn. The owner of a form writes it: the platform, a provider or an institution.
 */

const readers = staffOf('plans.scales');
const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('form.edit'));

/** The saves of the draft so far; 0: the form has no draft yet. */
const rowversion = z.number().int().min(0);
const version = z.string().max(20).describe('版本');

/** Adds a form of the caller's institution with a draft: empty, or from a definition that was imported. */
export const insertForm = defineAction({
  name: 'as.m.assess.forms.insertForm',
  title: '新建量表',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    formname: z.string().trim().min(2, '请填写量表名称').max(50, '量表名称不超过 50 个字').describe('名称'),
    formtype: z.enum(['01', '02', '03', '04']).default('01').describe('类型'),
    appids: z.array(z.string().length(9)).max(20).default([]).describe('适用人群'),
    /** replaces the three fields above where it has them */
    definition: definition.optional(),
  }),
  response: z.object({ formcode: z.string(), rowversion: z.number() }),
});

/**
 * Saves the draft. `rowversion` 0 begins the draft of a form that has none. 140002 with `data.current` when somebody else saved
 * meanwhile. A draft may be unfinished: it is checked only when it is published.
 */
export const updateForm = defineAction({
  name: 'as.m.assess.forms.updateForm',
  title: '保存量表草稿',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ formcode, rowversion, definition }),
  response: z.object({ rowversion: z.number(), updatetime: z.string() }),
});

/** Copies a version into a new form of the caller's institution, with tier, licence line and `copyfrom`. */
export const copyForm = defineAction({
  name: 'as.m.assess.forms.copyForm',
  title: '复制量表',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    formcode,
    version: version.optional(),
    formname: z.string().trim().min(2, '请填写量表名称').max(50).optional().describe('名称'),
  }),
  response: z.object({ formcode: z.string(), rowversion: z.number() }),
});

const fault = z.custom<Fault>((value) => typeof value === 'object' && value !== null);

/** Checks the draft of a form, or a definition that is not stored. Errors stop publishing; notices must be ticked. */
export const checkForm = defineAction({
  name: 'as.m.assess.forms.checkForm',
  title: '检查量表',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ formcode: formcode.optional(), definition: definition.optional() }),
  response: z.object({ faults: z.array(fault) }),
});

/** One difference between two versions, paired by code. */
const formChange = z.object({
  part: z.string(),
  code: z.string(),
  /** how a reader knows the row: the text of the question, the name of the score */
  name: z.string(),
  change: z.enum(['新增', '删除', '修改']),
  /** the field in Chinese; empty for a whole row */
  field: z.string(),
  before: z.string(),
  after: z.string(),
});

/** The difference of two versions: by default the draft and the current version, and the number that the draft would get. */
export const getFormDiff = defineAction({
  name: 'as.m.assess.forms.getFormDiff',
  title: '比较量表版本',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ formcode, from: version.optional(), to: version.optional() }),
  response: z.object({
    from: z.string(),
    to: z.string(),
    changes: z.array(formChange),
    /** major: a sheet could score, rank or alert differently; minor: unscored items, order, limits; patch: words */
    size: z.enum(['major', 'minor', 'patch', 'none']),
    nextversion: z.string(),
  }),
});

/** Publishes the draft: checks it, numbers it and makes it the current version. 120002 with `data.faults` when errors are left. */
export const publishForm = defineAction({
  name: 'as.m.assess.forms.publishForm',
  title: '发布量表',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    formcode,
    rowversion,
    changelog: z.string().trim().min(2, '请写明这一版改了什么').max(500).describe('更新说明'),
    /** the notices that the author ticked, by `faultKey` */
    notices: z.array(z.string().max(200)).max(500).default([]).describe('提示确认'),
  }),
  response: z.object({ version: z.string() }),
});

/**
 * Withdraws a wrong version: no sitting begins with it, its results say 该版本计分有误, its persons are listed for a re-test.
 * Nothing is scored again. Returns the number of persons.
 */
export const withdrawForm = defineAction({
  name: 'as.m.assess.forms.withdrawForm',
  title: '撤回量表版本',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    formcode,
    version,
    reason: z.string().trim().min(5, '请写明错误所在，至少 5 个字').max(500).describe('撤回原因'),
  }),
  response: z.object({ persons: z.number() }),
});

/** Retires a form: it enters no new plan and no new stage. What runs goes on. */
export const retireForm = defineAction({
  name: 'as.m.assess.forms.retireForm',
  title: '停用量表',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ formcode }),
  response: z.object({}),
});

/** Takes a retired form back into use. */
export const restoreForm = defineAction({
  name: 'as.m.assess.forms.restoreForm',
  title: '恢复量表',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ formcode }),
  response: z.object({}),
});

/** Deletes the draft. A form that was never published disappears with it. */
export const deleteFormDraft = defineAction({
  name: 'as.m.assess.forms.deleteFormDraft',
  title: '删除量表草稿',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ formcode, rowversion }),
  response: z.object({}),
});
