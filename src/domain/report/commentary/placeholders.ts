import type { CommentarySection } from '#domain/report/commentary/commentary.ts';
import type { Audience } from '#domain/report/forbiddenWording.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** A placeholder that a text may use: its name without braces, what it stands for, and an example for previews. */
export interface Placeholder {
  name: string;
  title: string;
  example: string;
}

const general: readonly Placeholder[] = [
  { name: 'call', title: '称呼', example: '您' },
  { name: 'recall', title: '参考期', example: '近两周' },
  { name: 'hotline', title: '求助热线', example: '12356' },
  { name: 'nightline', title: '全天热线', example: '010-82951332' },
  { name: 'stage', title: '测评阶段', example: '孕中期' },
  { name: 'weeks', title: '孕周', example: '24' },
  { name: 'overall', title: '综合等级', example: '2' },
];
const staffOnly: readonly Placeholder[] = [
  { name: 'person', title: '人群称呼', example: '学生' },
  { name: 'alertmsgs', title: '预警内容', example: '第9题有伤害自己的念头' },
];
/** Only for sections about one questionnaire. */
const ofForm: readonly Placeholder[] = [
  { name: 'form.title', title: '量表名称', example: 'PHQ-9' },
  { name: 'form.score', title: '量表得分', example: '12' },
  { name: 'form.level', title: '量表等级', example: '需要关心' },
  { name: 'form.last', title: '上次得分', example: '9' },
  { name: 'form.now', title: '本次得分', example: '12' },
  { name: 'form.delta', title: '与上次之差', example: '+3' },
  { name: 'form.absdelta', title: '变化大小', example: '3' },
  { name: 'form.direction', title: '变化方向', example: '上升' },
  { name: 'form.changetext', title: '变化说明', example: '未达到公布的变化界值' },
];
const formSections: readonly string[] = ['form', 'formdefault', 'highlight', 'compare'];

const ofScale = (scale: Scale): Placeholder[] => {
  const form = shortTitle(scale.title);
  const scores = scale.scores.flatMap(({ c, n }): Placeholder[] => {
    const key = `${scale.formcode}.${c}`;
    return [
      { name: `score.${key}`, title: `${form} ${n}得分`, example: '12' },
      { name: `level.${key}`, title: `${form} ${n}等级`, example: '需要关心' },
      { name: `last.${key}`, title: `${form} ${n}上次得分`, example: '9' },
      { name: `delta.${key}`, title: `${form} ${n}与上次之差`, example: '+3' },
      { name: `absdelta.${key}`, title: `${form} ${n}变化大小`, example: '3' },
    ];
  });
  const items = scale.items.flatMap(({ c, type }, index): Placeholder[] =>
    type === 0 ? [] : [{ name: `item.${scale.formcode}.${c}`, title: `${form} 第${index + 1}题得分`, example: '2' }],
  );
  return [...scores, ...items];
};

/** The placeholders of a section and audience, with those of the questionnaires. Group reports have none. */
export const placeholdersOf = (
  { section, audience }: { section: CommentarySection | 'group'; audience: Audience },
  scales: readonly Scale[],
): Placeholder[] =>
  audience === 'group'
    ? []
    : [
        ...general,
        ...(audience === 'staff' ? staffOnly : []),
        ...(formSections.includes(section) ? ofForm : []),
        ...scales.flatMap(ofScale),
      ];

/** The names of the placeholders in a text, each once. */
export const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1] ?? '')),
];

/** The codes of the questionnaires that the placeholders of a text name. */
export const formsIn = (template: string): string[] => [
  ...new Set(
    placeholdersIn(template).flatMap((name) => {
      const [kind, form] = name.split('.');
      return kind !== 'form' && form ? [form] : [];
    }),
  ),
];
