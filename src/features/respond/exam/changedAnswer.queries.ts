import { shanghaiTime } from '#domain/base/calendar.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import type { Scope } from '#server/db/scope.ts';
import { addNotices, caseLink } from '#features/warning/alerts/notify.queries.ts';
import { findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { addLog } from '#features/warning/warning.queries.ts';
import type { AlertChange, AnsweredForm } from '#features/respond/exam/answers.ts';

/** An answer that had raised an alert and that the person took back. */
export interface AnswerTakenBack {
  scale: Scale;
  c: string;
  from: Answer;
  to: Answer;
}

/** The answers that the person took back: an alert of the answer before the change is missing after it. Pure. */
export const findAnswersTakenBack = (forms: readonly AnsweredForm[], person: PersonFacts): AnswerTakenBack[] =>
  forms.flatMap(({ scale, changes }) =>
    changes
      .filter((change) => isTakenBack(scale, change, person))
      .map(({ c, before, after }) => ({ scale, c, from: before[c] ?? null, to: after[c] ?? null })),
  );

function isTakenBack(scale: Scale, { c, before, after }: AlertChange, person: PersonFacts): boolean {
  if (isUnanswered(before[c])) return false;
  const [outcome, next] = [score(scale, before, person), score(scale, after, person)];
  if (outcome.kind === 'invalid' || next.kind === 'invalid') return false;
  return outcome.alerts.some((alert) => !next.alerts.includes(alert));
}

/** The words of an answer, for staff: the label of its option. */
function describeAnswer({ scale, c }: AnswerTakenBack, answer: Answer): string {
  if (isUnanswered(answer)) return '未作答';
  const item = scale.items.find((candidate) => candidate.c === c);
  const options = item?.o === undefined ? [] : (scale.optionsets[item.o] ?? []);
  return options.find(([code]) => code === String(answer))?.[1] || String(answer);
}

/**
 * Adds answers that the person took back to the log of the open case and notifies its owner, or the psychologists while it has none.
 * Changing an answer lowers nothing: the interview stays due. Runs in the transaction that stores the answers.
 */
export async function noteAnswersTakenBack(
  scope: Scope,
  { cuserid, examcode }: { cuserid: string; examcode: string },
  takenBack: readonly AnswerTakenBack[],
  time: Date,
): Promise<void> {
  if (takenBack.length === 0) return;
  const open = await scope.db
    .selectFrom('warning')
    .select(['warningcode', 'cuserid', 'musercode', 'owneruserid', 'suspectuserids', 'state', 'level'])
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  if (!open) return;
  const clock = shanghaiTime(time).slice(11, 16);
  const handlers = open.owneruserid ? [open.owneruserid] : await findHandlers(scope, open.musercode, time);
  // A suspected source of harm gets nothing.
  const userids = handlers.filter((userid) => !open.suspectuserids.includes(userid));
  for (const answer of takenBack) {
    const { scale, c, from, to } = answer;
    const title = `${scale.formcode.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2')} 第${scale.items.findIndex((item) => item.c === c) + 1}题`;
    const content = `本人于 ${clock} 改答为“${describeAnswer(answer, to)}”（${title}，原答“${describeAnswer(answer, from)}”），仍须面谈`;
    await addLog(scope, open, {
      action: '改答',
      time,
      fromstate: open.state,
      tostate: open.state,
      fromlevel: open.level,
      tolevel: open.level,
      content,
      detail: { examcode, formcode: scale.formcode, c, from, to },
      operator: null,
      operatorname: '系统',
    });
    await addNotices(
      scope,
      userids.map((userid) => ({
        musercode: open.musercode,
        userid,
        kind: 'warning' as const,
        title: '本人改答，仍须面谈',
        content,
        warningcode: open.warningcode,
        link: caseLink(open.warningcode),
        dedupekey: `changed:${open.warningcode}:${examcode}:${scale.formcode}:${c}:${time.getTime()}:${userid}`,
        createtime: time,
      })),
    );
  }
}

async function findHandlers(scope: Scope, musercode: string, time: Date): Promise<string[]> {
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, time);
  return staff.filter((item) => item.roles.includes('psychologist') || item.onduty).map((item) => item.userid);
}
