/** What the copy for a person leaves out, by which ground; and where each table with a person's code stands in the copy. */

/** A kind of record that the copy leaves out. The copy shows name, ground and reason. */
export interface LeftOut {
  name: string;
  /** the statute or standard with its article */
  ground: string;
  reason: string;
  /** tables that are left out as a whole */
  tables: readonly string[];
}

const HARM = 'GB/T 35273—2020《个人信息安全规范》8.7 e)';

/** The kinds that no copy has. The same list stands in every copy, so that it tells nobody whether there is a case. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    name: '咨询师的个别记录',
    ground: `精神卫生法第二十三条（为接受咨询者保密）；${HARM}`,
    reason: '咨询师个人的工作记录，系统不向任何其他人打开；咨询的共享小结在副本内',
    tables: ['public.consultnote'],
  },
  {
    name: '个案的处置过程：来源与反映人、处置文字、面谈评估、复核意见、转案与对账记录',
    ground: `${HARM}；未成年人保护法第十一条（检举、报告人）`,
    reason: '写有其他人，或写有保护本人安全的安排，告知可能伤害他人或本人',
    tables: [
      'public.warninglog',
      'public.warningconfirm',
      'public.warningduty',
      'public.secondrequest',
      'public.riskassess',
      'public.returnassess',
      'public.casewitness',
      'public.casetransfer',
      'public.casefile',
      'public.reconcilediff',
    ],
  },
  {
    name: '没有结案的个案',
    ground: HARM,
    reason: '处置期间告知可能影响安全；结案后可再申请。安全计划在副本内',
    tables: [],
  },
  {
    name: '没有向本人开放的报告文字',
    ground: '精神卫生法第四十七条（可能对治疗产生不利影响的除外）',
    reason: '文字没有经专业人员审核或没有开放；作答和得分在副本内',
    tables: ['public.reportversion', 'public.reportcorrection'],
  },
  {
    name: '等待监护人同意的答卷的作答与得分',
    ground: '个人信息保护法第三十一条',
    reason: '监护人同意之前任何人都不能看',
    tables: [],
  },
  {
    name: '咨询的办理记录、发给工作人员的消息、工作人员的核对和合并办理记录',
    ground: HARM,
    reason: '写的是工作人员之间的办理，涉及其他人；系统不向受测者本人发送消息',
    tables: [
      'public.consultlog',
      'public.examreview',
      'public.sheetmove',
      'public.cusermerge',
      'public.cuserdistinct',
      'public.legalhold',
    ],
  },
];

/** What only a guardian's copy leaves out; every guardian's copy says so. */
export const LEFT_OUT_FOR_GUARDIANS: LeftOut = {
  name: '个案、安全计划、随访与干预，以及本人没有向监护人公开的咨询；查看记录中相应的各条',
  ground: `${HARM}；未成年人保护法第四条（尊重未成年人隐私）`,
  reason: '告知监护人可能伤害本人；确需告知的，由心理教师或医生当面进行',
  tables: [],
};

/** Tables with codes only: what they point to stands in the copy. */
export const ONLY_CODES: Readonly<Record<string, string>> = {
  'public.assesscode': 'a code to answer a plan, which the grants list',
  'public.assesscountlog': 'the ledger of counts: numbers of the institution',
  'public.testlink': 'the hash of a link, which the grants list',
};

/** The sheet of the copy on which each table stands. */
export const IN_COPY: Readonly<Record<string, string>> = {
  'public.cuser': '基本资料',
  'public.cuserarchive': '基本资料',
  'public.guardian': '监护人',
  'public.guardianconsent': '监护人',
  'public.teamroster': '班级与任务',
  'public.taskroster': '班级与任务',
  'public.cuserplan': '班级与任务',
  'public.examrecord': '测评',
  'public.examresult': '得分',
  'public.examform': '作答',
  'public.examlateanswer': '作答',
  'public.examalertanswer': '作答',
  'public.report': '报告',
  'public.consent': '同意与撤回',
  'public.withdrawal': '同意与撤回',
  'public.anonymization': '同意与撤回',
  'public.consult': '咨询',
  'public.followup': '随访与干预',
  'public.interfere': '随访与干预',
  'public.warning': '个案',
  'public.referral': '个案',
  'public.safetyplan': '安全计划',
  'public.fileobj': '附件',
  'public.lessonprogress': '课程',
  'auth.session': '登录',
  'audit.log': '谁看过',
};
