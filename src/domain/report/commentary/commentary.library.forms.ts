import type { Commentary } from '#domain/report/commentary/commentary.ts';
import type { Level } from '#domain/scoring/scale.ts';

/**
 * Comments on one form. Levels 0–2 quote the score. From level 3 on the person's own version shows no numbers of the form
 * (design/reports.md 5.1), so these rows have no placeholder.
 */

const rowAtLevel = (form: string, level: Level, t: string, score = 'total'): Commentary => ({
  id: `${form}_${score === 'total' ? '' : `${score}_`}${level}`,
  section: 'form',
  form,
  audience: 'self',
  cond: { form, level: score, eq: level },
  ...(score === 'total' ? {} : { excl: score }),
  t,
});

/**
 * A row of the person's own version that quotes the score with the person's label, e.g. “PHQ-9得分12分（需要关心）。…”. The label comes
 * from the level, so a report has one label for one result.
 */
const scored = (form: string, title: string, level: 0 | 1 | 2, t: string, score = 'total'): Commentary =>
  rowAtLevel(form, level, `${title}得分{{score.${form}.${score}}}分（{{level.${form}.${score}}}）。${t}`, score);

/** Rows of levels 0–2 with the score, and of levels 3–4 without numbers. */
// prettier-ignore
const self: readonly Commentary[] = [
  scored('PHQ9', 'PHQ-9', 0, '近两周未见明显的抑郁症状。'),
  scored('PHQ9', 'PHQ-9', 1, '近两周偶尔有情绪低落、疲倦或睡眠不佳，多可通过自我调节改善。'),
  scored('PHQ9', 'PHQ-9', 2, '近两周情绪低落、疲倦等感受较多，很多人都有过这样的时候，建议由专业人员进一步了解。'),
  rowAtLevel('PHQ9', 3, '近两周您的情绪低落、疲倦等感受较为明显。这不是您的错，也能够得到帮助，请尽快与本机构的心理服务人员聊一聊。'),
  rowAtLevel('PHQ9', 4, '近两周您承受着很多低落和疲惫的感受。您不需要独自面对，请今天就联系本机构的心理服务人员，或请信任的人陪您前往。'),
  scored('GAD7', 'GAD-7', 0, '近两周未见明显的焦虑症状。'),
  scored('GAD7', 'GAD-7', 1, '近两周有时紧张、担忧，压力下较为常见，规律运动和放松练习会有帮助。'),
  scored('GAD7', 'GAD-7', 2, '近两周担忧难以控制、紧张不安的感受较多。可先尝试腹式呼吸与规律运动，并预约专业咨询。'),
  rowAtLevel('GAD7', 3, '近两周您的紧张和担忧较为明显，可能已影响休息和日常安排。这些感受能够得到缓解，请尽快与专业人员谈一谈。'),
  scored('PHQ15', 'PHQ-15', 0, '近四周身体不适带来的困扰很轻。'),
  scored('PHQ15', 'PHQ-15', 1, '近四周有一些身体不适。注意休息，留意不适与压力、睡眠之间的关系。'),
  scored('PHQ15', 'PHQ-15', 2, '近四周身体不适带来的困扰较多。身体和情绪会互相影响，建议先做常规体检，并和医生谈谈近期压力。'),
  rowAtLevel('PHQ15', 3, '近四周身体不适给您带来了较多困扰。建议尽快到综合医院就诊，同时把睡眠、压力和心情一并告诉医生。'),
  scored('GDS15', 'GDS-15', 0, '近一周未见明显的低落情绪。'),
  scored('GDS15', 'GDS-15', 1, '近一周有时情绪低落。多参加喜欢的活动、常和信任的人联系，对心情有帮助。'),
  scored('GDS15', 'GDS-15', 2, '近一周低落的感受较多。这在身体不适或生活变化时并不少见，建议请您信任的人陪同找医生谈一谈。'),
  rowAtLevel('GDS15', 3, '近一周您的低落情绪较为明显。这能够得到帮助，请告诉您信任的人或家庭医生，尽快到心理门诊谈一谈。'),
  scored('K10', 'K10', 0, '近四周未见明显的心理困扰。'),
  scored('K10', 'K10', 1, '近四周有一些心理困扰，较为常见。保持规律作息，和信任的人多聊聊。'),
  scored('K10', 'K10', 2, '近四周心理困扰较多，建议适当减轻负荷并寻求专业支持。'),
  rowAtLevel('K10', 3, '近四周您的心理困扰较为明显。请适当减轻负荷，不要独自承受，尽快与专业人员谈一谈。'),
  scored('K6', 'K6', 0, '近四周心理困扰较少。'),
  scored('K6', 'K6', 2, '近四周心理困扰较多，建议适当减轻负荷，并与专业人员谈一谈。'),
  rowAtLevel('K6', 3, '近四周您的心理困扰较为明显，请不要独自承受，尽快与专业人员谈一谈。'),
  scored('EPDS', 'EPDS', 0, '近七天未见明显的情绪低落。'),
  scored('EPDS', 'EPDS', 1, '这一时期情绪波动常见，请多休息、多表达近七天的感受，并在两至四周内复测。'),
  scored('EPDS', 'EPDS', 2, '近七天情绪低落的感受较多，需要进一步了解。请告诉您信任的人，并尽早与产科或心理门诊医生谈一谈。'),
  scored('PHQ4', 'PHQ-4', 0, '近两周未见明显的抑郁或焦虑症状。'),
  scored('PHQ4', 'PHQ-4', 1, '近两周有一些情绪困扰，压力下较为常见，注意休息并留意变化。'),
  scored('PHQ4', 'PHQ-4', 2, '近两周情绪困扰较多，建议完成进一步的测评，并与专业人员谈一谈。'),
  rowAtLevel('PHQ4', 3, '近两周您的情绪困扰较为明显，建议尽快与专业人员谈一谈。'),
  scored('PHQ2', 'PHQ-2', 0, '近两周未见明显的低落情绪。'),
  scored('PHQ2', 'PHQ-2', 2, '快筛提示近两周可能有抑郁症状。这只是初步提示，建议完成进一步的测评。'),
  scored('GAD2', 'GAD-2', 0, '近两周未见明显的紧张担忧。'),
  scored('GAD2', 'GAD-2', 2, '快筛提示近两周可能有焦虑症状。这只是初步提示，建议完成进一步的测评。'),
  scored('CESD', 'CES-D', 0, '近一周未见明显的抑郁症状。'),
  scored('CESD', 'CES-D', 1, '近一周可能有一些低落的感受。这并不少见，请照顾好睡眠和饮食，两至四周后再测一次。'),
  scored('CESD', 'CES-D', 2, '近一周低落的感受较多，建议由专业人员进一步了解。'),
  scored('WHO5', 'WHO-5', 0, '近两周的幸福感良好。'),
  scored('WHO5', 'WHO-5', 2, '近两周的幸福感不高。忙碌和疲惫时较为常见，建议安排让您愉快的活动，并做进一步的情绪测评。'),
  rowAtLevel('WHO5', 3, '近两周您的幸福感偏少，请多给自己一些照顾，并尽快与专业人员谈一谈。'),
  scored('PCPTSD5', 'PC-PTSD-5', 0, '近一个月未见明显的事件后应激反应。'),
  scored('PCPTSD5', 'PC-PTSD-5', 1, '经历重大事件后，近一个月出现这些反应很常见，多数会逐渐减轻，请留意变化。'),
  scored('PCPTSD5', 'PC-PTSD-5', 2, '近一个月事件后的应激反应较多。这是对强烈事件的反应，建议与专业人员谈一谈。'),
  scored('PSS10', 'PSS-10', 0, '近一个月感受到的压力不高。'),
  scored('PSS10', 'PSS-10', 1, '近一个月感受到一些压力，较为常见。可以列出压力来源，先处理能够改变的一件。'),
  scored('PSS10', 'PSS-10', 2, '近一个月感受到的压力较多。请适当减少负荷、保证睡眠，需要时与专业人员谈一谈。'),
  ...(
    [
      ['dep', '抑郁', '情绪低落、提不起劲'],
      ['anx', '焦虑', '紧张、心慌'],
      ['str', '压力', '难以放松、容易烦躁'],
    ] as const
  ).flatMap(([code, name, feels]) => [
    scored('DASS21', `“${name}”分量表`, 0, `近一周${feels}的感受不多。`, code),
    scored('DASS21', `“${name}”分量表`, 1, `近一周有时${feels}，较为常见，请注意休息和放松。`, code),
    scored('DASS21', `“${name}”分量表`, 2, `近一周${feels}的感受较多，建议与专业人员谈一谈。`, code),
    rowAtLevel('DASS21', 3, `近一周您在“${name}”方面的困扰较为明显，如${feels}。请尽快与专业人员谈一谈。`, code),
    rowAtLevel('DASS21', 4, `近一周您在“${name}”方面承受着很多困扰，如${feels}。您不需要独自面对，请尽快与专业人员谈一谈。`, code),
  ]),
  ...(
    [
      ['personal', '个人倦怠', '整体的疲惫'],
      ['work', '工作倦怠', '工作带来的疲惫'],
    ] as const
  ).flatMap(([code, name, feels]) => [
    scored('CBI', `“${name}”`, 0, `近期${feels}处于较低水平。`, code),
    scored('CBI', `“${name}”`, 2, `近期${feels}较多。高负荷下较为常见，请争取规律的休整时间。`, code),
    rowAtLevel('CBI', 3, `近期${feels}较为突出。请尽快安排休整，和主管或工会商量负荷，也可预约心理服务。`, code),
    rowAtLevel('CBI', 4, `近期${feels}已经很重。请把休整放在首位，并尽快与专业人员谈一谈。`, code),
  ]),
];

/** The row of the design for staff at level 3 or more. */
// prettier-ignore
const seed: readonly Commentary[] = [
  { id: 'PHQ3', section: 'form', form: 'PHQ9', audience: 'staff', cond: { level: 'PHQ9.total', gte: 3 }, t: 'PHQ-9 {{score.PHQ9.total}}分（{{level.PHQ9.total}}），第9题{{item.PHQ9.q9}}分。须按预警流程面谈核实并评估自伤风险，建议转介专科评估。' },
];

/** The next step for staff, by level. The row of the form adds the name, the score and the band. */
const nextStep: Readonly<Record<Level, string>> = {
  0: '按方案常规复测。',
  1: '建议列入关注名单，提供自助材料，28天左右复测。',
  2: '建议面谈了解功能影响与支持情况，必要时转专业人员评估。',
  3: '请面谈核实并评估风险，建议转介专科评估。',
  4: '请尽快面谈核实并评估风险，建议转介精神专科评估。',
};

/** form code, printed name, score code, name of the score, unit, levels of its bands, meaning of the score */
// prettier-ignore
const staffForms: readonly (readonly [string, string, string, string, string, readonly Level[], string])[] = [
  ['PHQ9', 'PHQ-9', 'total', '', '分', [0, 1, 2], '近两周抑郁症状'],
  ['GAD7', 'GAD-7', 'total', '', '分', [0, 1, 2, 3], '近两周焦虑症状'],
  ['PHQ15', 'PHQ-15', 'total', '', '分', [0, 1, 2, 3], '近四周躯体不适'],
  ['GDS15', 'GDS-15', 'total', '', '分', [0, 1, 2, 3], '近一周抑郁症状'],
  ['K10', 'K10', 'total', '', '分', [0, 1, 2, 3], '近四周心理困扰'],
  ['K6', 'K6', 'total', '', '分', [0, 2, 3], '近四周心理困扰'],
  ['EPDS', 'EPDS', 'total', '', '分', [0, 1, 2], '近七天情绪状态，≥13分或第10题阳性需进一步评估'],
  ['PHQ4', 'PHQ-4', 'total', '', '分', [0, 1, 2, 3], '近两周情绪困扰（快筛）'],
  ['PHQ2', 'PHQ-2', 'total', '', '分', [0, 2], '近两周抑郁症状（快筛），阳性者应完成PHQ-9'],
  ['GAD2', 'GAD-2', 'total', '', '分', [0, 2], '近两周焦虑症状（快筛），阳性者应完成GAD-7'],
  ['CESD', 'CES-D', 'total', '', '分', [0, 1, 2], '近一周抑郁症状'],
  ['WHO5', 'WHO-5', 'total', '', '分', [0, 2, 3], '近两周幸福感，得分越高越好'],
  ['PCPTSD5', 'PC-PTSD-5', 'total', '阳性条目', '个', [0, 1, 2], '近一个月事件后应激反应'],
  ['PSS10', 'PSS-10', 'total', '', '分', [0, 1, 2], '近一个月知觉压力'],
  ['DASS21', 'DASS-21', 'dep', '抑郁', '分', [0, 1, 2, 3, 4], '近一周抑郁症状'],
  ['DASS21', 'DASS-21', 'anx', '焦虑', '分', [0, 1, 2, 3, 4], '近一周焦虑症状'],
  ['DASS21', 'DASS-21', 'str', '压力', '分', [0, 1, 2, 3, 4], '近一周紧张压力'],
  ['CBI', 'CBI', 'personal', '个人倦怠', '分', [0, 2, 3, 4], '近期倦怠程度'],
  ['CBI', 'CBI', 'work', '工作倦怠', '分', [0, 2, 3, 4], '近期倦怠程度'],
  ['TEACHOBS', '教师观察清单', 'nclear', '明显条目', '个', [0, 1, 2, 3], '近一个月，自编清单，仅提示关注'],
];

const staff: readonly Commentary[] = staffForms.flatMap(([form, title, score, name, unit, levels, meaning]) =>
  levels.map((level) => ({
    id: `${form}_${score === 'total' ? '' : `${score}_`}${level}ST`,
    section: 'form' as const,
    form,
    audience: 'staff' as const,
    cond: { form, level: score, eq: level },
    ...(score === 'total' ? {} : { excl: score }),
    t: `${title} ${name}{{score.${form}.${score}}}${unit}（{{level.${form}.${score}}}）：反映${meaning}。${nextStep[level]}`,
  })),
);

/** Rows for forms without their own rows and for forms without a score. */
// prettier-ignore
const fallback: readonly Commentary[] = [
  { id: 'FM_NA', section: 'formdefault', audience: 'self', priority: 30, cond: { person: 'form.notapplicable', eq: 1 }, t: '未经历相关事件，无需作答。' },
  { id: 'FM_NAST', section: 'formdefault', audience: 'staff', priority: 30, cond: { person: 'form.notapplicable', eq: 1 }, t: '未经历相关事件，无需作答。' },
  { id: 'FM_HELD', section: 'formdefault', audience: 'self', priority: 20, cond: { person: 'form.withheld', eq: 1 }, t: '这份问卷中有些回答，我们希望当面听您说说，因此这里不列出分数。您的感受很重要，欢迎与本机构的心理服务人员聊一聊。' },
  { id: 'FM_MISS', section: 'formdefault', audience: 'self', priority: 10, cond: { person: 'form.scored', eq: 0 }, t: '这份问卷有较多题目未作答，暂不计分。' },
  { id: 'FM_MISSST', section: 'formdefault', audience: 'staff', priority: 10, cond: { person: 'form.scored', eq: 0 }, t: '未答题目超过允许数量，未计算总分；关键条目的预警不受影响。' },
  { id: 'FM_0', section: 'formdefault', audience: 'self', cond: { person: 'form.level', eq: 0 }, t: '{{form.title}}得分{{form.score}}分（{{form.level}}）。' },
  { id: 'FM_1', section: 'formdefault', audience: 'self', cond: { person: 'form.level', eq: 1 }, t: '{{form.title}}得分{{form.score}}分（{{form.level}}）。这样的感受较为常见，请注意休息并留意变化。' },
  { id: 'FM_2', section: 'formdefault', audience: 'self', cond: { person: 'form.level', eq: 2 }, t: '{{form.title}}得分{{form.score}}分（{{form.level}}）。建议与专业人员谈一谈。' },
  { id: 'FM_SCORE', section: 'formdefault', audience: 'self', priority: -10, cond: { person: 'form.scored', eq: 1 }, t: '{{form.title}}得分{{form.score}}分。' },
  { id: 'FM_SCOREST', section: 'formdefault', audience: 'staff', priority: -10, cond: { person: 'form.scored', eq: 1 }, t: '{{form.title}} {{form.score}}分，没有划分等级，请结合面谈理解。' },
  { id: 'FM_ST', section: 'formdefault', audience: 'staff', cond: { person: 'form.level', gte: 0 }, t: '{{form.title}} {{form.score}}分（{{form.level}}），请结合面谈理解。' },
];

/** Staff only: single answers and subscales that staff should ask about. */
// prettier-ignore
const highlights: readonly Commentary[] = [
  { id: 'HL_PHQ9', section: 'highlight', form: 'PHQ9', audience: 'staff', priority: 90, cond: { item: 'PHQ9.q9', gte: 1 }, t: '第9题{{item.PHQ9.q9}}分：有不如死掉或伤害自己的念头，请单独、当面、直接询问念头、计划与支持。' },
  { id: 'HL_PHQNS', section: 'highlight', form: 'PHQ9', audience: 'staff', priority: 50, cond: { score: 'PHQ9.nsym', gte: 5 }, t: '有{{score.PHQ9.nsym}}个症状条目达到一半以上天数，症状面较广。' },
  { id: 'HL_PHQ10', section: 'highlight', form: 'PHQ9', audience: 'staff', priority: 40, cond: { item: 'PHQ9.q10', gte: 2 }, t: '自述这些问题对日常功能造成很大困难，请评估学习、工作与人际功能。' },
  { id: 'HL_PHQ3', section: 'highlight', form: 'PHQ9', audience: 'staff', priority: 20, cond: { item: 'PHQ9.q3', gte: 2 }, t: '睡眠条目{{item.PHQ9.q3}}分，请询问入睡、早醒与作息。' },
  { id: 'HL_EPDS10', section: 'highlight', form: 'EPDS', audience: 'staff', priority: 90, cond: { item: 'EPDS.q10', gte: 1 }, t: '第10题{{item.EPDS.q10}}分：有自伤想法，须安排进一步评估，并询问对孩子的担忧。' },
  { id: 'HL_EPDS3A', section: 'highlight', form: 'EPDS', audience: 'staff', priority: 40, cond: { score: 'EPDS.anx3', gte: 6 }, t: '焦虑分量表（第3、4、5题）{{score.EPDS.anx3}}分，提示焦虑症状较明显。' },
  { id: 'HL_GDS14', section: 'highlight', form: 'GDS15', audience: 'staff', priority: 60, cond: { item: 'GDS15.q14', eq: 1 }, t: '第14题表达无望感，建议当面询问自伤念头。' },
  { id: 'HL_K6', section: 'highlight', form: 'K10', audience: 'staff', priority: 20, cond: { score: 'K10.k6', gte: 13 }, t: 'K6得分{{score.K10.k6}}分（≥13提示严重心理困扰）。' },
  { id: 'HL_TO10', section: 'highlight', form: 'TEACHOBS', audience: 'staff', priority: 90, cond: { item: 'TEACHOBS.q10', gte: 1 }, t: '教师观察到谈论死亡或告别行为，须当日核实。' },
];

const reached = { person: 'form.changereached', eq: 1 } as const;
const isMeaning = (meaning: 'better' | 'worse') => ({ person: 'form.meaning', eq: meaning }) as const;

/**
 * Change since the previous valid exam, for every form. `{{form.changetext}}` is the wording of the published change values
 * (`scoring/scaleEvidence.ts`): reached, not reached, or none published.
 */
// prettier-ignore
const changes: readonly Commentary[] = [
  { id: 'CHG_SAME', section: 'compare', audience: 'self', priority: 30, cond: { person: 'form.delta', eq: 0 }, t: '{{form.title}}与上次（{{form.last}}分）相同。' },
  { id: 'CHG_BETTER', section: 'compare', audience: 'self', priority: 20, cond: { all: [reached, isMeaning('better')] }, t: '与上次（{{form.last}}分）相比{{form.direction}}{{form.absdelta}}分，困扰比上次少，请继续保持有效的做法。' },
  { id: 'CHG_WORSE', section: 'compare', audience: 'self', priority: 20, cond: { all: [reached, isMeaning('worse')] }, t: '与上次（{{form.last}}分）相比{{form.direction}}{{form.absdelta}}分，困扰比上次多，建议主动寻求支持。' },
  { id: 'CHG_SMALL', section: 'compare', audience: 'self', cond: { person: 'form.meaning', in: ['better', 'worse'] }, t: '{{form.title}}与上次（{{form.last}}分）相比{{form.direction}}{{form.absdelta}}分。分数会有波动，请和近况放在一起看。' },
  { id: 'CHG_ST', section: 'compare', audience: 'staff', cond: { person: 'form.meaning', in: ['better', 'worse', 'same'] }, t: '{{form.title}}上次{{form.last}}分，本次{{form.now}}分（{{form.delta}}）：{{form.changetext}}。' },
  { id: 'CHG_WORSEST', section: 'compare', audience: 'staff', priority: 20, cond: { all: [reached, isMeaning('worse')] }, t: '{{form.title}}上次{{form.last}}分，本次{{form.now}}分（{{form.delta}}）：{{form.changetext}}。请了解近期事件。' },
];

export const formRows: readonly Commentary[] = [...seed, ...self, ...staff, ...fallback, ...highlights, ...changes];
