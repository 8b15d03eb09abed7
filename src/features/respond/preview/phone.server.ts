import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { qrPng } from '#server/qr/qr.ts';
import { readPreviewToken, signPreview } from '#server/security/previewToken.ts';
import { applyWording, findScale, requireForm } from '#features/form/formScale.ts';
import { toSheet } from '#features/respond/exam/sitting.ts';
import * as contract from '#features/respond/preview/preview.contract.ts';
import { findLinkedVersion } from '#features/respond/preview/preview.queries.ts';

const MINUTES = 30;

/** The questions of a definition. A draft may be unfinished, so that some parts cannot be read yet: 140001. */
function readSheet(scale: Scale) {
  try {
    return toSheet({
      examformid: 1,
      formcode: scale.formcode,
      formversion: scale.version,
      scale,
      answers: {},
      seqs: {},
    });
  } catch {
    throw problems.wrongState({ why: '草稿还不完整，暂时不能预览。请先按“检查”里的提示改正' });
  }
}

const getFormPreviewLink = handle(contract.getFormPreviewLink, async ({ formcode, version }, ctx) => {
  const scale = await findScale(ctx, await requireForm(ctx, formcode), version);
  if (!readSheet(scale).items.length) throw problems.wrongState({ why: '还没有题目，输入题目后再预览' });
  if (scale.items.every(({ t }) => t === '')) throw problems.wrongState({ why: '该量表没有题目文字，取得授权并上传后再预览' });
  const until = new Date(ctx.now.getTime() + MINUTES * 60_000);
  const token = signPreview(ctx.cipher, { formcode, version, musercode: ctx.caller.musercode }, until);
  // The part after # is in no log of a server.
  const url = `${ctx.publicUrl}/c/preview/scale#${token}`;
  return {
    url,
    qr: `data:image/png;base64,${qrPng(url, { size: 480 }).toString('base64')}`,
    expiretime: shanghaiTime(until),
  };
});

const getFormPreview = handle(contract.getFormPreview, async ({ token }, { authn, cipher, now }) => {
  const link = readPreviewToken(cipher, token, now);
  const row = link && (await findLinkedVersion(authn, link));
  if (!row) throw problems.wrongState({ why: '预览链接已失效（30 分钟内有效），请在量表页面重新打开“手机预览”' });
  return { sheet: readSheet(applyWording(row.definition, row.wording)) };
});

export const phoneHandlers = [getFormPreviewLink, getFormPreview];
