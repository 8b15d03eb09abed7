import type { Commentary, CommentaryCond } from '#domain/report/commentary/commentary.ts';

const alert = { hasalert: 1 } as const;
const isOverall = (level: number): CommentaryCond => ({ overall: level });
const isLevel = (level: number): CommentaryCond => ({ person: 'form.level', eq: level });
const own = (
  id: string,
  section: Commentary['section'],
  cond: CommentaryCond,
  t: string,
  more: Partial<Commentary> = {},
): Commentary => ({
  id,
  section,
  audience: 'self',
  reader: 'child',
  cond,
  t,
  ...more,
});
const calm = { excl: 'calm' };
const change = (meaning: string): CommentaryCond => ({ person: 'form.meaning', eq: meaning });

/**
 * The person's own version for a pupil of primary school: 你, simple words, sentences of at most 20 characters
 * (clinical-rules.md K). No row names the family, because nobody asks pupils about violence in a questionnaire.
 */
export const childRows: readonly Commentary[] = [
  own('CH_OV0', 'overall', isOverall(0), '你最近的心情比较平稳。好好吃饭，好好睡觉，多动一动。'),
  own('CH_OV1', 'overall', isOverall(1), '你最近有一点不开心。很多同学也会这样。可以和信任的人说说。'),
  own('CH_OV2', 'overall', isOverall(2), '你最近心里有些难受。这不是你的错。可以找心理老师聊一聊。'),
  own(
    'CH_OV3',
    'overall',
    { overallgte: 3 },
    '我们想早一点和你聊一聊。说出来，会好受一些。你可以找心理老师。也可以找你信任的大人。',
    calm,
  ),
  own('CH_ALERT', 'overall', alert, '我们想早一点和你聊一聊。你可以找心理老师。也可以找你信任的大人。', {
    ...calm,
    priority: 10,
  }),
  own('CH_NONE', 'overall', { person: 'assessed', eq: 0 }, '这次没有算出结果。想说话时，可以找心理老师。', { priority: -30 }),

  own('CH_FM_NA', 'formdefault', { person: 'form.notapplicable', eq: 1 }, '你没有遇到这样的事，不用回答。', { priority: 30 }),
  own('CH_FM_HELD', 'formdefault', { person: 'form.withheld', eq: 1 }, '有些回答，我们想听你说说。这里先不写分数。', {
    priority: 20,
  }),
  own('CH_FM_MISS', 'formdefault', { person: 'form.scored', eq: 0 }, '没有答的题比较多。这次先不算分。', { priority: 10 }),
  own('CH_FM_0', 'formdefault', isLevel(0), '你得了{{form.score}}分。结果是“{{form.level}}”。'),
  own('CH_FM_1', 'formdefault', isLevel(1), '你得了{{form.score}}分。结果是“{{form.level}}”。记得好好休息。'),
  own('CH_FM_2', 'formdefault', isLevel(2), '你得了{{form.score}}分。结果是“{{form.level}}”。可以找心理老师聊一聊。'),

  own('CH_CHG_BETTER', 'compare', change('better'), '和上次比，难受少了一些。'),
  own('CH_CHG_WORSE', 'compare', change('worse'), '和上次比，难受多了一些。可以和信任的人说说。'),
  own('CH_CHG_SAME', 'compare', change('same'), '和上次的分数一样。'),

  own('CH_RF_SLEEP', 'riskfactors', { item: 'PHQ9.q3', gte: 2 }, '睡不好，白天会没有精神。先试试每天同一时间起床。'),

  own(
    'CH_SG_CALM',
    'suggestion',
    { any: [{ overallgte: 3 }, alert] },
    '请找心理老师。信任的大人可以陪你去。很难受时，打电话{{nightline}}。',
    {
      tier: 3,
      priority: 100,
      excl: 'pro',
    },
  ),
  own('CH_SG_PRO', 'suggestion', { overallgte: 2 }, '可以去找心理老师聊一聊。', { tier: 3, priority: 60, excl: 'pro' }),
  own('CH_SG_TALK', 'suggestion', { overallgte: 1 }, '每周找一个信任的人说说话。', { tier: 2, priority: 40 }),
  own('CH_SG_SLEEP', 'suggestion', { item: 'PHQ9.q3', gte: 2 }, '早点睡，睡前不看手机。', { priority: 30 }),
  own('CH_SG_RELAX', 'suggestion', { overallgte: 1 }, '慢慢吸气，再慢慢呼气，做五次。', { priority: 10 }),
  own('CH_SG_KEEP', 'suggestion', isOverall(0), '每天动一动，做喜欢的事。'),
  own('CH_SG_KEEPTALK', 'suggestion', isOverall(0), '有难过的事，早点和信任的人说。', { tier: 2 }),
];
