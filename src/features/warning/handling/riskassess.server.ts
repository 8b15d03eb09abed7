import { levelName } from '#domain/warning/levels.ts';
import { AsqResult, findAsqFaults, hasAsqAnswers, triageAsq } from '#domain/warning/asqTriage.ts';
import { DEFAULT_LOCAL_DUTIES, dutiesOfSigns, withDuties } from '#domain/warning/clock/caseduty.ts';
import { withContact } from '#domain/warning/clock/clocks.ts';
import {
  countedLevel,
  describeInterview,
  describeLowConclusion,
  isLowConclusion,
  isLowReasonSufficient,
  LOW_REASON_MIN,
  suggestLevel,
} from '#domain/warning/riskassess.ts';
import { withMeansDuty } from '#domain/warning/safetyPlan.ts';
import { transition } from '#domain/warning/warning.ts';
import { isOpen, type AssessFact, type WarningFacts, type WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { insertRiskAssess as contract } from '#features/warning/handling/handling.contract.ts';
import { addAssess, markAssessed } from '#features/warning/cases/caseDetail.queries.ts';
import {
  actorId,
  assertNotActing,
  DEAD,
  findActor,
  lockCase,
  operatorOf,
  saveTransition,
  assertVersion,
} from '#features/warning/handling/transition.ts';
import { needsAsqFirst } from '#features/warning/interview/interview.queries.ts';
import { askToConfirm } from '#features/warning/second/askSecond.ts';
import { saveSafetyPlan } from '#features/warning/plan/saveSafetyPlan.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/** The triage of the ASQ in an interview; null when it was not asked. Throws 120002 for an answer that the ASQ does not have. */
function findTriage(answers: Readonly<Record<string, string | null>> | undefined) {
  if (answers && findAsqFaults(answers).length > 0)
    throw problems.invalid({ message: 'ASQ 作答不正确' }, { field: 'asqanswers' });
  return hasAsqAnswers(answers) ? triageAsq(answers) : null;
}

/**
 * Saves a structured interview. The interviewer decides the conclusion. A low conclusion needs a reason, and the suggestion
 * counts until a second person confirms it. A level above that of the case raises the case at once; a lower one never lowers it.
 * An unfinished ASQ leaves the assessment due. The findings stand in the log. Suspected abuse adds its own line.
 */
const insertRiskAssess = handle(
  contract,
  async (
    {
      warningcode,
      version,
      protective,
      asqanswers,
      asqskipreason,
      conclusionlevel,
      lowreason,
      seconds,
      safetyplan,
      note,
      ...interview
    },
    ctx,
  ) => {
    // A conclusion is the judgement of the person who signs it (clinical-rules C).
    assertNotActing(ctx);
    const lockedCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, lockedCase, version);
    const { row, facts, settings } = lockedCase;
    if (!isOpen(facts)) throw problems.wrongState({ why: '预警已结束，请先重开' });
    if (facts.death) throw problems.wrongState({ why: DEAD });
    const triage = findTriage(asqanswers);
    if (!triage && asqskipreason === '' && (await needsAsqFirst(ctx.scope, warningcode)))
      throw problems.invalid(
        { message: '本次筛查没有问到自伤或自杀，请先询问 ASQ；不能询问时请写明原因' },
        { field: 'asqskipreason' },
      );
    const findings = { ...interview, asqresult: triage?.result ?? null };
    const suggestion = suggestLevel(findings);
    const isLow = isLowConclusion(conclusionlevel, suggestion.level);
    if (isLow && !isLowReasonSufficient(lowreason))
      throw problems.invalid(
        {
          message: `结论明显低于系统建议（${levelName(suggestion.level, facts.sector)}），请写明理由，不少于${LOW_REASON_MIN}个字`,
        },
        { field: 'lowreason' },
      );
    const levels = { conclusionlevel, suggestedlevel: suggestion.level };
    const counted = countedLevel(levels, false);
    const isFinished = triage?.isFinished ?? true;
    const raiseAction = { kind: 'raise', level: counted as WarningLevelCode, reason: '访谈评估' } as const;
    const actionContext = { now: ctx.now, userid: actorId(ctx.caller), human: await findActor(ctx), ...settings.trigger };
    const isRaise = counted > facts.level && transition(facts, raiseAction, actionContext).ok;
    // The interview that raises the level is the news itself, so it is not older than it.
    const newsno = facts.newsno + (isRaise ? 1 : 0);
    const { assessid } = await addAssess(ctx.scope, {
      ...interview,
      ...levels,
      warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      protective,
      asqanswers: triage ? JSON.stringify(asqanswers) : null,
      asqresult: triage?.result ?? null,
      asqskipreason: triage ? '' : asqskipreason,
      suggestreasons: suggestion.reasons,
      isfinished: isFinished ? 1 : 0,
      lowreason: isLow ? lowreason.trim() : '',
      note: note || null,
      assessor: actorId(ctx.caller),
      time: ctx.now,
      newsno,
    });
    if (isFinished) await markAssessed(ctx.scope, warningcode, ctx.now);
    const plan = safetyplan && (await saveSafetyPlan(ctx, lockedCase, safetyplan, { assessid, path: 'safetyplan.' }));
    const interviewFact: AssessFact = {
      time: ctx.now,
      newsno,
      conclusionlevel: counted,
      suggestedlevel: suggestion.level,
      finished: isFinished,
      islow: isLow,
      needssecond: isLow,
      asqnegative: triage?.result === AsqResult.negative,
    };
    const withInterview: WarningFacts = {
      ...withContact(facts, ctx.now),
      riskassess: [...facts.riskassess, interviewFact],
      interviewtime: ctx.now,
      safetyplan: plan ? plan.fact : facts.safetyplan,
      lastacutesign: triage?.level === 4 ? ctx.now : facts.lastacutesign,
    };
    const logText = [
      describeInterview(findings, levels, facts.sector),
      !isFinished && 'ASQ 未完成，评估仍待完成',
      !triage && asqskipreason && `未询问 ASQ 的原因：${asqskipreason}`,
      isLow &&
        `低于系统建议的理由：${lowreason.trim()}。须由第二人复核，复核前按“${levelName(suggestion.level, facts.sector)}”处理`,
      note,
    ]
      .filter(Boolean)
      .join('。');
    const raise = isRaise ? transition(withInterview, raiseAction, actionContext) : undefined;
    const raised = raise?.ok ? { ...raise.after, interviewtime: ctx.now, contacttime: ctx.now } : withInterview;
    const withReports = interview.abuse
      ? withDuties(raised, dutiesOfSigns(['abuse'], facts.minor, ctx.now, settings.trigger.local ?? DEFAULT_LOCAL_DUTIES))
      : raised;
    const after = withMeansDuty(withReports, ctx.now);
    await saveTransition(ctx, lockedCase, after, {
      action: '访谈',
      content: logText,
      detail: { assessid, ...levels, counted, asqresult: findings.asqresult },
    });
    if (isLow) {
      const summary = describeLowConclusion({ conclusionlevel, suggestedlevel: suggestion.level, lowreason }, facts.sector);
      await askToConfirm(ctx, lockedCase, after, { subject: 'conclusion', summary, seconds });
    }
    if (plan)
      await addLog(ctx.scope, row, {
        action: '安全计划',
        content: plan.logText,
        detail: { planid: plan.planid },
        time: ctx.now,
        ...operatorOf(ctx.caller),
      });
    if (interview.abuse)
      await addLog(ctx.scope, row, {
        action: '强制报告',
        content: '评估中发现疑似侵害、忽视或欺凌：须立即向公安机关报告，并在此登记报告时间与经办人。',
        time: ctx.now,
        ...operatorOf(ctx.caller),
      });
    return {
      assessid,
      suggestedlevel: suggestion.level,
      reasons: suggestion.reasons,
      level: after.level,
      asqresult: findings.asqresult,
      isfinished: isFinished ? 1 : 0,
      needssecond: isLow ? 1 : 0,
      plangaps: plan?.gaps ?? [],
    };
  },
);

export const riskassessHandlers = [insertRiskAssess];
