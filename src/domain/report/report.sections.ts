import type { Sentence } from '#domain/report/commentary/commentary.ts';
import { Gender, MentalState } from '#domain/base/enums.ts';
import { colourOf, mentalStateOf } from '#domain/scoring/mentalState.ts';
import type { ArchiveField } from '#domain/person/populations.ts';
import { archiveText, hiddenAfterLoss } from '#domain/person/populations.ts';
import type { Built, Context, KV } from '#domain/report/report.blocks.ts';
import { fixed, kv, pairs, sentencesOf, text, toParagraph } from '#domain/report/report.blocks.ts';
import type { Block, SectionKey } from '#domain/report/report.content.ts';
import { closingParagraph, disclaimer } from '#domain/report/report.content.ts';
import type { Summary } from '#domain/report/report.facts.ts';
import { answerText, shortTitle } from '#domain/report/report.facts.ts';
import { compare, forms } from '#domain/report/report.forms.ts';
import type { Level } from '#domain/scoring/scale.ts';

function archiveLines({ summary, audience }: Context, fields: readonly ArchiveField[]): KV[] {
  return fields.flatMap((field) => {
    if (audience === 'self' && (field.staffonly || (summary.lost && hiddenAfterLoss.includes(field.field)))) return [];
    const value = archiveText(field, summary.archive);
    return value === null ? [] : [{ label: field.label, value }];
  });
}

function cover(x: Context): Built {
  const { facts, summary } = x;
  return {
    title: facts.template?.title ?? '心理健康测评报告',
    blocks: kv([
      ...pairs([
        ['机构', facts.institution.insname],
        ['姓名', facts.person.name],
        ['人群', summary.population.appname],
      ]),
      ...archiveLines(x, summary.population.cover),
      ...pairs([
        ['报告编号', facts.reportcode],
        ['报告日期', facts.generatedat.slice(0, 10)],
        ['报告核验', facts.verifyurl],
      ]),
    ]),
  };
}

function notice({ facts, summary }: Context): Built {
  const call = summary.population.call;
  const minor = facts.person.age !== null && facts.person.age < 18 ? summary.population.minornotice : undefined;
  return {
    title: '阅读说明',
    blocks: [
      fixed(`${disclaimer}。测评的目的是帮助${call}了解近期的情绪状态，及早获得支持。结果的参考期为两周，之后情况可能变化。`),
      fixed(
        facts.template?.notice ||
          `${call}的作答与结果受到保密，只有负责心理服务的人员按职责查看；仅在生命安全受到威胁时，才会告知必要的人。`,
      ),
      ...summary.population.notice.map(fixed),
      ...(minor ? [fixed(minor)] : []),
    ].map((paragraph) => text(paragraph)),
  };
}

const durationText = (seconds: number): string =>
  seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`;

function basicinfo(x: Context): Built {
  const { facts, summary } = x;
  const { exam, person } = facts;
  return {
    title: '基本信息',
    blocks: kv([
      ...pairs([
        ['姓名', person.name],
        ['性别', Gender.label(person.gender)],
        ['年龄', person.age === null ? null : `${person.age}岁`],
        ['测评方案', exam.planname],
        ['测评阶段', exam.stagename],
        ['完成时间', exam.submittime.slice(0, 16)],
        ['作答用时', exam.duration == null ? null : durationText(exam.duration)],
        ['作答有效性', summary.valid ? '有效' : '效度不足'],
      ]),
      ...archiveLines(x, summary.population.basicinfo),
    ]),
  };
}

/** “本次作答效度不足（原因），不作解释，建议择期重测” */
const invalidText = (summary: Summary): string => `本次作答效度不足（${summary.invalidreason}），不作解释，建议择期重测。`;

const levelNames = ['良好', '轻度', '中度', '较重', '严重'] as const;

function overall(x: Context): Built {
  const { summary, audience } = x;
  const blocks: Block[] = audience === 'staff' ? alertBlock(x) : [];
  if (!summary.valid) {
    blocks.push(text(fixed(invalidText(summary))));
    if (audience === 'staff' || summary.usesSupportiveText)
      blocks.push(...overallSentences(x).map((overallSentence) => text(toParagraph(x, overallSentence))));
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
  blocks.push(...overallSentences(x).map((overallSentence) => text(toParagraph(x, overallSentence))));
  return { title: '总体情况', blocks };
}

/** In the calm version only the invitations (`excl: 'calm'`) speak, whatever rows an institution has added. */
function overallSentences(x: Context): Sentence[] {
  if (x.audience === 'staff' || !x.summary.usesSupportiveText) return sentencesOf(x, 'overall');
  return sentencesOf({ ...x, library: x.library.filter((row) => row.excl === 'calm') }, 'overall');
}

function alertBlock({ summary, facts }: Context): Block[] {
  const [first] = summary.alerts;
  if (!first) return [];
  const items = summary.alerts.flatMap(({ form, msg, items }) => [
    msg,
    ...items.map((item) => {
      const answer = answerText(form.scale, item, form.answers);
      const value = form.result.itemscores[item.c];
      return (
        `${shortTitle(form.scale)} ${item.c.replace(/^q/, '第')}${item.c.startsWith('q') ? '题' : ''}` +
        `${item.t ? `“${item.t}”` : ''}：${answer ? `${answer}，` : ''}${value ?? '未答'}分`
      );
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

function riskfactors(x: Context): Built {
  const sentences = x.audience === 'self' && !x.summary.valid ? [] : sentencesOf(x, 'riskfactors');
  const title = x.audience === 'self' ? '可以多照顾自己的地方' : '风险因素';
  if (sentences.length)
    return { title, blocks: [{ type: 'list', items: sentences.map((sentence) => toParagraph(x, sentence)) }] };
  return { title, blocks: x.audience === 'staff' ? [text(fixed('档案与作答中未见列出的风险因素。'))] : [] };
}

const tiers = ['自我照顾', '家庭与同伴', '专业帮助'] as const;

function suggestion(x: Context): Built {
  const { summary, audience, facts } = x;
  if (audience === 'self' && !summary.valid && !summary.usesSupportiveText) return { title: '建议', blocks: [] };
  const sentences = sentencesOf(x, 'suggestion');
  const blocks = tiers.flatMap((title, index): Block[] => {
    const items = sentences.filter((sentence) => sentence.tier === index + 1).map((sentence) => toParagraph(x, sentence));
    return items.length ? [{ type: 'list', title, items }] : [];
  });
  const contents = summary.usesSupportiveText && audience === 'self' ? [] : (facts.contents ?? []);
  if (contents.length)
    blocks.push({
      type: 'list',
      title: '推荐内容',
      items: contents.map((content) => fixed(`${content.kind}：${content.title}`)),
    });
  return { title: '建议', blocks };
}

function support({ facts, summary }: Context): Built {
  const hotline = facts.institution.hotline ?? '12356';
  const items = [
    `${hotline}：心理援助热线，任何时候感到难以承受都可以拨打。`,
    '120：医疗急救；110：人身安全受到威胁时报警。',
    facts.institution.appointment || `${facts.institution.insname}心理服务：可通过“咨询登记”预约。`,
    ...summary.population.support,
  ];
  return { title: '求助与支持', blocks: [{ type: 'list', items: items.map(fixed) }] };
}

function conclusion(x: Context): Built {
  if (x.audience === 'self') return { title: '结论', blocks: [] };
  const { review } = x.facts;
  const proposed = sentencesOf(x, 'conclusion').map((sentence) => text(toParagraph(x, sentence), '结论'));
  return {
    title: '结论与审核',
    blocks: [
      ...(review?.conclusion ? [text(fixed(review.conclusion), '结论')] : proposed),
      ...(review?.advice ? [text(fixed(review.advice), '处理意见')] : []),
      ...kv([
        { label: '审核人', value: review?.reviewer || '待审核' },
        { label: '审核日期', value: review?.reviewtime?.slice(0, 10) || '—' },
        { label: '签名', value: '＿＿＿＿＿＿' },
      ]),
    ],
  };
}

function appendix(x: Context): Built {
  const blocks = x.audience === 'self' ? [] : x.facts.forms.filter((form) => form.answers && form.scale.items.length);
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

const closing = (): Built => ({ title: '重要提示', blocks: [text(fixed(closingParagraph))] });

/** One builder per section; a section without blocks is left out. */
export const sectionBuilders: Readonly<Record<SectionKey, (x: Context) => Built>> = {
  cover,
  notice,
  basicinfo,
  overall,
  forms,
  compare,
  riskfactors,
  suggestion,
  support,
  conclusion,
  appendix,
  closing,
};
