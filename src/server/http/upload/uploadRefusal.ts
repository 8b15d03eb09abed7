import type { Problem } from '#contract/problem.ts';
import { problems } from '#contract/problem.ts';

/** The statuses of refusals that say more than their number: `data.reason`. */
const statusByReason: Readonly<Record<string, number>> = {
  type: 415,
  size: 413,
  space: 507,
  gone: 410,
  offset: 409,
  locked: 423,
  version: 412,
};

/** Returns the HTTP status of a refused request for an upload, by which a tus client decides whether to try again. */
export function statusOf({ code, data }: Problem): number {
  const status = statusByReason[(data as { reason?: string } | undefined)?.reason ?? ''];
  if (status !== undefined) return status;
  if (code === problems.identityInvalid().code) return 401;
  if (code < 120_000) return 403;
  if (code < 130_000) return 400;
  if (code === problems.notFound({ what: '' }).code) return 404;
  if (code < 160_000) return 409;
  if (code === problems.tooManyRequests().code) return 429;
  if (code === problems.bodyTooLarge().code) return 413;
  if (code === problems.serverBusy().code) return 503;
  return code < 900_000 ? 400 : 500;
}

/** Returns our problem for a status with which the tus server refused a request. */
export function problemOfStatus(status: number, requestId: string): Problem {
  switch (status) {
    case 404:
    case 410:
      return problems.notFound({ what: '上传' });
    case 409:
      return problems.wrongState({ why: '上传的位置与服务器不一致，请从服务器的位置继续' }, { data: { reason: 'offset' } });
    case 413:
      return problems.bodyTooLarge();
    case 423:
      return problems.wrongState({ why: '这个文件正在上传，请稍候再试' }, { data: { reason: 'locked' } });
    default:
      return status < 500 ? problems.invalid({ message: '请求格式不正确' }) : problems.internal({ requestId });
  }
}
