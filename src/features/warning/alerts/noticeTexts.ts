import { shanghaiTime } from '#domain/base/calendar.ts';
import type { NoticeInfo, NoticeReason } from '#domain/warning/notices.ts';

/** The facts that the texts of a notice about a case use. */
export interface NoticeFacts {
  warningcode: string;
  reason: NoticeReason;
  /** the level in the words of the sector */
  levelText: string;
  /** name and class or unit; not in ⑤ */
  person: string;
  insname: string;
  sector: string;
  /** the next step and its due time */
  step: string;
  due: Date | null;
  /** the reasons as text; only handlers read them */
  triggers: string;
  /** who may know where the person is; only handlers read it, when the person cannot be reached */
  card: string;
  time: Date;
}

/** A time as staff read it, without seconds. */
export const formatMinute = (time: Date) => shanghaiTime(time).slice(0, 16);

/** The title of a notice for handlers and leaders. 消息 shows the name of the person before it, as the reader may see it. */
function formatTitle({ reason, levelText }: NoticeFacts): string {
  switch (reason) {
    case 'opened':
      return `新预警，${levelText}，待受理`;
    case 'raised':
      return `预警升为${levelText}，待受理`;
    case 'news':
      return `预警有新情况，${levelText}，待重新受理`;
    case 'reopened':
      return `预警已重开，${levelText}，待受理`;
    case 'joined':
      return '预警有新的触发';
    case 'unreachable':
      return `联系不上本人，${levelText}`;
    case 'handedover':
      return `预警已移交，${levelText}，待受理`;
    case 'overdue':
      return '预警超时';
    case 'death':
      return '进入善后，请按清单处理';
  }
}

/** The title and text of a notice that says as much as `info` allows (domain/warning/notices.ts). */
export function formatNotice(info: NoticeInfo, facts: NoticeFacts): { title: string; content: string } {
  const title = formatTitle(facts);
  const { warningcode, reason, levelText, person, insname, sector, step, due, triggers, card, time } = facts;
  const until = due ? `，请在 ${formatMinute(due)} 前${step}` : '';
  switch (info) {
    case 2: {
      const subject = sector === 'edu' ? '学生' : '受测者';
      const helper = sector === 'edu' ? '心理老师' : '心理医生';
      return {
        title: `有一名${subject}需要您关注`,
        content:
          reason === 'unreachable'
            ? `${person}：您今天见过这名${subject}吗？请马上告诉${helper}。`
            : `${person}：请关注，今天联系${helper}。`,
      };
    }
    case 3:
      return {
        title,
        content:
          reason === 'death'
            ? `${person}。善后清单第一项${due ? `应于 ${formatMinute(due)} 前完成` : '须尽快完成'}，请配合，只告知事实。`
            : `${person}：${levelText}${until}。处置由心理老师或医生负责，请督办。`,
      };
    case 4:
      return { title, content: [`${person}${until}。`, triggers, card].filter(Boolean).join(' ') };
    case 5:
      return {
        title: `${insname}：个案 ${warningcode} ${title}`,
        content: `${levelText}，${formatMinute(time)}${due ? `，应于 ${formatMinute(due)} 前${step}` : ''}。`,
      };
  }
}
