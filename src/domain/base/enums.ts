import { defineEnum } from '#domain/base/enum.ts';

/** Enumerations of specification section 3 and of the domain model. Users read the labels. */

const genders = defineEnum({ unknown: ['00', '未知'], male: ['01', '男'], female: ['02', '女'] });
/** 00 means unknown (GB/T 2261.1), for persons who come with an assessment code. Forms offer only 01 and 02. */
export const Gender = { ...genders, options: genders.options.filter(({ value }) => value !== genders.unknown) };
export const YesNo = defineEnum({ yes: [1, '是'], no: [0, '否'] });
export const Enabled = defineEnum({ enabled: [1, '启用'], disabled: [0, '停用'] });

/** 0 is "not assessed yet"; 1–4 follow the mapping of form levels in `domain/scoring/mentalState.ts`. */
export const MentalState = defineEnum({
  none: [0, '无'],
  good: [1, '良好'],
  mild: [2, '轻度情绪问题'],
  moderate: [3, '中度情绪问题'],
  severe: [4, '重度情绪问题'],
});

export const FormType = defineEnum({
  self: ['01', '自评量表'],
  archive: ['02', '用户档案表'],
  registration: ['03', '登记表'],
  other: ['04', '他评量表'],
});
export const QuestionType = defineEnum({ fill: [0, '填空题'], single: [1, '单选题'], multiple: [2, '多选题'] });
export const InputType = defineEnum({
  text: [0, '纯文本'],
  integer: [1, '整数'],
  decimal: [2, '小数'],
  date: [3, '日期'],
  time: [4, '时间'],
  dateTime: [5, '日期时间'],
  timeRange: [6, '时间范围'],
  number: [7, '数字选择器'],
  district: [8, '省市区选择器'],
});
export const LicenceTier = defineEnum({
  free: ['A', '可自由使用'],
  conditional: ['B', '附条件使用'],
  licensed: ['C', '需授权文本'],
  own: ['S', '自编'],
});

/** The persons a role can see: all of the institution, those of staff in some departments, or those of the own teams. */
export const DataScope = defineEnum({
  all: [1, '本机构全部'],
  chosen: [2, '指定部门'],
  own: [3, '本部门'],
  below: [4, '本部门及以下'],
  teams: [5, '仅本人负责的团体'],
});
export const MUserType = defineEnum({
  platform: ['001', '平台'],
  provider: ['002', '服务商'],
  authority: ['003', '主管部门'],
  medical: ['004', '医疗卫生机构'],
  institution: ['005', '学校/企业/养老机构'],
});
export const Sector = defineEnum({
  platform: ['platform', '平台'],
  edu: ['edu', '教育'],
  health: ['health', '卫生'],
  enterprise: ['enterprise', '企业'],
  elder: ['elder', '养老'],
  gov: ['gov', '机关'],
});

export const Appid = defineEnum({
  maternity: ['000000001', '孕产妇'],
  students: ['000000002', '学生'],
  workers: ['000000003', '高压职业'],
  elders: ['000000004', '中老年'],
  custom: ['000000005', '自定义报告'],
});

export const TeamType = defineEnum({
  class: ['01', '班级'],
  dept: ['02', '部门/科室'],
  community: ['03', '社区/机构'],
  custom: ['04', '自定义'],
});
export const Term = defineEnum({ autumn: ['1', '秋季学期'], spring: ['2', '春季学期'] });
export const TaskStatus = defineEnum({
  draft: [0, '草稿'],
  running: [1, '进行中'],
  ended: [2, '已结束'],
  cancelled: [3, '已取消'],
});
export const RosterStatus = defineEnum({
  notStarted: [0, '未开始'],
  doing: [1, '作答中'],
  finished: [2, '已完成'],
  absent: [3, '免测/缺测'],
  invalid: [4, '存疑待重测'],
  removed: [9, '已移除'],
});
export const ExamStatus = defineEnum({
  notStarted: [0, '未开始'],
  doing: [1, '作答中'],
  submitted: [2, '已提交'],
  timeout: [3, '超时'],
  voided: [4, '已作废'],
});
export const Scene = defineEnum({
  phone: ['01', '手机作答'],
  staff: ['02', '管理端代录'],
  paper: ['03', '纸质补录'],
  kiosk: ['04', '自助机'],
});
export const EduPhase = defineEnum({
  primary: ['01', '小学'],
  junior: ['02', '初中'],
  senior: ['03', '高中'],
  vocational: ['04', '中职'],
  university: ['05', '大学'],
});

export const WarningState = defineEnum({
  waiting: ['01', '待受理'],
  accepted: ['02', '已受理'],
  verifying: ['03', '核实评估中'],
  intervening: ['04', '干预中'],
  referred: ['05', '已转介'],
  following: ['06', '随访观察'],
  closed: ['07', '已结案'],
  excluded: ['08', '排除/误报'],
});
export const WarningSource = defineEnum({
  exam: ['01', '测评'],
  observation: ['02', '他评'],
  staff: ['03', '人工上报'],
  consult: ['04', '咨询中发现'],
  hotline: ['05', '求助'],
  transfer: ['06', '转入'],
});
const staffCloseReasons = {
  resolved: ['01', '风险解除'],
  falseAlarm: ['02', '误报'],
  handedOver: ['03', '转出/移交'],
  lost: ['04', '失访'],
  died: ['05', '死亡'],
} as const;
/** The reasons for which staff close a case. */
export const StaffCloseReason = defineEnum(staffCloseReasons);
/** 06: the case went on in another one, because two records of one person were merged. Only the merge closes with it. */
export const CloseReason = defineEnum({ ...staffCloseReasons, joined: ['06', '并案'] });
export const ContactResult = defineEnum({ confirmed: ['01', '属实'], mistaken: ['02', '误答'], unreachable: ['03', '无法联系'] });
export const InterfereKind = defineEnum({
  counselling: ['01', '心理辅导'],
  consult: ['02', '心理咨询'],
  referral: ['03', '转介就诊'],
  medication: ['04', '药物治疗（由医疗机构）'],
  family: ['05', '家庭沟通'],
  group: ['06', '团体活动'],
  crisis: ['07', '危机干预'],
  other: ['08', '其他'],
});
export const FollowMethod = defineEnum({
  visit: ['01', '面访'],
  phone: ['02', '电话'],
  wechat: ['03', '微信'],
  home: ['04', '家访'],
  retest: ['05', '复测'],
});
export const FollowStatus = defineEnum({
  waiting: ['01', '待随访'],
  done: ['02', '已完成'],
  overdue: ['03', '逾期'],
  lost: ['04', '失访'],
  cancelled: ['05', '取消'],
});
/** What follows a done follow-up. */
export const FollowOutcome = defineEnum({ continued: ['01', '继续随访'], ended: ['02', '结束随访'] });
export const ConsultStatus = defineEnum({
  waiting: ['01', '待受理'],
  booked: ['02', '已预约'],
  done: ['03', '已完成'],
  cancelled: ['04', '已取消'],
  missed: ['05', '爽约'],
});
export const ConsultType = defineEnum({
  visit: ['01', '面谈'],
  phone: ['02', '电话'],
  video: ['03', '视频'],
  group: ['04', '团体'],
});
export const ConsultSource = defineEnum({ person: ['01', '本人'], staff: ['02', '代登记'], case: ['03', '预警转入'] });
/** The topics of a registration, as the option set `topic` of CONSULTREG has them. */
export const ConsultTopic = defineEnum({
  study: ['01', '学业/工作压力'],
  mood: ['02', '情绪困扰'],
  relations: ['03', '人际关系'],
  family: ['04', '家庭关系'],
  love: ['05', '恋爱婚姻'],
  sleep: ['06', '睡眠问题'],
  parenting: ['07', '育儿/母婴'],
  health: ['08', '健康担忧'],
  other: ['99', '其他'],
});
export const ConsultAttendance = defineEnum({ onTime: ['01', '按时'], late: ['02', '迟到'], leftEarly: ['03', '提前离开'] });
export const ConsultOutcome = defineEnum({
  continued: ['01', '继续'],
  ended: ['02', '结束'],
  referred: ['03', '转介'],
  warned: ['04', '转预警'],
});
/** Who books or cancels a consultation. */
export const ConsultActor = defineEnum({ person: ['01', '本人'], staff: ['02', '工作人员'] });
/** What a form of type 03 is for. Persons are offered only those of 申请. */
export const FormPurpose = defineEnum({ application: ['01', '申请'], followup: ['02', '随访'], interview: ['03', '访谈'] });
export const ReferralStatus = defineEnum({
  issued: ['01', '已开具'],
  visited: ['02', '已就诊'],
  refused: ['03', '拒绝'],
  answered: ['04', '已反馈'],
});
export const ReportStatus = defineEnum({
  making: [0, '生成中'],
  made: [1, '待审核'],
  reviewed: [2, '已审核'],
  failed: [9, '生成失败'],
});

/** The state of the AI text of a report (supplement-people-statistics.md 7). */
export const AiStatus = defineEnum({
  none: [0, '未生成'],
  making: [1, '生成中'],
  made: [2, '已生成'],
  reviewed: [3, '已审核'],
  failed: [9, '失败'],
});

/** The type of a report, from the report mode of its plan (supplement-people-statistics.md 7). */
export const ReportType = defineEnum({
  report: ['01', '测评报告'],
  ai: ['02', 'AI个体报告'],
  maternity1: ['03', '孕产妇1.0'],
  custom: ['04', '自定义报告'],
});

/** The kind of a line in the ledger of counts (assesscountlog); model-and-calls.md 1.6. */
export const CountKind = defineEnum({
  grant: ['01', '发放'],
  order: ['02', '订单购入'],
  freeze: ['03', '冻结'],
  use: ['04', '使用'],
  release: ['05', '释放'],
  takeBack: ['06', '收回'],
  expiry: ['07', '过期'],
  correction: ['08', '人工调整'],
});
/** The state of a person's right to answer a plan (cuserplan). */
export const GrantStatus = defineEnum({
  live: [1, '有效'],
  usedUp: [2, '已用完'],
  cleared: [3, '已清零'],
  expired: [4, '已过期'],
});
