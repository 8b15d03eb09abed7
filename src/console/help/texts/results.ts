import type { Help, Helps } from '#console/help/texts/help.ts';

const archive = (people: string): Help => ({
  purpose: [
    `${people}的档案：基本信息、历次测评、预警、咨询和随访。`,
    '最近的结果和下一步该做什么写在同一行。',
    '不再服务时归档并写明原因，之后仍可重新打开。',
  ],
  words: ['需关注', '脱敏', '监护人同意'],
  steps: ['按 / 输入姓名或编号，按 Enter', '按 J 选人，按 Enter 打开档案', '在档案里按 [ 和 ] 看上一位、下一位'],
});
const report: Help = {
  purpose: [
    '一份报告的全文，和打印、PDF 完全一样。',
    '每句话都能看到它来自哪个分数、哪条规则。',
    '可以修改结论和建议，审核后本人才看得到；改前的版本都保留。',
  ],
  words: ['审核', '显示', '需关注'],
  steps: ['按 Tab 到“审核”，按 Enter', '按 ] 到下一份', '点“PDF”下载'],
};
const team: Help = {
  purpose: ['一个班、年级或任务的团体报告。', '只有比例和人数，不含姓名；小分组不显示。', '可以改文字、下载 Word 和 PDF。'],
  words: ['小分组', '数据截至', '需关注', '有效'],
  steps: ['按 J 选一份，按 Enter 打开', '点“生成”出一份新的', '下载 Word'],
};

/** Reports, statistics, archives. */
export const results: Helps = {
  '/reports': {
    purpose: ['您能看的全部个体报告。', '待审核的先看；批量审核会跳过需要单独看的。', '可以打包下载 PDF。'],
    words: ['审核', '显示', '需关注', '视图'],
    steps: ['点“视图”，选“我的待办”', '按 J 选一份，按 Enter 打开', '按空格多选，再点“审核”'],
  },
  '/report/:reportcode': report,
  '/empower/individualReport': {
    purpose: [
      'AI 写的个体报告：生成、看、改、审核。',
      'AI 只拿到编号和分数，拿不到姓名、电话和作答原文。',
      'AI 文字经您审核后本人才看得到；没有 AI 时用规则写的文字。',
    ],
    words: ['审核', '显示'],
    steps: ['按 J 选一份，按 Enter 打开', '读一遍，改不合适的话', '点“审核”'],
  },
  '/empower/usersReport01': {
    purpose: ['孕产妇的两页报告：给本人的和给医护的。', '第一页是温和的话，第二页是分数和建议。', '可以打印后放进手册。'],
    words: ['审核', '显示'],
    steps: ['按 J 选一份，按 Enter 打开', '按 Ctrl + P 打印'],
  },
  '/trend/:cuserid': {
    purpose: ['一个人同一量表历次得分的变化。', '超过测量误差的变化才算变化，图上会标出来。', '可以看数据表、下载图片和数据。'],
    words: ['复测', '指标'],
    steps: ['选量表', '点“看数据”看每次的分数'],
  },
  '/statistics/statistics': {
    purpose: [
      '测了多少、结果怎样、跟进得如何，都有数字和图。',
      '每个数字点开就是名单，名单人数和数字一定相等。',
      '统计只用有效答卷；小分组不显示。',
    ],
    words: ['应测', '有效', '存疑', '需关注', '小分组', '数据截至'],
    steps: ['按 / 选学年、年级、任务', '按 Tab 走到图，按 Enter 看数据', '点数字打开名单'],
  },
  '/statistics/usersReportS': team,
  '/statisticsN/statisticsN': {
    purpose: ['各阶段授权、完成和需关注的人数。', '覆盖漏斗看得出在哪个阶段漏测。', '每个数字点开就是名单。'],
    words: ['阶段', '漏测', '授权', '需关注'],
    steps: ['选时间和人群', '点漏斗的一段打开名单'],
  },
  '/statistics/stages': {
    purpose: ['一个阶段该测的人：测过、没测、漏测。', '可以直接从这里安排补测。', '导出需要审批时会提示。'],
    words: ['阶段', '漏测', '补测'],
    steps: ['按 J 选人，按 Enter 打开档案', '按空格多选再操作'],
  },
  '/statistics/interventions': {
    purpose: ['全部干预记录：谁、什么时候、用什么方式、效果如何。', '可以按人员和时间筛选。', '从这里打开对应的个案。'],
    words: [],
    steps: ['按 / 到查询条件', '按 J 选一行，按 Enter 打开'],
  },
  '/statistics/persons': {
    purpose: ['统计数字背后的人，人数和数字相等。', '姓名按权限脱敏。', '打开个人档案会留下记录。'],
    words: ['需关注', '脱敏'],
    steps: ['按 J 选人，按 Enter 打开档案'],
  },
  '/statistics/sheets': {
    purpose: ['统计数字背后的答卷，份数和数字相等。', '每份答卷能看到得分。', '可以打开报告。'],
    words: ['有效', '存疑'],
    steps: ['按 J 选一份，按 Enter 打开'],
  },
  '/echarts/web': {
    purpose: ['把一张图放大看，带数据表。', '可以下载图片和数据。', '数字的含义写在图下。'],
    words: ['数据截至'],
    steps: ['点“看数据”', '下载图片或数据'],
  },
  '/statistics/excel': {
    purpose: [
      '上级要的 Excel 表，上传一次，以后自动填数。',
      '在格子里选要填什么数字，先预览再下载。',
      '格式、公式和页眉都照原样。',
    ],
    words: ['发布数据', '小分组'],
    steps: ['点“上传表格”', '选格子，选数字', '点“预览”'],
  },
  '/statistics/excel/:templateid': {
    purpose: ['选中格子，告诉系统填什么数字。', '向下填写可以一次填一列学校。', '预览的数字和下载的一样。'],
    words: ['发布数据', '小分组'],
    steps: ['用方向键走到格子，按 Enter', '选数字，保存', '下载'],
  },
  '/statistics/releasedReport': team,
  '/task/groupReport': team,
  '/task/teamReports': team,
  '/task/teamReport/:teamreportcode': team,
  '/archives/archives_gl_all': archive('所有人'),
  '/archives/archives_gl_yf': archive('孕产妇'),
  '/archives/archives_gl_ye': archive('学生'),
  '/archives/archives_gl_yg': archive('高压职业人群'),
  '/archives/archives_gl_yl': archive('老年人'),
  '/archives/fields': {
    purpose: [
      '给档案加本机构自己的字段，如住宿、生源地。',
      '可以选谁能看、要不要填、能不能用来筛选。',
      '停用的字段不再显示，填过的内容还在。',
    ],
    words: [],
    steps: ['点“新增字段”', '用上下键调顺序'],
  },
};
/** The help of every page of a person's file, and of every page of a report. */
export const person: Help = {
  purpose: [
    '一个人的全部：基本信息、监护人、同意、历次测评、预警、咨询、随访，排在一条时间线上。',
    '查看完整电话等信息要再次确认身份，并留下记录；本人可以查“谁看过”。',
    '本人要副本、要求匿名化、需要保全，都从这里办。',
  ],
  words: ['脱敏', '监护人同意', '匿名化', '保全'],
  steps: ['按 Tab 在各部分之间走', '点时间线的一项打开它', '按 [ 和 ] 看上一位、下一位'],
};
export const reportPage = report;
