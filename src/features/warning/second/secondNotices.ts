import { REQUEST_SUBJECTS, type RequestSubject } from '#domain/warning/decision/secondRequest.ts';
import type { Scope } from '#server/db/scope.ts';
import { addNotices, caseLink, findNoticeSubject } from '#features/warning/alerts/notify.queries.ts';
import { formatMinute } from '#features/warning/alerts/noticeTexts.ts';

interface RequestNotice {
  requestid: number;
  warningcode: string;
  musercode: string;
  subject: RequestSubject;
  time: Date;
}

const addAll = (
  scope: Scope,
  { requestid, warningcode, musercode, time }: RequestNotice,
  userids: readonly string[],
  key: string,
  note: { title: string; content: string },
) =>
  addNotices(
    scope,
    userids.map((userid) => ({
      ...note,
      musercode,
      userid,
      kind: 'warning' as const,
      link: caseLink(warningcode),
      dedupekey: `second:${requestid}:${key}:${userid}`,
      createtime: time,
      warningcode,
      infokind: 4,
    })),
  );

/** Tells the second persons of a request. */
export async function notifySeconds(
  scope: Scope,
  request: RequestNotice & { userids: readonly string[]; askname: string; summary: string; due: Date },
): Promise<void> {
  const { person } = await findNoticeSubject(scope, request.warningcode);
  await addAll(scope, request, request.userids, 'ask', {
    title: `请您复核：${REQUEST_SUBJECTS[request.subject]}`,
    content: `${person}：${request.askname} 申请“${request.summary}”。请在 ${formatMinute(request.due)} 前同意或退回。`,
  });
}

/** What became of a request, in the words of its notice. */
const OUTCOMES = { agreed: '已同意', returned: '已退回', void: '已失效' } as const;

/** Tells the asker what became of the request. */
export const notifyAsker = (
  scope: Scope,
  request: RequestNotice & { askuserid: string },
  outcome: keyof typeof OUTCOMES,
  content: string,
) =>
  addAll(scope, request, [request.askuserid], outcome, {
    title: `复核${OUTCOMES[outcome]}：${REQUEST_SUBJECTS[request.subject]}`,
    content,
  });
