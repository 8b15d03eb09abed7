import type { Sentence } from '#domain/report/commentary/commentary.ts';
import { Gender, MentalState } from '#domain/base/enums.ts';
import { colourOf, mentalStateOf } from '#domain/scoring/mentalState.ts';
import type { ArchiveField } from '#domain/person/populations.ts';
import { archiveText, hiddenAfterLoss } from '#domain/person/populations.ts';
import type { SectionContent, SectionContext, KV } from '#domain/report/report.blocks.ts';
import {
  plainParagraph,
  keyValueBlocks,
  toKeyValues,
  chooseSentences,
  textBlock,
  toParagraph,
} from '#domain/report/report.blocks.ts';
import type { Block, SectionKey } from '#domain/report/report.content.ts';
import { closingParagraph, disclaimer } from '#domain/report/report.content.ts';
import type { Summary } from '#domain/report/report.facts.ts';
import { answerText, shortTitle } from '#domain/report/report.facts.ts';
import { buildCompare, buildForms } from '#domain/report/report.forms.ts';
import type { Level } from '#domain/scoring/scale.ts';

function toArchiveLines({ summary, audience }: SectionContext, fields: readonly ArchiveField[]): KV[] {
  return fields.flatMap((field) => {
    if (audience === 'self' && (field.staffonly || (summary.lost && hiddenAfterLoss.includes(field.field)))) return [];
    const value = archiveText(field, summary.archive);
    return value === null ? [] : [{ label: field.label, value }];
  });
}

function cover(context: SectionContext): SectionContent {
  const { facts, summary } = context;
  return {
    title: facts.template?.title ?? '心理健康测评报告',
    blocks: keyValueBlocks([
      ...toKeyValues([
        ['机构', facts.institution.insname],
        ['姓名', facts.person.name],
        ['人群', summary.population.appname],
      ]),
      ...toArchiveLines(context, summary.population.cover),
      ...toKeyValues([
        ['报告编号', facts.reportcode],
        ['报告日期', facts.generatedat.slice(0, 10)],
        ['报告核验', facts.verifyurl],
      ]),
    ]),
  };
}

function notice({ facts, summary }: SectionContext): SectionContent {
  const call = summary.population.call;
  const minor = facts.person.age !== null && facts.person.age < 18 ? summary.population.minornotice : undefined;
  return {
    title: '阅读说明',
    blocks: [
      plainParagraph(
        `${disclaimer}。测评的目的是帮助${call}了解近期的情绪状态，及早获得支持。结果的参考期为两周，之后情况可能变化。`,
      ),
      plainParagraph(
        facts.template?.notice ||
          `${call}的作答与结果受到保密，只有负责心理服务的人员按职责查看；仅在生命安全受到威胁时，才会告知必要的人。`,
      ),
      ...summary.population.notice.map(plainParagraph),
      ...(minor ? [plainParagraph(minor)] : []),
    ].map((paragraph) => textBlock(paragraph)),
  };
}

const durationText = (seconds: number): string =>
  seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`;

function basicinfo(context: SectionContext): SectionContent {
  const { facts, summary } = context;
  const { exam, person } = facts;
  return {
    title: '基本信息',
    blocks: keyValueBlocks([
      ...toKeyValues([
        ['姓名', person.name],
        ['性别', Gender.label(person.gender)],
        ['年龄', person.age === null ? null : `${person.age}岁`],
        ['测评方案', exam.planname],
        ['测评阶段', exam.stagename],
        ['完成时间', exam.submittime.slice(0, 16)],
        ['作答用时', exam.duration == null ? null : durationText(exam.duration)],
        ['作答有效性', summary.valid ? '有效' : '效度不足'],
      ]),
      ...toArchiveLines(context, summary.population.basicinfo),
    ]),
  };
}

/** The sentence for an invalid exam, with the reason. */
const invalidText = (summary: Summary): string => `本次作答效度不足（${summary.invalidreason}），不作解释，建议择期重测。`;

const levelNames = ['良好', '轻度', '中度', '较重', '严重'] as const;

function overall(context: SectionContext): SectionContent {
  const { summary, audience } = context;
  const blocks: Block[] = audience === 'staff' ? alertBlock(context) : [];
  if (!summary.valid) {
    blocks.push(textBlock(plainParagraph(invalidText(summary))));
    if (audience === 'staff' || summary.usesSupportiveText)
      blocks.push(...overallSentences(context).map((overallSentence) => textBlock(toParagraph(context, overallSentence))));
    return { title: '总体情况', blocks };
  }
  if (audience === 'staff' || !summary.usesSupportiveText) {
    blocks.push({
      type: 'score',
      formcode: '',
      scorecode: 'overall',
      name: '情绪状态',
      score: null,
      level: summary.overall,
      label: MentalState.label(mentalStateOf(summary.overall)),
      colour: colourOf(summary.overall).hex,
      min: 0,
      max: 4,
      better: 'low',
      bands: levelNames.map((label, index) => ({
        min: index,
        max: index,
        level: index as Level,
        label,
        colour: colourOf(index as Level).hex,
      })),
    });
  }
  blocks.push(...overallSentences(context).map((overallSentence) => textBlock(toParagraph(context, overallSentence))));
  return { title: '总体情况', blocks };
}

/** The sentences of section `overall`. The calm version uses only the invitations (`excl: 'calm'`). */
function overallSentences(context: SectionContext): Sentence[] {
  if (context.audience === 'staff' || !context.summary.usesSupportiveText) return chooseSentences(context, 'overall');
  return chooseSentences({ ...context, library: context.library.filter((row) => row.excl === 'calm') }, 'overall');
}

function alertBlock({ summary, facts }: SectionContext): Block[] {
  const [first] = summary.alerts;
  if (!first) return [];
  const items = summary.alerts.flatMap(({ form, msg, items }) => [
    msg,
    ...items.map((item) => {
      const answer = answerText(form.scale, item, form.answers);
      const value = form.result.itemscores[item.c];
      const title = `${item.c.replace(/^q/, '第')}${item.c.startsWith('q') ? '题' : ''}${item.t ? `“${item.t}”` : ''}`;
      return `${shortTitle(form.scale)} ${title}：${answer ? `${answer}，` : ''}${value ?? '未答'}分`;
    }),
  ]);
  const { warning } = facts;
  if (warning) {
    items.push(
      `预警${warning.warningcode}：${warning.levelname}，${warning.statename}${warning.owner ? `，负责人${warning.owner}` : ''}`,
    );
    if (warning.acceptduetime) items.push(`受理时限：${warning.acceptduetime.slice(0, 16)}`);
    if (warning.assessduetime) items.push(`评估时限：${warning.assessduetime.slice(0, 16)}`);
  }
  return [{ type: 'alert', level: first.level, title: '关键条目预警，须当面核实', items }];
}

function riskfactors(context: SectionContext): SectionContent {
  const sentences = context.audience === 'self' && !context.summary.valid ? [] : chooseSentences(context, 'riskfactors');
  const title = context.audience === 'self' ? '可以多照顾自己的地方' : '风险因素';
  if (sentences.length)
    return { title, blocks: [{ type: 'list', items: sentences.map((sentence) => toParagraph(context, sentence)) }] };
  return { title, blocks: context.audience === 'staff' ? [textBlock(plainParagraph('档案与作答中未见列出的风险因素。'))] : [] };
}

const tiers = ['自我照顾', '家庭与同伴', '专业帮助'] as const;

function suggestion(context: SectionContext): SectionContent {
  const { summary, audience, facts } = context;
  if (audience === 'self' && !summary.valid && !summary.usesSupportiveText) return { title: '建议', blocks: [] };
  const sentences = chooseSentences(context, 'suggestion');
  const blocks = tiers.flatMap((title, index): Block[] => {
    const items = sentences.filter((sentence) => sentence.tier === index + 1).map((sentence) => toParagraph(context, sentence));
    return items.length ? [{ type: 'list', title, items }] : [];
  });
  const contents = summary.usesSupportiveText && audience === 'self' ? [] : (facts.contents ?? []);
  if (contents.length)
    blocks.push({
      type: 'list',
      title: '推荐内容',
      items: contents.map((content) => plainParagraph(`${content.kind}：${content.title}`)),
    });
  return { title: '建议', blocks };
}

function support({ facts, summary }: SectionContext): SectionContent {
  const hotline = facts.institution.hotline ?? '12356';
  const items = [
    `${hotline}：心理援助热线，任何时候感到难以承受都可以拨打。`,
    '120：医疗急救；110：人身安全受到威胁时报警。',
    facts.institution.appointment || `${facts.institution.insname}心理服务：可通过“咨询登记”预约。`,
    ...summary.population.support,
  ];
  return { title: '求助与支持', blocks: [{ type: 'list', items: items.map(plainParagraph) }] };
}

function conclusion(context: SectionContext): SectionContent {
  if (context.audience === 'self') return { title: '结论', blocks: [] };
  const { review } = context.facts;
  const proposed = chooseSentences(context, 'conclusion').map((sentence) => textBlock(toParagraph(context, sentence), '结论'));
  return {
    title: '结论与审核',
    blocks: [
      ...(review?.conclusion ? [textBlock(plainParagraph(review.conclusion), '结论')] : proposed),
      ...(review?.advice ? [textBlock(plainParagraph(review.advice), '处理意见')] : []),
      ...keyValueBlocks([
        { label: '审核人', value: review?.reviewer || '待审核' },
        { label: '审核日期', value: review?.reviewtime?.slice(0, 10) || '—' },
        { label: '签名', value: '＿＿＿＿＿＿' },
      ]),
    ],
  };
}

function appendix(context: SectionContext): SectionContent {
  const blocks = context.audience === 'self' ? [] : context.facts.forms.filter((form) => form.answers && form.scale.items.length);
  return {
    title: '附录：作答明细',
    blocks: blocks.map(({ scale, result, answers }): Block => ({
      type: 'table',
      title: scale.title,
      columns: ['题号', '题目', '回答', '得分'],
      rows: scale.items.map((item, index) => [
        index + 1,
        item.t,
        result.notapplicable.includes(item.c) ? '不适用' : (answerText(scale, item, answers) ?? '未作答'),
        result.itemscores[item.c] ?? null,
      ]),
    })),
  };
}

const closing = (): SectionContent => ({ title: '重要提示', blocks: [textBlock(plainParagraph(closingParagraph))] });

/** The builders of the sections. A report leaves out a section without blocks. */
export const sectionBuilders: Readonly<Record<SectionKey, (x: SectionContext) => SectionContent>> = {
  cover,
  notice,
  basicinfo,
  overall,
  forms: buildForms,
  compare: buildCompare,
  riskfactors,
  suggestion,
  support,
  conclusion,
  appendix,
  closing,
};
