/** What keeps a report out of a bulk step. A person looks at these reports one by one. */

export interface ReportState {
  /** 1 waits for review · 2 reviewed */
  status: number;
  valid: number | null;
  hasalert: number;
  overalllevel: number | null;
  /** 0 none · 1 being written · 2 written · 3 reviewed · 9 failed */
  aistatus: number;
  /** the text was erased with its person (access.anonymize_person) */
  iserased: boolean;
}

const ERASED = '报告内容已删除';
const obstacles: readonly (readonly [why: string, isMet: (state: ReportState) => boolean])[] = [
  [ERASED, ({ iserased }) => iserased],
  ['已审核', ({ status }) => status === 2],
  ['有关键条目预警，请逐份审核', ({ hasalert }) => hasalert === 1],
  ['作答效度不足，请逐份审核', ({ valid }) => valid !== 1],
  ['综合等级较高，请逐份审核', ({ overalllevel }) => (overalllevel ?? 0) >= 3],
  ['没有可解释的等级，请逐份审核', ({ overalllevel }) => overalllevel === null],
  ['AI文字生成中', ({ aistatus }) => aistatus === 1],
  ['AI文字待审核，请逐份审核', ({ aistatus }) => aistatus === 2],
];

/** Why a bulk review leaves the report out; '' for a report that it takes. */
export const reviewObstacle = (state: ReportState): string => obstacles.find(([, isMet]) => isMet(state))?.[0] ?? '';

/** Why the person may not read the report yet; '' when the person may. An AI text needs a review first. */
export const showObstacle = ({ aistatus, iserased }: Pick<ReportState, 'aistatus' | 'iserased'>): string =>
  iserased ? ERASED : aistatus === 1 ? 'AI文字生成中' : aistatus === 2 ? 'AI文字尚未审核' : '';
