import type { Sentence } from '#domain/report/commentary/commentary.ts';
import { Gender, MentalState } from '#domain/base/enums.ts';
import { defaultNightLine } from '#domain/exam/hotline.ts';
import { colourOf, mentalStateOf } from '#domain/scoring/mentalState.ts';
import type { ArchiveField } from '#domain/person/populations.ts';
import { archiveText, hiddenAfterLoss } from '#domain/person/populations.ts';
import { contentsBlock, personBlock } from '#domain/report/recommended/contents.ts';
import type { SectionContent, SectionContext, KV } from '#domain/report/report.blocks.ts';
import {
  fixedParagraph,
  inWordsOfReader,
  plainParagraph,
  keyValueBlocks,
  toKeyValues,
  chooseSentences,
  readableForms,
  textBlock,
  toParagraph,
} from '#domain/report/report.blocks.ts';
import type { Block, SectionKey } from '#domain/report/report.content.ts';
import { closingParagraphFor, disclaimer } from '#domain/report/report.content.ts';
import { answerText, shortNameOf } from '#domain/report/report.facts.ts';
import { mentionsFamily, personalBandsOf, personalLabelOf } from '#domain/report/reader.ts';
import { askedText } from '#domain/report/report.risks.ts';
import { BASIC_LINES } from '#domain/report/template/basicLines.ts';
import type { TrendBand } from '#domain/report/trend.ts';
import { cautionTitle, violenceNote } from '#domain/report/violence.ts';
import { referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import { buildCompare, buildForms } from '#domain/report/report.forms.ts';
import type { Level, Scale } from '#domain/scoring/scale.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';

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
    title: '心理健康测评报告',
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

/** The reference period of each form; the validity of a result differs from form to form. */
function periodText(context: SectionContext): string {
  const forms = readableForms(context).map(({ scale }) => ({ title: shortNameOf(scale), period: referencePeriodOf(scale) }));
  const periods = [...new Set(forms.map(({ period }) => period))];
  if (periods.length === 0) return '';
  if (context.audience === 'self' && context.summary.reader.isChild)
    return forms.every(({ period }) => period.startsWith('问卷')) ? '问卷没有规定时间。' : `问卷问的是${periods.join('、')}。`;
  const list = periods.map((period) => {
    const titles = forms.filter((form) => form.period === period).map(({ title }) => title);
    return `${titles.join('、')}${period.startsWith('问卷') ? '未限定时间' : `为${period}`}`;
  });
  return `参考期：${list.join('；')}。之后情况可能变化。`;
}

/** A fixed text: its rule, why it stands there, and the text. */
type Line = readonly [rule: string, why: string, text: string];

function notice(context: SectionContext): SectionContent {
  const { facts, summary, audience } = context;
  const { isChild } = summary.reader;
  const { age } = facts.person;
  const always = '每份报告都有这一段';
  const period: Line = ['NT_PERIOD', '本次各量表的参考期', periodText(context)];
  const lines: readonly Line[] =
    audience === 'self' && isChild
      ? [
          ['NT_PURPOSE', always, `${disclaimer}。`],
          period,
          ['NT_PRIVACY_CHILD', always, '你的回答会保密。谁能看，写在同意书里。你有危险时，我们会告诉能帮你的人。'],
          ['NT_MINOR', '读者是小学生', '可以请信任的大人陪你一起看。'],
        ]
      : [
          ['NT_PURPOSE', always, `${disclaimer}。测评的目的是帮助您了解近期的情绪状态，及早获得支持。`],
          period,
          [
            'NT_PRIVACY',
            always,
            '您的作答与结果受到保密，谁能看到什么写在知情同意书里，每次查看都有记录；有生命危险或受到伤害时，会告知必要的人和机构。',
          ],
          ...summary.population.notice.map((text): Line => ['NT_POPULATION', `人群为${summary.population.appname}`, text]),
          ...(age !== null && age < 18 && summary.population.minornotice
            ? [['NT_MINOR', `年龄为${age}，未满18周岁`, summary.population.minornotice] as const]
            : []),
        ];
  return {
    title: '阅读说明',
    blocks: lines.flatMap(([rule, why, text]) =>
      text ? [textBlock(fixedParagraph(context, rule, why, inWordsOfReader(context, text)))] : [],
    ),
  };
}

const durationText = (seconds: number): string =>
  seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`;

function basicinfo(context: SectionContext): SectionContent {
  const { facts, summary } = context;
  const { exam, person } = facts;
  const values: Readonly<Record<(typeof BASIC_LINES)[number][0], string | null | undefined>> = {
    username: person.name,
    gender: Gender.label(person.gender),
    age: person.age === null ? null : `${person.age}岁`,
    planname: exam.planname,
    stagename: exam.stagename,
    submittime: exam.submittime.slice(0, 16),
    duration: exam.duration == null ? null : durationText(exam.duration),
    valid: summary.valid ? '有效' : '效度不足',
  };
  return {
    title: '基本信息',
    blocks: keyValueBlocks([
      ...toKeyValues(BASIC_LINES.map(([code, label]) => [label, values[code]] as const)),
      ...toArchiveLines(context, summary.population.basicinfo),
    ]),
  };
}

/** The sentence for an invalid exam, with the reason. */
const invalidText = ({ summary, audience }: SectionContext): string =>
  audience === 'self' && summary.reader.isChild
    ? '这次的回答不能说明情况。以后可以再做一次。'
    : `本次作答效度不足（${summary.invalidreason}），不作解释，建议择期重测。`;

const gaugeBands: readonly TrendBand[] = OVERALL_LEVELS.map((label, index) => ({
  min: index,
  max: index,
  level: index as Level,
  label,
  colour: colourOf(index as Level).hex,
}));

function overall(context: SectionContext): SectionContent {
  const { summary, audience } = context;
  const blocks: Block[] = audience === 'staff' ? alertBlock(context) : [];
  if (!summary.valid) {
    blocks.push(textBlock(fixedParagraph(context, 'OV_INVALID', summary.invalidreason, invalidText(context))));
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
      label: audience === 'self' ? personalLabelOf(summary.overall) : MentalState.label(mentalStateOf(summary.overall)),
      colour: colourOf(summary.overall).hex,
      min: 0,
      max: 4,
      better: 'low',
      bands: audience === 'self' ? personalBandsOf(gaugeBands) : [...gaugeBands],
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

function alertBlock({ summary }: SectionContext): Block[] {
  const [first] = summary.alerts;
  if (!first) return [];
  const items = summary.alerts.flatMap(({ form, msg, items }) => [
    msg,
    ...items.map((item) => {
      const answer = answerText(form.scale, item, form.answers);
      const value = form.result.itemscores[item.c];
      const title = `${item.c.replace(/^q/, '第')}${item.c.startsWith('q') ? '题' : ''}${item.t ? `“${item.t}”` : ''}`;
      return `${shortNameOf(form.scale)} ${title}：${answer ? `${answer}，` : ''}${value ?? '未答'}分`;
    }),
  ]);
  return [{ type: 'alert', level: first.level, title: '关键条目预警，须当面核实', items }];
}

/** The risk factors. Staff also read which topics nobody asked about, so that silence is no finding. */
function riskfactors(context: SectionContext): SectionContent {
  const isStaff = context.audience === 'staff';
  const sentences = !isStaff && !context.summary.valid ? [] : chooseSentences(context, 'riskfactors');
  const items = sentences.map((sentence) => toParagraph(context, sentence));
  const blocks: Block[] = items.length ? [{ type: 'list', items }] : [];
  if (isStaff) {
    const askedTopics = askedText(context.facts, context.summary);
    blocks.push(textBlock(fixedParagraph(context, 'RF_ASKED', '对照本次量表与档案中问过的内容', askedTopics)));
  }
  return { title: isStaff ? '风险因素' : '可以多照顾自己的地方', blocks };
}

const tiers = ['自我照顾', '身边的支持', '专业帮助'] as const;

function suggestion(context: SectionContext): SectionContent {
  const { summary, audience, facts } = context;
  if (audience === 'self' && !summary.valid && !summary.usesSupportiveText)
    return { title: '建议', blocks: [personBlock(context)] };
  const sentences = chooseSentences(context, 'suggestion');
  const caution = audience === 'staff' ? violenceNote(summary.violence) : null;
  const blocks: Block[] = caution
    ? [
        textBlock(
          fixedParagraph(context, 'SG_CAUTION', `家暴与侵害${summary.violence === 'positive' ? '阳性' : '未询问'}`, caution),
          cautionTitle,
        ),
      ]
    : [];
  const suggestions = tiers.flatMap((title, index): Block[] => {
    const items = sentences.filter((sentence) => sentence.tier === index + 1).map((sentence) => toParagraph(context, sentence));
    return items.length ? [{ type: 'list', title, items }] : [];
  });
  blocks.push(...suggestions);
  // A person is offered instead of contents; staff know this anyway.
  if (summary.usesSupportiveText || !summary.valid) {
    if (audience === 'self') blocks.push(personBlock(context));
    return { title: '建议', blocks };
  }
  const contents = (facts.contents ?? []).filter(({ title }) => summary.violence === 'denied' || !mentionsFamily(title));
  if (contents.length) blocks.push(contentsBlock(context, contents));
  return { title: '建议', blocks };
}

function support(context: SectionContext): SectionContent {
  const { facts, summary, audience } = context;
  const { isChild } = summary.reader;
  const own = facts.institution.hotline;
  const hasOwn = own !== undefined && own !== '' && !['12356', defaultNightLine, '120', '110'].includes(own);
  const appointment = facts.institution.appointment;
  const hasUsableAppointment = appointment && (summary.violence === 'denied' || !mentionsFamily(appointment));
  const isForChild = audience === 'self' && isChild;
  const always = '每份报告都有';
  const lines: readonly Line[] = isForChild
    ? [
        ['SP_OFFICE', always, '学校心理老师：想说话时可以去找。'],
        ...(hasOwn ? [['SP_CALL_OWN', '机构公布的电话', `${own}：学校给的求助电话。`] as const] : []),
        ['SP_CALL_NIGHT', always, `${defaultNightLine}：白天晚上都能打。`],
        ['SP_CALL_NATION', always, '12356：心理援助热线。'],
        ['SP_CALL_DOCTOR', always, '120：受伤或不舒服时打。'],
        ['SP_CALL_POLICE', always, '110：有危险时打。'],
      ]
    : [
        ...(hasOwn
          ? [
              [
                'SP_CALL_OWN',
                '机构公布的电话',
                `${own}：${facts.institution.insname}公布的求助电话，接听时间以公布为准。`,
              ] as const,
            ]
          : []),
        ['SP_CALL_NIGHT', always, `${defaultNightLine}：北京心理援助热线，公布为24小时接听，全国都可以拨打。`],
        ['SP_CALL_NATION', always, '12356：全国统一心理援助热线，各地每天服务不少于18小时，具体时间以当地公布为准。'],
        ['SP_CALL_URGENT', always, '120：医疗急救；110：人身安全受到威胁时报警。两个电话都是24小时。'],
        hasUsableAppointment
          ? ['SP_APPOINTMENT', '机构填写的预约办法', appointment]
          : ['SP_CALL_OFFICE', always, `${facts.institution.insname}心理服务：可在作答页点“联系我”的按钮，请工作人员联系您。`],
        ...summary.population.support.map((text): Line => ['SP_POPULATION', `人群为${summary.population.appname}`, text]),
      ];
  return {
    title: '求助与支持',
    blocks: [
      {
        type: 'list',
        items: lines.map(([rule, why, text]) => fixedParagraph(context, rule, why, inWordsOfReader(context, text))),
      },
    ],
  };
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

/** Whether the platform may show the questions; the questions of some scales are protected. */
const hasTexts = (scale: Scale): boolean => scale.items.some(({ t }) => t);

function appendix(context: SectionContext): SectionContent {
  const blocks = context.audience === 'self' ? [] : context.facts.forms.filter((form) => form.answers && form.scale.items.length);
  return {
    title: '附录：作答明细',
    blocks: blocks.map(({ scale, result, answers }): Block => ({
      type: 'table',
      title: scale.title,
      columns: hasTexts(scale) ? ['题号', '题目', '回答', '得分'] : ['题号', '回答', '得分'],
      rows: scale.items.map((item, index) => [
        index + 1,
        ...(hasTexts(scale) ? [item.t] : []),
        result.notapplicable.includes(item.c) ? '不适用' : (answerText(scale, item, answers) ?? '未作答'),
        result.itemscores[item.c] ?? null,
      ]),
    })),
  };
}

function closing(context: SectionContext): SectionContent {
  const { facts, summary, audience } = context;
  const scored = facts.forms.filter(({ scale }) => scale.scores.length > 0);
  const isOwn = scored.length > 0 && scored.every(({ scale }) => scale.tier === 'S');
  const reader = audience === 'staff' ? { isChild: false, call: summary.population.person } : summary.reader;
  const text = closingParagraphFor(reader, isOwn);
  return { title: '重要提示', blocks: [textBlock(fixedParagraph(context, 'CL_END', '每份报告的最后一段', text))] };
}

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
