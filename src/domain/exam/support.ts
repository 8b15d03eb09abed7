import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { findDayAndNightLine, isNight, type Hotline } from '#domain/exam/hotline.ts';

/** The words of the support card and of 请老师联系我. They promise only what a deadline of a case holds. */

/** Who reads the words: 老师 in schools, 工作人员 elsewhere; 你 or 您 by age (`readerOf`). */
interface Reader {
  sector: string;
  you: '你' | '您';
}
export interface SupportFacts extends Reader {
  now: Date;
  lines: readonly Hotline[];
  /** the accept deadline of the person's case; null when no case waits for staff */
  acceptBy: Date | null;
}

/** A deadline in words: 今天 18:00, 明天 08:00, 10月12日 09:00. */
export function formatDeadline(due: Date, now: Date): string {
  const clock = shanghaiTime(due).slice(11, 16);
  const date = shanghaiDate(due);
  if (date === shanghaiDate(now)) return `今天 ${clock}`;
  if (date === shanghaiDate(addDays(now, 1))) return `明天 ${clock}`;
  return `${Number(date.slice(5, 7))}月${Number(date.slice(8))}日 ${clock}`;
}

/** The sentence about contact: until when staff get in touch; no promise when no case waits for them or its deadline is over. */
function contactSentence({ sector, you, now, acceptBy }: SupportFacts): string {
  const helper = sector === 'edu' ? '老师' : '工作人员';
  if (!acceptBy || acceptBy <= now) return `已收到，${helper}能看到。`;
  return `已收到，${helper}会在${formatDeadline(acceptBy, now)} 前联系${you}。`;
}

/** At night the words name the 24-hour line, 120, 110, and a trusted person, not the family: nobody may have asked about violence. */
function nightSentence({ sector, lines }: SupportFacts): string {
  const wake = sector === 'edu' ? '或叫醒身边的大人' : '或叫醒身边信任的人';
  return `现在需要帮助：${findDayAndNightLine(lines)}、120、110，${wake}。`;
}

/** The text of the support card after a submission. */
export function supportText(facts: SupportFacts): string {
  if (isNight(facts.now)) return `${contactSentence(facts)}${nightSentence(facts)}`;
  const contact = facts.acceptBy ? contactSentence(facts) : '';
  return facts.sector === 'edu'
    ? `谢谢${facts.you}愿意说出自己的感受。${contact}如果现在很难受，可以找心理老师或信任的大人聊聊，也可以拨打下面的电话。`
    : `谢谢${facts.you}愿意说出自己的感受。${contact}如果现在很难受，可以联系我们的工作人员，也可以拨打下面的电话。`;
}

/** The reply to 请老师联系我. */
export const contactText = (facts: SupportFacts): string =>
  isNight(facts.now)
    ? `${contactSentence(facts)}${nightSentence(facts)}`
    : `${contactSentence(facts)}如果等不及，可以直接拨打下面的电话。`;
