import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import * as file from '#features/file/file.contract.ts';
import * as casefile from '#features/warning/files/casefile.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import type { Call } from '#seed/demo/calls.ts';
import { pageOfText } from '#seed/demo/content/pdf.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { personas } from '#seed/demo/content/personas.ts';

/** The documents of cases. Their file names do not name a person. */
const papers = {
  receipt: {
    filename: '监护人告知书回执.pdf',
    lines: [
      '已向监护人说明近期情绪状况、陪伴要求与求助途径（12356）。',
      '监护人意见：已知晓，愿意配合。',
      '监护人签名：（已签）',
    ],
  },
  letter: {
    filename: '心理健康转介单.pdf',
    lines: ['转介原因：情绪低落持续两周以上，建议进一步评估。', '筛查结果不是诊断，请以贵院评估为准。', '经办人签名：（已签）'],
  },
  record: {
    filename: '门诊病历摘要.pdf',
    lines: ['科室：心理门诊', '处理意见：心理治疗为主，两周后复诊，家人陪伴。', '医师签名：（已签）'],
  },
  fitness: {
    filename: '复学建议书.pdf',
    lines: ['经复诊评估，目前情绪较前稳定。', '建议：在支持与随访下逐步恢复学习，按时复诊。', '医师签名：（已签）'],
  },
  rest: {
    filename: '门诊休养建议书.pdf',
    lines: ['目前仍需家人全程陪伴。', '建议：居家休养两周，按时服药，复诊后再定返校。', '医师签名：（已签）'],
  },
} as const;

/** Uploads one of these documents for a case of the caller's institution and returns its `fileid`. */
export async function uploadPaper(call: Call, paper: keyof typeof papers): Promise<string> {
  const { filename, lines } = papers[paper];
  const content = pageOfText(filename.replace('.pdf', ''), [...lines, '', '演示数据，非真实文书']);
  const upload = { filename, mime: 'application/pdf', content };
  return (await call(file.updateToOSS, { biztype: 'case', ispublic: 0 }, upload)).fileid;
}

/** Returns the first day from `time` on that is no Saturday or Sunday. */
function schoolDay(time: Date): string {
  const date = shanghaiDate(time);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? schoolDay(addDays(fromShanghai(`${date} 12:00`), 1)) : date;
}

/** True when a referred student stayed at home and needs an assessment before return: two personas and some other students. */
export const hasStayedAtHome = (seed: number, { username }: Pick<WarningRow, 'username'>) =>
  username === personas.lin.username || username === personas.wu.username || randomOf(seed, 'return', username).occurs(0.3);

/** Adds the 复学评估 of a student who returns about two days later. */
export async function assessReturn(
  call: Call,
  { warningcode, username }: WarningRow,
  hospital: string,
  time: Date,
): Promise<void> {
  const fileids = [await uploadPaper(call, 'fitness')];
  const hasConditions = username !== personas.wu.username;
  await call(casefile.insertReturnAssess, {
    warningcode,
    assessdate: shanghaiDate(time),
    hospital,
    conclusion: hasConditions ? '02' : '01',
    conditions: hasConditions ? '首周上午到校，家长接送；按时复诊，每天到心理辅导室报到一次。' : '',
    supportplan: '班主任与同桌知晓陪伴安排，作业酌减，随时可到心理辅导室；返校一周内面谈。',
    guardianagreed: 1,
    returndate: schoolDay(addDays(time, 2)),
    fileids,
  });
}

/** Adds a 复学评估 that postpones the return (暂缓复学), because the family asked too early. */
export async function postponeReturn(call: Call, { warningcode }: WarningRow, hospital: string, time: Date): Promise<void> {
  await call(casefile.insertReturnAssess, {
    warningcode,
    assessdate: shanghaiDate(time),
    hospital,
    conclusion: '03',
    conditions: '',
    supportplan: '居家期间每日联系，课程由任课老师发送；复诊后再次评估。',
    guardianagreed: 0,
    fileids: [await uploadPaper(call, 'rest')],
  });
}
