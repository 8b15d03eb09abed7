/** The lines of 基本信息 in every report: code and label. A template chooses among them. */
export const BASIC_LINES = [
  ['username', '姓名'],
  ['gender', '性别'],
  ['age', '年龄'],
  ['planname', '测评方案'],
  ['stagename', '测评阶段'],
  ['submittime', '完成时间'],
  ['duration', '作答用时'],
  ['valid', '作答有效性'],
] as const;
