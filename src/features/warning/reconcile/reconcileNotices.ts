import { shanghaiTime } from '#domain/base/calendar.ts';
import { levelName } from '#domain/warning/levels.ts';
import { NOTICE_TABLE } from '#domain/warning/notices.ts';
import type { Scope } from '#server/db/scope.ts';
import { findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { addMessages, addNotices, caseLink, type Note } from '#features/warning/alerts/notify.queries.ts';
import { findAccountsAbove } from '#features/warning/reconcile/report.queries.ts';

/** A difference as its notices need it. */
export interface NoticeSubject {
  /** the case of the difference, or the case that was raised for it */
  warningcode: string | null;
  owneruserid: string | null;
  username: string | null;
  level: number | null;
  content: string;
  foundtime: Date;
}

/** What happened: new differences, or no successful comparison. `isNotifiedTogether`: the cases sent no notices of their own. */
export type ReconcileEvent =
  { kind: 'gap'; subjects: readonly NoticeSubject[]; isNotifiedTogether: boolean } | { kind: 'silence'; last: Date | null };

const LIST_LINK = '/earlyWarning/earlyWarningLevel';
const formatTime = (time: Date) => shanghaiTime(time).slice(0, 16);

/**
 * Sends the notices of E10: owner, duty and psychologists read everything; administrators read person and level; the provider reads of
 * differences only case number, level and time. `key` makes one notice of repeated calls. Runs in a session that sees the provider.
 */
export async function notifyOfReconcile(
  scope: Scope,
  institution: { musercode: string; insname: string; sector: string },
  event: ReconcileEvent,
  key: string,
  now: Date,
): Promise<void> {
  const { musercode, insname, sector } = institution;
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  const subjects = event.kind === 'gap' ? event.subjects : [];
  const owners = new Set(subjects.map((subject) => subject.owneruserid));
  const [only] = subjects.length === 1 ? subjects : [];
  const link = only?.warningcode ? caseLink(only.warningcode) : LIST_LINK;
  const title =
    event.kind === 'gap'
      ? `零漏报对账：发现 ${subjects.length} 处差异，请立即核对`
      : '零漏报对账已超过 2 小时没有成功，请立即检查系统';
  const isNotifiedTogether = event.kind === 'gap' && event.isNotifiedTogether;
  const formatFull = (list: readonly NoticeSubject[]) =>
    isNotifiedTogether
      ? formatCounts(list, sector)
      : event.kind === 'gap'
        ? list.map(({ username, content }) => [username, content].filter(Boolean).join('：')).join('；')
        : `上次成功：${event.last ? formatTime(event.last) : '无'}。在恢复之前，请人工核对新答卷与预警个案。`;
  const formatShort = (list: readonly NoticeSubject[]) =>
    event.kind === 'gap' && !isNotifiedTogether
      ? list.map(({ username, level }) => [username ?? '个案', levelName(level, sector)].filter(Boolean).join(' ')).join('；')
      : formatFull(list);
  const suspects = await findSuspects(scope, subjects);
  /** What a member of staff may read: nothing of a case that suspects them. */
  const readableBy = (userid: string) => subjects.filter(({ warningcode }) => !suspects.get(warningcode ?? '')?.includes(userid));
  const canRead = (userid: string) => event.kind === 'silence' || readableBy(userid).length > 0;
  const toNote = (userid: string, content: string): Note => ({
    musercode,
    userid,
    kind: 'warning',
    title,
    content,
    link,
    dedupekey: `reconcile:${key}:${userid}`,
    createtime: now,
  });
  const handlers = staff.filter((item) => item.roles.includes('psychologist') || item.onduty || owners.has(item.userid));
  const leaders = staff.filter(
    (item) => ['insadmin', 'provideradmin'].some((role) => item.roles.includes(role)) && !handlers.includes(item),
  );
  const readers = handlers.filter(({ userid }) => canRead(userid));
  await addNotices(scope, [
    ...readers.map(({ userid }) => toNote(userid, formatFull(readableBy(userid)))),
    ...leaders.filter(({ userid }) => canRead(userid)).map(({ userid }) => toNote(userid, formatShort(readableBy(userid)))),
  ]);
  if (isNotifiedTogether) await addMessagesOfAll(scope, musercode, subjects, readers, now);
  if (event.kind === 'gap')
    await notifyAbove(
      scope,
      musercode,
      'provider',
      {
        title: `${insname}：${title}`,
        content: isNotifiedTogether ? formatCounts(subjects, sector) : describeNameless(subjects, sector),
      },
      key,
      now,
    );
}

/** The numbers of the cases and of their levels, without a name. */
function formatCounts(subjects: readonly NoticeSubject[], sector: string): string {
  const cases = new Set(subjects.flatMap(({ warningcode }) => warningcode ?? []));
  const levels = [4, 3, 2].flatMap((level) => {
    const count = subjects.filter((subject) => subject.level === level).length;
    return count === 0 ? [] : `${levelName(level, sector)} ${count} 处`;
  });
  return (
    `按现行规则核对近期答卷，共 ${subjects.length} 处差异（${levels.join('，')}），涉及个案 ${cases.size} 例，均已进入预警列表并开始计时。` +
    '请先看等级高的，逐例受理。'
  );
}

/** One short message to each handler for all cases together, as for E2 and E3; a call when a case has level 4, as for E4. */
async function addMessagesOfAll(
  scope: Scope,
  musercode: string,
  subjects: readonly NoticeSubject[],
  readers: readonly { userid: string }[],
  time: Date,
): Promise<void> {
  const [gravest] = subjects
    .filter(({ warningcode }) => warningcode !== null)
    .sort((a, b) => (b.level ?? 0) - (a.level ?? 0) || (a.warningcode! < b.warningcode! ? -1 : 1));
  if (!gravest?.warningcode) return;
  const level = gravest.level ?? 2;
  const { channel = 'sms' } = NOTICE_TABLE[level === 4 ? 'E4' : 'E3'].owner ?? {};
  const messages = readers.map(({ userid }) => ({ userid, channel }));
  await addMessages(scope, { musercode, warningcode: gravest.warningcode, reason: 'opened', level, messages, time });
}

/** The suspected member of staff of each of these cases that has one. */
async function findSuspects(scope: Scope, subjects: readonly NoticeSubject[]): Promise<Map<string, string[]>> {
  const codes = subjects.flatMap(({ warningcode }) => warningcode ?? []);
  const rows = await scope.db
    .selectFrom('warning')
    .select(['warningcode', 'suspectuserids'])
    .where('warningcode', 'in', ['', ...codes])
    .execute();
  return new Map(rows.map(({ warningcode, suspectuserids }) => [warningcode, suspectuserids]));
}

/** Notifies the authority of differences that nobody has settled for a day, without a name. */
export const notifyAuthority = (
  scope: Scope,
  { musercode, insname, sector }: { musercode: string; insname: string; sector: string },
  subjects: readonly NoticeSubject[],
  key: string,
  now: Date,
) =>
  notifyAbove(
    scope,
    musercode,
    'authority',
    { title: `${insname}：零漏报对账的差异已超过 24 小时`, content: describeNameless(subjects, sector) },
    key,
    now,
  );

/** Notifies the accounts above silent institutions: one notice an account, with the names of its institutions. */
export async function notifyOfSilenceAbove(
  scope: Scope,
  silent: readonly { musercode: string; insname: string }[],
  target: 'provider' | 'authority',
  key: string,
  now: Date,
): Promise<void> {
  const names = new Map<string, { account: { musercode: string; userid: string | null }; insnames: string[] }>();
  for (const { musercode, insname } of silent)
    for (const account of await findAccountsAbove(scope, musercode, target, now)) {
      const id = account.userid ?? account.musercode;
      const entry = names.get(id) ?? { account, insnames: [] };
      entry.insnames.push(insname);
      names.set(id, entry);
    }
  await addNotices(
    scope,
    [...names.values()].map(({ account, insnames }) =>
      toNoteAbove(
        account,
        {
          title: `${insnames.length} 家机构的零漏报对账已超过 ${target === 'authority' ? '24' : '2'} 小时没有成功`,
          content: `${insnames.slice(0, 20).join('、')}${insnames.length > 20 ? ' 等' : ''}。请立即检查系统。`,
        },
        key,
        now,
      ),
    ),
  );
}

const describeNameless = (subjects: readonly NoticeSubject[], sector: string): string =>
  subjects
    .map(({ warningcode, level, foundtime }) =>
      [warningcode ? `个案 ${warningcode}` : '未建个案', levelName(level, sector), `发现于 ${formatTime(foundtime)}`]
        .filter(Boolean)
        .join('，'),
    )
    .join('；');

async function notifyAbove(
  scope: Scope,
  musercode: string,
  target: 'provider' | 'authority',
  text: { title: string; content: string },
  key: string,
  now: Date,
): Promise<void> {
  const accounts = await findAccountsAbove(scope, musercode, target, now);
  await addNotices(
    scope,
    accounts.map((account) => toNoteAbove(account, text, key, now)),
  );
}

const toNoteAbove = (
  { musercode, userid }: { musercode: string; userid: string | null },
  text: { title: string; content: string },
  key: string,
  createtime: Date,
): Note => ({
  musercode,
  // An institution's own account has no user id.
  userid: userid as string,
  kind: 'warning',
  ...text,
  link: LIST_LINK,
  dedupekey: `reconcile:${key}:${userid ?? musercode}`,
  createtime,
});
