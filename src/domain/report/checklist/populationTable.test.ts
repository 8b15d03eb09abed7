import { describe, expect, it } from 'vitest';
import { apps, checkedReports, type CheckedReport } from '#domain/report/checklist/cases.fixture.ts';
import type { ReportContent, SectionKey } from '#domain/report/report.content.ts';
import { withoutAnswers } from '#domain/report/report.content.ts';
import { buildReport } from '#domain/report/report.ts';
import { defaultTemplate } from '#domain/report/template/template.ts';

/** Table 5.1 of design/reports.md as amended by clinical-rules.md: what each section has for each population. */

const [maternity, students, workers, elders, custom] = apps;
type Audience = 'self' | 'staff';
type When = (report: CheckedReport) => boolean;

interface Cell {
  section: SectionKey;
  /** what must appear, each of them */
  words: readonly string[];
  /** the readers; both without it */
  only?: Audience;
  /** the reports that must have the words; all reports of the population without it */
  when?: When;
}

const isLost: When = ({ summary }) => summary.lost;
const isOrdinary: When = ({ summary }) =>
  summary.valid && !summary.usesSupportiveText && !summary.reader.isChild && !summary.lost;
const hasRisks: When = ({ situation }) => situation === 'denied' || situation === 'violence';
const hasArchive: When = ({ situation }) => situation !== 'withoutArchive';
const isAtLevel =
  (lowest: number): When =>
  (report) =>
    isOrdinary(report) && (report.summary.overall ?? 0) >= lowest;
const both =
  (...conditions: When[]): When =>
  (report) =>
    conditions.every((condition) => condition(report));
const isValid: When = ({ summary }) => summary.valid;
const isDenied: When = ({ situation }) => situation === 'denied';

const cells: Readonly<Record<(typeof apps)[number], readonly Cell[]>> = {
  [maternity]: [
    { section: 'cover', words: ['孕周/产后天数'], only: 'staff' },
    { section: 'cover', words: ['孕周/产后天数'], only: 'self', when: (report) => !isLost(report) },
    { section: 'notice', words: ['听从产科医生的意见'] },
    {
      section: 'basicinfo',
      words: ['末次月经', '预产期', '孕次', '产次'],
      when: (report) => hasArchive(report) && !isLost(report),
    },
    { section: 'overall', words: ['孕产期情绪波动常见'], only: 'self', when: isOrdinary },
    { section: 'forms', words: ['EPDS', 'PHQ-15'], when: isValid },
    { section: 'riskfactors', words: ['既往史', '支持不足'], only: 'staff', when: hasRisks },
    { section: 'riskfactors', words: ['家庭暴力筛查阳性'], only: 'staff', when: ({ situation }) => situation === 'violence' },
    { section: 'riskfactors', words: ['不良妊娠结局'], only: 'staff', when: isLost },
    { section: 'riskfactors', words: ['能得到的帮助可能不多'], only: 'self', when: both(isValid, isDenied) },
    { section: 'suggestion', words: ['母婴联结', '哺乳期用药请遵医嘱'], only: 'self', when: isOrdinary },
    {
      section: 'suggestion',
      words: ['母婴联结', '哺乳期用药由医生评估，须遵医嘱'],
      only: 'staff',
      when: (report) => isValid(report) && !isLost(report),
    },
    { section: 'suggestion', words: ['伴侣'], only: 'self', when: both(isDenied, isAtLevel(1)) },
    { section: 'suggestion', words: ['分担夜间照护'], only: 'self', when: isAtLevel(1) },
    { section: 'support', words: ['产科心理门诊'] },
  ],
  [students]: [
    { section: 'cover', words: ['学校', '年级', '班级'], when: hasArchive },
    { section: 'notice', words: ['请信任的大人陪'], when: ({ facts }) => facts.person.age !== null },
    { section: 'basicinfo', words: ['寄宿', '留守', '单亲'], only: 'staff', when: hasRisks },
    { section: 'overall', words: ['成长'], only: 'self', when: isOrdinary },
    { section: 'forms', words: ['教师观察'], only: 'staff' },
    { section: 'riskfactors', words: ['留守儿童'], only: 'staff', when: hasRisks },
    {
      section: 'riskfactors',
      words: ['教师观察到可疑伤痕'],
      only: 'staff',
      when: both(isValid, ({ situation }) => situation === 'violence'),
    },
    {
      section: 'riskfactors',
      words: ['睡眠困扰明显'],
      only: 'staff',
      when: ({ situation, level }) => situation === 'plain' && level >= 2,
    },
    {
      section: 'riskfactors',
      words: ['睡得不太好'],
      only: 'self',
      when: ({ situation, level }) => situation === 'plain' && level >= 2,
    },
    { section: 'suggestion', words: ['学习节律'], only: 'self', when: isOrdinary },
    { section: 'suggestion', words: ['学习节律', '求助渠道', '和大人沟通'], only: 'staff', when: isValid },
    {
      section: 'suggestion',
      words: ['求助渠道'],
      only: 'self',
      when: (report) => isOrdinary(report) && (report.summary.overall ?? 2) < 2,
    },
    { section: 'suggestion', words: ['和家长沟通'], only: 'self', when: both(isDenied, isAtLevel(2)) },
    { section: 'suggestion', words: ['先说感受再说事情'], only: 'self', when: isAtLevel(2) },
    { section: 'support', words: ['心理辅导室', '12355'], when: ({ summary }) => !summary.reader.isChild },
  ],
  [workers]: [
    { section: 'cover', words: ['单位', '岗位'], when: hasArchive },
    { section: 'notice', words: ['个人结果只由有权限的人员按职责查看'] },
    { section: 'basicinfo', words: ['每周工时', '每月夜班', '近一年重大事件'], when: hasRisks },
    { section: 'overall', words: ['压力'], only: 'self', when: isOrdinary },
    { section: 'forms', words: ['PHQ-15', 'K10', 'CBI'], when: isValid },
    { section: 'riskfactors', words: ['工作时间长或夜班频繁', '重大事件', '轮班工作'], only: 'staff', when: hasRisks },
    { section: 'riskfactors', words: ['工时较长或夜班较多', '重大事件'], only: 'self', when: both(isValid, hasRisks) },
    { section: 'suggestion', words: ['睡眠与轮班'], only: 'self', when: both(isOrdinary, hasRisks) },
    { section: 'suggestion', words: ['EAP', '同侪'], only: 'self', when: isAtLevel(1) },
    { section: 'suggestion', words: ['睡眠与轮班', 'EAP', '同侪'], only: 'staff', when: isValid },
    { section: 'support', words: ['EAP', '工会'] },
  ],
  [elders]: [
    { section: 'cover', words: ['居住方式'], only: 'staff', when: hasArchive },
    { section: 'notice', words: ['大字版'] },
    { section: 'basicinfo', words: ['慢性病', '日常活动'], when: hasRisks },
    { section: 'basicinfo', words: ['近一年亲人离世', '照护者'], only: 'staff', when: hasRisks },
    { section: 'overall', words: ['身体和情绪会互相影响'], only: 'self', when: isOrdinary },
    { section: 'forms', words: ['GDS-15', 'PHQ-2'], when: isValid },
    { section: 'forms', words: ['照护者观察'], only: 'staff' },
    { section: 'riskfactors', words: ['独居', '亲人离世', '跌倒', '记忆'], only: 'staff', when: hasRisks },
    { section: 'riskfactors', words: ['一个人住', '担心跌倒'], only: 'self', when: both(isValid, hasRisks) },
    { section: 'suggestion', words: ['社交参与'], only: 'self', when: isAtLevel(1) },
    { section: 'suggestion', words: ['慢病管理', '照护：'], only: 'self', when: both(isOrdinary, hasRisks) },
    { section: 'suggestion', words: ['社交参与', '慢病管理', '照护安排'], only: 'staff', when: isValid },
    { section: 'support', words: ['家庭医生'] },
  ],
  [custom]: [],
};

/** Words of one population that no other population may read anywhere. */
const ownWords: Readonly<Record<(typeof apps)[number], RegExp>> = {
  [maternity]: /孕|产科|末次月经|产次|母婴|哺乳|伴侣/,
  [students]: /学校(?!课程)|年级|班级|寄宿|留守|单亲|学习节律|12355|辅导室|教师观察|家长沟通/,
  [workers]: /单位|岗位|工时|夜班|轮班|EAP|工会|同侪/,
  [elders]: /大字版|独居|慢病|慢性病|跌倒|社交参与|照护者观察/,
  [custom]: /$^/,
};

const sectionText = (content: ReportContent, key: SectionKey): string =>
  JSON.stringify(content.sections.find((section) => section.key === key)?.blocks ?? []);
/** The text without institutions, plans and the words of questionnaires, which any population may have. */
const wordsOfReport = ({ sections }: ReportContent): string =>
  JSON.stringify(sections.filter(({ key }) => key !== 'forms' && key !== 'appendix'));
const reportsOf = (appid: string) => checkedReports.filter((report) => report.appid === appid);

describe('table 5.1 of the report: population by section', () => {
  for (const appid of apps)
    for (const { section, words, only, when } of cells[appid])
      it(`${appid} has ${words.join('、')} in ${section}${only ? ` for ${only}` : ''}`, () => {
        const reports = reportsOf(appid).filter((report) => !when || when(report));
        expect(reports.length).toBeGreaterThan(0);
        for (const report of reports)
          for (const audience of ['self', 'staff'] as const)
            if (!only || only === audience)
              for (const word of words)
                expect(sectionText(report[audience], section), `${report.name} ${audience}`).toContain(word);
      });

  it('keeps the words of a population out of every other population', () => {
    for (const owner of apps)
      for (const { appid, name, self, staff } of checkedReports)
        if (appid !== owner)
          for (const content of [self, staff])
            expect(wordsOfReport(content), `${name} ${content.audience}`).not.toMatch(ownWords[owner]);
  });

  it('keeps what only staff read out of the person’s own version', () => {
    for (const { name, self } of checkedReports) {
      expect(
        self.sections.some(({ key }) => key === 'conclusion' || key === 'appendix'),
        name,
      ).toBe(false);
      expect(sectionText(self, 'basicinfo'), name).not.toMatch(/寄宿|留守|单亲|亲人离世|照护者/);
      expect(sectionText(self, 'cover'), name).not.toContain('居住方式');
      expect(sectionText(self, 'riskfactors'), name).not.toMatch(/暴力|既往|留守|欺凌|亲人离世|记忆|未询问/);
    }
  });

  it('has in every report cover, notice, overall, support and closing, and for staff the review and the answers', () => {
    for (const { name, self, staff } of checkedReports) {
      for (const content of [self, staff]) {
        for (const word of ['机构', '报告编号', '报告日期']) expect(sectionText(content, 'cover'), name).toContain(word);
        expect(sectionText(content, 'notice'), name).toMatch(/本报告为筛查结果，不作为诊断依据/);
        expect(sectionText(content, 'notice'), name).toContain('保密');
        for (const number of ['12356', '120', '110']) expect(sectionText(content, 'support'), name).toContain(number);
        expect(content.sections.at(-1)?.key, name).toBe('closing');
        expect(content.largefont, name).toBe(content.templatecode === 'usersReport4');
      }
      for (const word of ['审核人', '审核日期', '签名']) expect(sectionText(staff, 'conclusion'), name).toContain(word);
      expect(sectionText(staff, 'appendix'), name).toContain('题号');
      expect(sectionText(withoutAnswers(staff), 'appendix'), name).toBe('[]');
    }
  });

  it('has the basic lines in every report that is not custom', () => {
    for (const { name, self, staff, appid, facts } of checkedReports)
      for (const content of [self, staff])
        for (const word of [
          '姓名',
          '性别',
          '测评方案',
          '测评阶段',
          '完成时间',
          '作答用时',
          '作答有效性',
          ...(facts.person.age === null ? [] : ['年龄']),
        ])
          expect(sectionText(content, 'basicinfo').includes(word), `${name} ${word}`).toBe(appid !== custom);
  });

  it('compares with the last test in every population but the custom report', () => {
    for (const { name, self, staff, appid, situation, summary } of checkedReports) {
      const isCompared = situation === 'denied' || situation === 'special';
      expect(sectionText(staff, 'compare').includes('"line"'), name).toBe(isCompared && appid !== custom);
      if (!summary.usesSupportiveText)
        expect(sectionText(self, 'compare').includes('"line"'), name).toBe(isCompared && appid !== custom);
    }
  });

  it('gives the custom report its own title, notice and chosen lines, and risk factors to staff only', () => {
    for (const { facts, name } of reportsOf(custom)) {
      const template = {
        ...defaultTemplate,
        templatecode: 'RT000001',
        title: '员工关怀报告',
        notice: '结果只用于关怀服务。',
        fields: ['age', 'planname'],
        sections: defaultTemplate.sections.map((section) => (section.key === 'basicinfo' ? { ...section, on: true } : section)),
      };
      const { self, staff } = buildReport({ ...facts, template });
      for (const content of [self, staff]) {
        expect(content.title, name).toBe('员工关怀报告');
        expect(sectionText(content, 'notice'), name).toContain('结果只用于关怀服务。');
        expect(sectionText(content, 'basicinfo'), name).toContain('测评方案');
        expect(sectionText(content, 'basicinfo'), name).not.toMatch(/性别|测评阶段|作答用时/);
      }
      expect(sectionText(self, 'riskfactors'), name).toBe('[]');
      expect(sectionText(staff, 'riskfactors'), name).toContain('询问');
    }
  });

  it('addresses staff with no 你 and no 您 outside of the words of questionnaires', () => {
    for (const { name, staff } of checkedReports)
      expect(wordsOfReport(staff).replaceAll(/“[^”]*”/g, ''), name).not.toMatch(/[你您]/);
  });
});
