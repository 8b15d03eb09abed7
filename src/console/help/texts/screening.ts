import type { Help, Helps } from '#console/help/texts/help.ts';

/** A population's screen of 个体测评. */
const population = (people: string): Help => ({
  purpose: [
    `这里是${people}的个体测评：谁该测、谁测过、结果如何。`,
    '给一个人授权方案后，可以当面用这台设备作答，也可以发链接、二维码或 4 位码。',
    '结果、趋势和报告都从这里打开。',
  ],
  words: ['授权', '次数', '阶段', '需关注'],
  steps: ['按 / 输入姓名或编号，按 Enter', '按 J 选人，按空格多选，再点“授权方案”', '按 Enter 打开个人档案'],
});

/** Tasks, teams, persons, questionnaires, plans. */
export const screening: Helps = {
  '/task/administration': {
    purpose: [
      '团体普测从这里开始：建任务、看进度、催没做的人、结束任务。',
      '进度是实时的，落后的班级会标出来。',
      '结束后可以给没做的人补测，过一段时间再复测。',
    ],
    words: ['应测', '免测', '缺测', '存疑', '补测', '复测'],
    steps: ['按 J 选任务，按 Enter 打开看板', '在看板里选班级看名单', '点“催测”，复制文字发到班级群'],
  },
  '/task/new': {
    purpose: [
      '几步建好一个任务：选方案、选班级、定时间、看一遍、发布。',
      '出错或断网时填过的内容都还在。',
      '最后一步看清人数、次数和时间再发布。',
    ],
    words: ['方案', '次数', '监护人同意', '应测'],
    steps: ['填任务名称，按 Enter 到下一步', '用空格勾选班级', '最后一步看清人数再发布'],
  },
  '/task/administration/:taskcode/:tab?': {
    purpose: [
      '一个任务的实时看板：完成了多少、哪个班落后、预计什么时候做完。',
      '名单里可以标记免测和缺测，可以复制催测文字、打印二维码。',
      '任务结束后在这里补测、复测、出团体报告。',
    ],
    words: ['应测', '免测', '缺测', '存疑', '补测'],
    steps: ['按 Tab 走到班级，按 Enter 看名单', '按 J、K 走人，按空格选择', '点“催测”，复制文字发到班级群'],
  },
  '/task/show/:taskcode': {
    purpose: ['把二维码投到教室的屏幕上，学生用手机扫。', '屏幕上只有人数，没有姓名。', '页面会自己刷新。'],
    words: ['应测'],
    steps: ['按 F11 全屏', '按 Esc 退出'],
  },
  '/task/print/:taskcode': {
    purpose: ['打印各班的二维码，贴在机房或教室。', '每班一页，写着班级和时间。', '任务结束后二维码失效。'],
    words: [],
    steps: ['按 Ctrl + P 打印'],
  },
  '/task/teamManagement': {
    purpose: [
      '班级、科室等团体和它们的名单。',
      '可以用 Excel 一次导入整个年级，先检查再写入，错的行会说明原因。',
      '转班和移出也在这里，答卷和档案都还在。',
    ],
    words: ['应测', '脱敏'],
    steps: ['点“导入名单”，下载模板', '填好上传，看检查结果', '按 J 选一个班，按 Enter 看名单'],
  },
  '/task/team/:teamcode': {
    purpose: ['一个团体的名单：加人、移出、转到别的班。', '移出只是离开名单，答卷和档案都还在。', '可以打印这个班的二维码。'],
    words: ['脱敏'],
    steps: ['按 / 输入姓名，按 Enter', '按空格选人，再选操作', '按 Enter 打开个人档案'],
  },
  '/task/team/:teamcode/qr': {
    purpose: ['这个团体的作答二维码。', '学生扫码后核对姓名再作答。', '可以下载或打印。'],
    words: [],
    steps: ['按 Ctrl + P 打印'],
  },
  '/task/guardianConsent': {
    purpose: [
      '哪些学生的监护人同意了，哪些还没有。',
      '可以打印家长二维码，也可以登记纸质同意书。',
      '没有同意的学生：作答保留一段时间，结果和报告不显示，预警照常处理。',
    ],
    words: ['监护人同意'],
    steps: ['选班级，按 Enter 查询', '按空格选人，点“登记同意”', '点“打印家长二维码”'],
  },
  '/task/guardianConsent/print/:teamcode': {
    purpose: ['每个学生一张家长二维码，剪开后带回家。', '家长扫码后阅读告知书并同意。', '二维码只对这个学生有效。'],
    words: ['监护人同意'],
    steps: ['按 Ctrl + P 打印'],
  },
  '/empower/maternity': population('孕产妇'),
  '/empower/youngsters': population('学生'),
  '/empower/highPressure': population('高压职业人群'),
  '/empower/theOld': population('中老年人'),
  '/empower/individualAssessment': {
    purpose: [
      '本机构所有受测者：新增、修改、导入、导出。',
      '每个人只应有一份档案；重复的会提示，可以合并，30 天内能撤销。',
      '姓名和电话按权限脱敏，查看完整信息会留下记录。',
    ],
    words: ['脱敏', '次数', '授权', '匿名化'],
    steps: ['按 / 输入姓名、拼音首字母或学号，按 Enter', '按 J 选人，按 Enter 打开档案', '点“新增”录入一个人'],
  },
  '/empower/individualAssessment/data': {
    purpose: ['全部答卷和得分，一行一份。', '可以按量表、任务、时间筛选后导出。', '导出未成年人数据需要第二个人审批。'],
    words: ['有效', '存疑', '作废', '指标'],
    steps: ['按 / 到查询条件', '按 J 选一行，按 Enter 看答卷', '点“导出”'],
  },
  '/evaluating/newInstitutionalEvaluation': {
    purpose: [
      '方案是一组按顺序作答的量表。',
      '可以新建、复制别人的、预览手机上的样子。',
      '用过的方案再改会产生新版本，旧结果不变。',
    ],
    words: ['方案', '量表', '阶段', '复测'],
    steps: ['按 J 选方案，按 Enter 打开', '点“预览”，像学生一样做一遍', '点“复制”改成自己的'],
  },
  '/evaluating/newInstitutionalEvaluation/edit': {
    purpose: ['选量表、排顺序、定阶段和报告形式。', '方案的题目总数和大约用时随时看得到。', '保存后可以在手机上预览。'],
    words: ['方案', '量表', '复测'],
    steps: ['按 Tab 走到“添加量表”，按 Enter', '用上下键调顺序', '保存后点“预览”'],
  },
  '/evaluating/evaluationScale': {
    purpose: [
      '所有能用的量表，带来源、授权情况和适用人群。',
      '可以看题目、看计分方法，输入一份作答试算。',
      '自己的量表在编辑器里做，发布后不再改变。',
    ],
    words: ['量表', '指标', '红线条目'],
    steps: ['按 / 输入名称或编号，按 Enter', '按 J 选一份，按 Enter 看详情', '在“试算”里输入作答'],
  },
  '/evaluating/scale/:formcode': {
    purpose: [
      '一份量表的题目、计分、分级、来源和版本。',
      '可以输入一份作答试算，看每一步怎么来的。',
      '需要授权的量表要先登记授权再用。',
    ],
    words: ['量表', '指标', '常模', '红线条目'],
    steps: ['按 Tab 在各部分之间走', '在“试算”里输入作答', '看每个分数的来历'],
  },
  '/evaluating/evaluationScale/edit': {
    purpose: [
      '做一份自己的量表：题目、选项、因子、分级、预警条目。',
      '每次改动都自动保存为草稿，右侧是手机预览。',
      '发布前必须试算；发布后不再改变。',
    ],
    words: ['量表', '指标', '红线条目', '常模'],
    steps: ['粘贴整段题目，系统会拆成一题一行', '选中多题，一起设选项', '试算通过后发布'],
  },
  '/evaluating/scaleComments': {
    purpose: ['分数对应的文字：分级、评语、建议、常模。', '可以按人群写不同的话，先试看再启用。', '说成诊断的话会被拦下。'],
    words: ['指标', '常模'],
    steps: ['选量表和指标', '选一级，写文字', '先试看，再启用'],
  },
  '/evaluating/reportTemplates': {
    purpose: ['自定义报告有哪些章节、用什么标题。', '在方案里选用一个模板，之后的报告就照它写。', '已出的报告不变。'],
    words: ['方案'],
    steps: ['按 J 选模板，按 Enter 打开', '点“新增”做一个自己的'],
  },
  '/evaluating/reportTemplates/edit': {
    purpose: ['选章节、排顺序、改标题。', '先看用示例结果生成的样子。', '不会出现诊断性的词句。'],
    words: [],
    steps: ['用空格勾选章节', '用上下键调顺序', '保存'],
  },
  '/period/periodManagement': {
    purpose: [
      '一个人群在哪些阶段测评、每个阶段用哪些量表。',
      '阶段到了，工作台和个体测评会提示该测谁。',
      '停用一个阶段不影响已有结果。',
    ],
    words: ['阶段', '漏测'],
    steps: ['选人群，看阶段', '打开一个阶段，勾选量表'],
  },
};
