import { KEY_SCOPES, type KeyScope } from '#contract/apikey/openToKeys.ts';
import { features, menu } from '#contract/menu.ts';
import { ContentAudience } from '#domain/content/content.ts';
import {
  Appid,
  ConsultAttendance,
  ConsultTopic,
  ConsultType,
  CountKind,
  DataScope,
  Enabled,
  FormType,
  Gender,
  MUserType,
  Sector,
  TeamType,
  Term,
  YesNo,
} from '#domain/base/enums.ts';

/** The Chinese titles of the fields in the details of audit rows: columns that edits track, and facts that handlers add. */
export const FIELD_TITLES: Readonly<Record<string, string>> = {
  abnormalminlevel: '异常统计起点', absentuntil: '外出至', accountid: '账号', acknowledged: '已确认量表', action: '操作', added: '增加',
  address: '地址', agreed: '结论', appid: '人群', appids: '应用', applicant: '申请人', approvalid: '审批编号', assessid: '评估编号',
  autorule: '自动阶段规则', begindate: '开始日期', begintime: '开始时间', birthday: '出生日期', biztype: '文件用途', broken: '不一致的段',
  call: '导出内容', calls: '待拨记录', categoryid: '类别', certno: '证件号', changed: '修改内容', channel: '通道', citycode: '市',
  classname: '班级', clienttitle: '入口标题', code: '入口编码', codes: '权限', cond: '触发条件', consentterms: '知情同意条款', content: '内容',
  contractno: '合同号', copyfrom: '复制自', counted: '计数', created: '新增', currentlevel: '当前状态', cuserid: '受测者', cuserids: '受测者',
  cuserplanids: '授权', datascope: '数据范围', dates: '日期', deptid: '部门', deptids: '部门', deptname: '部门名称', districtcode: '区县',
  duetime: '随访时间', duty: '接收预警', dutyid: '专项职责', edits: '修改', effect: '效果', email: '邮箱', enabled: '状态', enddate: '有效期至',
  ended: '结束的登录', endtime: '结束时间', events: '推送的事件', keyname: '密钥名称', permin: '每分钟次数', scopes: '可以读取', days: '有效天数',
  examcode: '答卷', exempted: '免测', expiredate: '有效期至', failed: '失败', fields: '修改内容',
  fileid: '文件编号', filename: '文件名', filters: '筛选条件', finished: '已完成', focus: '重点关注', followupid: '随访编号', formcode: '量表',
  forms: '量表', from: '原来', frommusercode: '参照机构', frozen: '冻结次数', gender: '性别', gradecode: '年级', gradename: '年级名称',
  granted: '允许', denied: '禁止', ground: '依据', guardian: '监护人', guardianid: '监护人编号', handedover: '移交的预警', hidden: '在菜单中隐藏',
  hotline: '热线', hotlines: '本单位热线', icon: '图标', insname: '机构名称', interfereid: '干预编号', introduce: '说明', iscommon: '公共方案',
  ispublic: '是否公开', isshared: '共用账号', isshow: '给受测者看', items: '应用与阶段', keyword: '关键字', kind: '类型', kinds: '类型', leader: '负责人',
  linkedcode: '关联个案', loginmode: '身份核对方式', logo: '机构标志', logofileid: '机构标志', method: '方式', mime: '文件类型', minors: '未成年人',
  minutes: '时长（分钟）', moved: '移动的机构', musercode: '机构', musercodes: '机构', musertype: '机构类型', mustfactor: '登录二次验证', name: '名称',
  needguardian: '需要监护人同意', needsignature: '需要手写签名', note: '说明', objectid: '对象', ordernum: '排序', owneruserid: '负责人',
  parentid: '上级部门', parentmusercode: '上级机构', path: '路径', persons: '人数', phonehash: '联系电话',
  idno: '身份证号', idnohash: '身份证号', phonenumber: '联系电话', plancode: '方案',
  planid: '安全计划编号', planname: '方案名称', post: '职务', price: '价格（分）', provincecode: '省', pwd: '密码', qty: '次数', reach: '范围',
  realname: '姓名', reason: '原因', receivercode: '接收机构', referralid: '转介编号', refusal: '已拒绝', refused: '没有改变', released: '释放次数', remark: '备注',
  reporttemplatecode: '报告模板',
  remindrule: '提醒规则', removed: '移除', reportcodes: '报告', reportmode: '报告形式', requestid: '复核编号', reset: '重置', resultshow: '作答后可看报告',
  retestdays: '复测间隔（天）', returnid: '复学评估编号', reviewid: '核对编号', roleid: '角色', roleids: '角色', rolekey: '角色标识', rolename: '角色名称',
  roles: '角色', rolesadded: '增加角色', rolesort: '排序', rolesremoved: '移除角色', rows: '行数', seals: '封存段数', sector: '行业',
  seedetail: '可看个人明细', seq: '步骤', settings: '设置', shortname: '简称', showreport: '受测者可看报告', showreportdefault: '新报告默认给受测者看',
  sign: '增减', size: '大小（字节）', skipped: '跳过', slots: '时段', stagecode: '阶段', stagename: '阶段名称', status: '状态', step: '步骤',
  subject: '事项', success: '成功', sysusername: '登录账号', sysusernames: '登录账号', taskcode: '任务', taskname: '任务名称', teamcode: '团体',
  teamcodes: '团体', teamname: '团体名称', teamtype: '团体类型', term: '学期', terms: '知情同意条款', themecolor: '主题色', time: '时间', title: '显示名称',
  titles: '资质', to: '改为', total: '合计', trigger: '触发', trustdevice: '设备免二次验证',
  userid: '用户', userids: '用户', username: '姓名', users: '用户数', validbegin: '启用日期',
  validdays: '有效天数', validend: '停用日期', warningcode: '预警编号', warninglevel: '预警等级', weekdays: '星期', welcome: '欢迎语', year: '学年',
  fromaddress: '发件邮箱', host: '服务器', ison: '免打扰', mailbox: '收件邮箱', port: '端口', quietfrom: '免打扰开始', quietuntil: '免打扰结束',
  person: '测评档案', medical: '医疗机构的测评档案', notice: '消息', job: '导入导出记录', months: '保存月数',
  secretsealed: '密码或密钥', security: '加密方式', url: '地址',
  fieldcode: '字段编码', fieldname: '字段名称', inexport: '导出', inlist: '列表中显示', insearch: '用于筛选', options: '选项', required: '必填',
  sensitive: '敏感信息',
  indicator: '指标', place: '范围', placecolumn: '名称所在的列', people: '人群', peoplecolumn: '年级所在的列',
  minscore: '下限', maxscore: '上限', level: '等级', levelname: '等级名称', colour: '颜色', comment: '面向本人的评语',
  staffcomment: '面向工作人员的评语', suggestion: '建议', normname: '常模名称', agemin: '年龄下限', agemax: '年龄上限', region: '地区',
  consulttype: '咨询方式', consultid: '咨询登记', consultids: '咨询登记', topics: '困扰', attendance: '到访', outcome: '结果', nextdate: '下次日期',
  summary: '咨询摘要', counsellor: '咨询师', slotbegin: '开始时间', slotend: '结束时间', room: '咨询室', weeks: '周数', series: '系列预约',
  groupid: '团体场次', seriesid: '系列预约', weekday: '星期', pause: '间隔（分钟）', validfrom: '生效日期', validto: '截止日期', timeid: '时段编号',
  offid: '停诊编号', selfbook: '本人自选时间', order: '文书编号', operator: '经办人', witness: '见证人',
  bookings: '预约', cancelled: '取消的预约', followups: '随访', notes: '个别咨询记录',
  publishtime: '发布时间', offlinetime: '下线时间',
  coverfileid: '封面', category: '分类', audience: '可见对象', levels: '推荐给结果等级', author: '作者', istop: '置顶', duration: '时长（秒）',
  licence: '来源与授权', lecturer: '讲师', intro: '简介', free: '免费', trial: '试看', courseid: '课程编号', lessonids: '课时顺序',
  goodsname: '商品名称', marketprice: '划线价（分）', stock: '库存', detail: '商品详情', visiblescope: '可见范围', goods: '商品',
  totalamount: '订单金额（分）', amount: '金额（分）', paychannel: '支付方式', payno: '流水号', date: '日期', refundno: '退款单号', agree: '同意',
  answer: '答复', delivered: '已交付', invoicetitle: '发票抬头', invoiceno: '发票号码',
  mean: '均值', sd: '标准差', n: '样本量', source: '来源', templatename: '模板名称', sections: '章节',
}; // prettier-ignore

interface Labels {
  label: (code: never) => string | undefined;
}
/** The groups of calls of an API key. */
const Scopes: Labels = { label: (scope: KeyScope) => KEY_SCOPES[scope]?.title };
/** The words of coded values, by field. */
const LABELS: Readonly<Record<string, Labels>> = {
  agree: YesNo,
  agreed: YesNo,
  appid: Appid,
  appids: Appid,
  attendance: ConsultAttendance,
  audience: ContentAudience,
  consulttype: ConsultType,
  datascope: DataScope,
  delivered: YesNo,
  duty: YesNo,
  free: YesNo,
  enabled: Enabled,
  formtype: FormType,
  gender: Gender,
  hidden: YesNo,
  iscommon: YesNo,
  ison: YesNo,
  ispublic: YesNo,
  isshared: YesNo,
  isshow: YesNo,
  kind: CountKind,
  musertype: MUserType,
  mustfactor: YesNo,
  trustdevice: YesNo,
  needguardian: YesNo,
  needsignature: YesNo,
  sector: Sector,
  seedetail: YesNo,
  showreport: YesNo,
  showreportdefault: YesNo,
  trial: YesNo,
  teamtype: TeamType,
  term: Term,
  topics: ConsultTopic,
  scopes: Scopes,
};

/** Returns the words of a coded value of a field, or undefined. */
export function labelOf(field: string, value: unknown): string | undefined {
  const label = LABELS[field]?.label(value as never);
  return label === '' || label === undefined || label === String(value) ? undefined : label;
}

const guards: readonly { code?: string; title: string }[] = [
  ...Object.values(menu),
  ...Object.values(menu).flatMap(({ screens }): { code: string; title: string }[] => Object.values(screens)),
  ...Object.values(features),
];
const codeTitles = new Map(guards.map(({ code = '', title }) => [code, title]));
/** Returns the title of a permission code, or undefined. */
export const titleOfCode = (code: string): string | undefined => codeTitles.get(code);

/** The fields that hold numbers of departments or roles; all other numbers stay numbers. */
export const NUMBERED: Readonly<Record<string, 'dept' | 'role'>> = {
  deptid: 'dept',
  deptids: 'dept',
  parentid: 'dept',
  roleid: 'role',
  roleids: 'role',
  rolesadded: 'role',
  rolesremoved: 'role',
};
