/** The applications: the four populations of the national screening plan, and the custom report (model 1.2). */
export const apps = [
  { appid: '000000001', appname: '孕产妇心理健康', scenecode: 'MATERNAL', iconurl: '/icons/maternal.svg', ordernum: 1 },
  { appid: '000000002', appname: '学生心理健康', scenecode: 'STUDENT', iconurl: '/icons/student.svg', ordernum: 2 },
  { appid: '000000003', appname: '高压职业人群', scenecode: 'WORK', iconurl: '/icons/work.svg', ordernum: 3 },
  { appid: '000000004', appname: '中老年人群', scenecode: 'ELDER', iconurl: '/icons/elder.svg', ordernum: 4 },
  { appid: '000000005', appname: '自定义报告', scenecode: 'CUSTOM', iconurl: '/icons/custom.svg', ordernum: 5 },
] as const;

const categoriesOf = (appid: string, names: readonly string[]) =>
  names.map((categoryname, index) => ({ categoryid: `${appid.at(-1)}0${index + 1}`, appid, categoryname }));
/** The categories of each application. */
export const categories = [
  ...categoriesOf('000000001', ['孕期', '产后']),
  ...categoriesOf('000000002', ['小学（四年级以上）', '初中', '高中', '中职', '大学']),
  ...categoriesOf('000000003', ['医护', '教师', '公安消防', '交通司乘', '企业职工', '其他']),
  ...categoriesOf('000000004', ['社区老人', '机构养老', '住院老人']),
  ...categoriesOf('000000005', ['通用']),
];

interface Stage {
  appid: string;
  stagecode: string;
  stagename: string;
  /** when the server proposes the stage: days of gestation, days after delivery, or months of the year */
  autorule?: { kind: 'gestation' | 'afterdelivery'; from: number; to: number } | { kind: 'months'; months: readonly number[] };
}
const retest = (appid: string): Stage => ({ appid, stagecode: 'FC01', stagename: '复测' });
/** The stages of each application. */
export const stages: readonly Stage[] = [
  { appid: '000000001', stagecode: 'YC01', stagename: '孕早期', autorule: { kind: 'gestation', from: 0, to: 97 } },
  { appid: '000000001', stagecode: 'YC02', stagename: '孕中期', autorule: { kind: 'gestation', from: 98, to: 195 } },
  { appid: '000000001', stagecode: 'YC03', stagename: '孕晚期', autorule: { kind: 'gestation', from: 196, to: 294 } },
  { appid: '000000001', stagecode: 'YC42', stagename: '产后42天', autorule: { kind: 'afterdelivery', from: 28, to: 84 } },
  { appid: '000000001', stagecode: 'YC90', stagename: '产后3个月', autorule: { kind: 'afterdelivery', from: 85, to: 120 } },
  retest('000000001'),
  { appid: '000000002', stagecode: 'XS00', stagename: '新生入学' },
  { appid: '000000002', stagecode: 'XS01', stagename: '秋季学期', autorule: { kind: 'months', months: [9, 10, 11, 12, 1] } },
  { appid: '000000002', stagecode: 'XS02', stagename: '春季学期', autorule: { kind: 'months', months: [2, 3, 4, 5, 6, 7] } },
  { appid: '000000002', stagecode: 'XS03', stagename: '考前专项' },
  retest('000000002'),
  { appid: '000000003', stagecode: 'ZY01', stagename: '入职' },
  { appid: '000000003', stagecode: 'ZY02', stagename: '年度' },
  { appid: '000000003', stagecode: 'ZY03', stagename: '事件后专项' },
  retest('000000003'),
  { appid: '000000004', stagecode: 'LN01', stagename: '年度体检' },
  { appid: '000000004', stagecode: 'LN02', stagename: '季度随访' },
  retest('000000004'),
  { appid: '000000005', stagecode: 'ZD01', stagename: '通用' },
];
