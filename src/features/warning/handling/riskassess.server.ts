import { WarningLevel } from '#domain/base/enums.ts';
import { withContact } from '#domain/warning/clock/clocks.ts';
import { suggestLevel } from '#domain/warning/riskassess.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import { transition } from '#domain/warning/warning.ts';
import { isOpen, type WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { insertRiskAssess as contract } from '#features/warning/handling/handling.contract.ts';
import { addAssess, markAssessed } from '#features/warning/cases/caseDetail.queries.ts';
import {
  actorId,
  assertNotActing,
  findActor,
  lockCase,
  operatorOf,
  saveTransition,
  assertVersion,
} from '#features/warning/handling/transition.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/** The result of the ASQ: acute, positive or negative; null without answers. Throws 120002 for an answer that the ASQ does not have. */
function scoreAsq(answers: Readonly<Record<string, string | null>> | undefined): {
  result: 'acute' | 'positive' | 'negative' | null;
  level: 0 | 3 | 4;
} {
  const hasAnswers = answers && Object.values(answers).some((answer) => answer !== null && answer !== '');
  const scale = scaleOf('ASQ');
  if (!hasAnswers || !scale) return { result: null, level: 0 };
  const outcome = score(scale, answers);
  if (outcome.kind === 'invalid') throw problems.invalid({ message: 'ASQ 作答不正确' }, { field: 'asqanswers' });
  if (outcome.alerts.includes('ASQ_ACUTE')) return { result: 'acute', level: 4 };
  return outcome.alerts.length > 0 ? { result: 'positive', level: 3 } : { result: 'negative', level: 0 };
}
const asqLabels = { acute: 'ASQ 急性阳性', positive: 'ASQ 非急性阳性', negative: 'ASQ 阴性' } as const;

/**
 * Saves a structured interview. The interviewer decides the conclusion. A conclusion or ASQ above the level of the case raises it
 * at once; a lower one never lowers it. Suspected abuse adds its own log line, because staff must report it.
 */
const insertRiskAssess = handle(
  contract,
  async ({ warningcode, version, protective, asqanswers, conclusionlevel, plantext, note, abuse, ...interview }, ctx) => {
    assertNotActing(ctx);
    const lockedCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, lockedCase, version);
    const { row, facts, settings } = lockedCase;
    if (!isOpen(facts)) throw problems.wrongState({ why: '预警已结束，请先重开' });
    const asq = scoreAsq(asqanswers);
    const suggestion = suggestLevel({ ...interview, asqacute: asq.result === 'acute' ? 1 : 0 });
    const { assessid } = await addAssess(ctx.scope, {
      ...interview,
      warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      abuse,
      protective,
      asqanswers: asqanswers ? JSON.stringify(asqanswers) : null,
      conclusionlevel,
      plantext: plantext || null,
      note: note || null,
      assessor: actorId(ctx.caller),
      time: ctx.now,
    });
    await markAssessed(ctx.scope, warningcode, ctx.now);
    const interviewFact = {
      time: ctx.now,
      conclusionlevel: conclusionlevel as Level,
      finished: true,
      islow: false,
      asqnegative: asq.result === 'negative',
    };
    const withInterview = {
      ...withContact(facts, ctx.now),
      riskassess: [...facts.riskassess, interviewFact],
      interviewtime: ctx.now,
      plantext: plantext || facts.plantext,
      lastacutesign: asq.result === 'acute' ? ctx.now : facts.lastacutesign,
    };
    const logText = [
      `结论：${conclusionlevel === 0 ? '无明显风险' : `${conclusionlevel}级 ${WarningLevel.label(conclusionlevel)}`}`,
      asq.result && asqLabels[asq.result],
      note,
    ]
      .filter(Boolean)
      .join('。');
    const newLevel = Math.max(conclusionlevel, asq.level);
    const raise =
      newLevel > facts.level
        ? transition(
            withInterview,
            { kind: 'raise', level: newLevel as WarningLevelCode, reason: '访谈评估' },
            { now: ctx.now, userid: actorId(ctx.caller), human: await findActor(ctx), ...settings.trigger },
          )
        : undefined;
    const after = raise?.ok ? raise.after : withInterview;
    await saveTransition(ctx, lockedCase, after, { action: '访谈', content: logText, detail: { assessid } });
    if (abuse)
      await addLog(ctx.scope, row, {
        action: '强制报告',
        content: '评估中发现疑似侵害、忽视或欺凌：须立即向公安机关报告，并在此登记报告时间与经办人。',
        time: ctx.now,
        ...operatorOf(ctx.caller),
      });
    return { assessid, suggestedlevel: suggestion.level, reasons: suggestion.reasons, level: after.level };
  },
);

export const riskassessHandlers = [insertRiskAssess];
