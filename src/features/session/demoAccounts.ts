/** An account of the demonstration: who it is, and what to look at. */
export interface DemoAccount {
  loginname: string;
  title: string;
  /** what a visitor sees with this account */
  look: string;
}

/** The accounts of the demonstration. The sign-in page offers them, the start prints them, and the README lists them. */
export const demoAccounts: readonly DemoAccount[] = [
  { loginname: 'demo_psych', title: '云栖市晨光中学：心理教师 陈静怡', look: '工作台、团体测评、危机预警' },
  { loginname: 'demo_psych2', title: '云栖市晨光中学：心理教师 陆远', look: '作为第二人复核结案' },
  { loginname: 'demo_teacher', title: '云栖市晨光中学：初二(3)班 班主任 王慧敏', look: '只见本班，不见分数' },
  { loginname: 'demo_school', title: '云栖市晨光中学：机构管理员 马文博', look: '部门、用户、角色、审计日志、推文' },
  { loginname: 'demo_dongshan', title: '云栖市东山高级中学：心理教师 乔然', look: '高中的任务与问卷' },
  { loginname: 'demo_qinglan', title: '云栖市青蓝小学：心理教师 谭晓', look: '小学的任务与问卷' },
  { loginname: 'demo_hospital', title: '云栖市仁爱妇幼保健院：医生 林若溪', look: '孕产妇筛查与随访' },
  { loginname: 'demo_nurse', title: '云栖市仁爱妇幼保健院：护士 何晓芸', look: '门诊待测名单、建档与测评' },
  { loginname: 'demo_fws', title: '服务商 安澜心理：管理员', look: '开通机构、发放次数、推文与课程' },
  { loginname: 'demo_duty', title: '服务商 安澜心理：预警值守', look: '登录即到预警列表' },
  { loginname: 'demo_jyj', title: '云栖市教育局：只看统计', look: '只有人数，没有姓名' },
  { loginname: 'admin', title: '平台超级账号', look: '全部功能' },
  { loginname: 'demo_zs', title: '云栖市直属实验学校：不弹出应用选择', look: '登录后直接进入系统' },
  { loginname: 'demo_noapp', title: '云栖市听松学校：未开通应用', look: '没有应用时的提示' },
  { loginname: 'demo_disabled', title: '云栖市旧河学校：已停用，不能登录', look: '停用账号的提示' },
];
