import type { Commentary } from '#domain/report/commentary/commentary.ts';

const [maternity, students, workers, elders] = ['000000001', '000000002', '000000003', '000000004'] as const;
const lost = { archive: 'babyoutcome', eq: '04' } as const;
const alert = { hasalert: 1 } as const;
/** neither an alert nor level 3: the person's own version is not the calm invitation */
const ordinary = { all: [{ hasalert: 0 }, { not: { overallgte: 3 } }] } as const;

/**
 * Risk factors from the archive. The person's own version names only facts that the person knows and can change. Violence
 * at home, family situation and loss never appear there, because another person may see the report.
 */
// prettier-ignore
export const riskRows: readonly Commentary[] = [
  { id: 'RF_DV', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 90, cond: { archive: 'domesticviolence', eq: '2' }, t: '家庭暴力筛查阳性：单独面谈，评估安全，提供庇护与报警渠道信息。' },
  { id: 'RF_LOSS', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 80, cond: lost, t: '不良妊娠结局：按哀伤支持流程随访，文书与短信中避免祝贺用语。' },
  { id: 'RF_NICU', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 60, cond: { archive: 'babyoutcome', in: ['02', '03'] }, t: '早产或新生儿监护：关注分离焦虑与自责，随访时先询问孩子与产妇本人的恢复情况。' },
  { id: 'RF_HIST', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 70, cond: { any: [{ archive: 'psychhistory', eq: 1 }, { archive: 'familypsychhistory', eq: 1 }] }, t: '本人或直系血亲有心理健康相关既往史：建议与精神专科联络会诊，提高随访频率；用药由医师评估，不自行增减。' },
  { id: 'RF_SUPPORT', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 50, excl: 'support', cond: { archive: 'supportlevel', lte: 2 }, t: '家庭支持不足：邀请伴侣或家人共同参与产检与随访，评估产后照护安排。' },
  { id: 'RF_SUPPORT_ALONE', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 49, excl: 'support', cond: { archive: 'supportlevel', lte: 2 }, t: '支持不足：单独了解谁可以依靠，评估产后照护安排。' },
  { id: 'RF_PLAN', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 20, cond: { archive: 'planned', eq: 0 }, t: '非计划妊娠：单独了解对怀孕的感受与可依靠的人，提供中立、不评判的交谈。' },
  { id: 'RF_HIGHRISK', section: 'riskfactors', audience: 'staff', appid: maternity, priority: 30, cond: { archive: 'highrisk', eq: 1 }, t: '高危妊娠：躯体风险会加重担忧，由产科解释病情，情绪随访与高危管理同步安排。' },
  { id: 'RF_SUPPORT_C', section: 'riskfactors', audience: 'self', appid: maternity, cond: { all: [{ archive: 'supportlevel', lte: 2 }, { not: { archive: 'domesticviolence', eq: 2 } }, { not: lost }] }, t: '这段时间能得到的帮助可能不多。可以把需要的帮助具体说出来，例如请人分担一次夜间照护。' },

  { id: 'RF_LB', section: 'riskfactors', audience: 'staff', appid: students, priority: 50, cond: { archive: 'leftbehind', eq: 1 }, t: '留守儿童：落实“一生一策”，每学期至少一次单独谈心，先问平时是否安全、有谁可以依靠。' },
  { id: 'RF_BULLY', section: 'riskfactors', audience: 'staff', appid: students, priority: 90, cond: { item: 'TEACHOBS.q12', gte: 1 }, t: '教师观察到欺凌或重大变故：先保障安全，分别了解情况，必要时按规定报告。' },
  { id: 'RF_WOUND', section: 'riskfactors', audience: 'staff', appid: students, priority: 95, cond: { item: 'TEACHOBS.q11', gte: 1 }, t: '教师观察到可疑伤痕：由心理教师单独了解，评估自伤与受侵害可能，依法履行强制报告义务。' },
  { id: 'RF_SINGLE', section: 'riskfactors', audience: 'staff', appid: students, priority: 30, cond: { archive: 'singleparent', eq: 1 }, t: '单亲：单独了解可以求助的大人，避免在公开场合提及。' },
  { id: 'RF_POVERTY', section: 'riskfactors', audience: 'staff', appid: students, priority: 25, cond: { any: [{ archive: 'povertyaid', eq: 1 }, { archive: 'disability', eq: 1 }] }, t: '经济困难或身体残障：对接资助与支持政策，关注同伴关系，保护隐私。' },
  { id: 'RF_BOARD', section: 'riskfactors', audience: 'staff', appid: students, priority: 20, cond: { all: [{ archive: 'boarding', eq: 1 }, { overallgte: 1 }] }, t: '寄宿生：请宿舍管理人员留意作息与同伴关系，周末离校前后做一次简短谈话。' },
  { id: 'RF_RETURN', section: 'riskfactors', audience: 'staff', appid: students, priority: 60, cond: { archive: 'status', in: ['02', '03'] }, t: '休学或复学阶段：按复学评估流程衔接课业与心理支持，指定一位联系教师。' },
  { id: 'RF_SLEEP', section: 'riskfactors', audience: 'staff', appid: students, priority: 10, cond: { item: 'PHQ9.q3', gte: 2 }, t: '睡眠困扰明显：了解作业量、手机使用与宿舍环境，与学生商定作息。' },
  { id: 'RF_SLEEP_C', section: 'riskfactors', audience: 'self', appid: students, cond: { item: 'PHQ9.q3', gte: 2 }, t: '最近睡得不太好会让人更容易烦躁和疲惫，先从固定的起床时间开始调整。' },

  { id: 'RF_SHIFT', section: 'riskfactors', audience: 'staff', appid: workers, priority: 50, cond: { any: [{ archive: 'weeklyhours', gte: 55 }, { archive: 'nightshifts', gte: 8 }] }, t: '工作时间长或夜班频繁，关注睡眠与倦怠，建议与单位协商排班。' },
  { id: 'RF_INCIDENT', section: 'riskfactors', audience: 'staff', appid: workers, priority: 80, cond: { archive: 'incident', eq: 1 }, t: '近一年有重大事件：评估应激反应，事件后一个月加测PC-PTSD-5，提供同侪支持。' },
  { id: 'RF_ROTATE', section: 'riskfactors', audience: 'staff', appid: workers, priority: 20, cond: { archive: 'shiftwork', eq: 1 }, t: '轮班工作：提供轮班睡眠指导，避免连续夜班后立即安排早班。' },
  { id: 'RF_NEW', section: 'riskfactors', audience: 'staff', appid: workers, priority: 10, cond: { archive: 'workyears', lte: 1 }, t: '入职一年内：适应压力较大，建议安排带教与定期谈话。' },
  { id: 'RF_SHIFT_C', section: 'riskfactors', audience: 'self', appid: workers, cond: { any: [{ archive: 'weeklyhours', gte: 55 }, { archive: 'nightshifts', gte: 8 }] }, t: '工时较长或夜班较多会影响睡眠和精力。下夜班后尽量遮光补觉，休息日保留一段完全不工作的时间。' },
  { id: 'RF_INCIDENT_C', section: 'riskfactors', audience: 'self', appid: workers, cond: { archive: 'incident', eq: 1 }, t: '经历重大事件后，反复想起、容易紧张都是常见反应，多数会逐渐减轻；超过一个月仍明显时请预约专业帮助。' },

  { id: 'RF_ALONE', section: 'riskfactors', audience: 'staff', appid: elders, priority: 60, cond: { archive: 'livewith', eq: '01' }, t: '独居：请家庭医生与社区网格员增加探访。' },
  { id: 'RF_BEREAVED', section: 'riskfactors', audience: 'staff', appid: elders, priority: 61, cond: { archive: 'bereaved12m', eq: 1 }, t: '近一年亲人离世：了解哀伤情况，请家庭医生增加探访。' },
  { id: 'RF_FALL', section: 'riskfactors', audience: 'staff', appid: elders, priority: 40, cond: { archive: 'falls12m', gte: 1 }, t: '近一年有跌倒：评估跌倒风险与活动受限，关注因害怕跌倒而减少外出。' },
  { id: 'RF_COG', section: 'riskfactors', audience: 'staff', appid: elders, priority: 50, cond: { archive: 'cognitivecomplaint', eq: 1 }, t: '有记忆方面的主诉：建议做认知筛查，情绪改善后复评，注意两者相互影响。' },
  { id: 'RF_ADL', section: 'riskfactors', audience: 'staff', appid: elders, priority: 30, cond: { archive: 'adl', in: ['02', '03'] }, t: '日常活动需要帮助：单独了解照护是否安全、够用，协助申请照护服务。' },
  { id: 'RF_CHRONIC', section: 'riskfactors', audience: 'staff', appid: elders, priority: 20, cond: { archive: 'chronic.count', gte: 2 }, t: '多种慢性病共存：与家庭医生核对治疗方案与疼痛、睡眠情况。' },
  { id: 'RF_SENSE', section: 'riskfactors', audience: 'staff', appid: elders, priority: 10, cond: { any: [{ archive: 'hearing', eq: 1 }, { archive: 'vision', eq: 1 }] }, t: '听力或视力受损：面谈时放慢语速、使用大字材料，关注因交流困难带来的孤单感。' },
  { id: 'RF_ALONE_C', section: 'riskfactors', audience: 'self', appid: elders, cond: { archive: 'livewith', eq: '01' }, t: '一个人住时，可以和信任的人约定每天通一次电话，多参加社区活动，紧急联系人的号码放在电话旁。' },
  { id: 'RF_FALL_C', section: 'riskfactors', audience: 'self', appid: elders, cond: { archive: 'falls12m', gte: 1 }, t: '担心跌倒时不必停止活动，可以结伴散步，并请家庭医生看看怎样更安全。' },
];

/**
 * Suggestions in three tiers: 1 自我照顾, 2 身边的支持, 3 专业帮助. A row that names the family is used only after the person denied
 * violence (`narrate`); its neighbour with the same `excl` serves everybody else.
 */
// prettier-ignore
export const suggestionRows: readonly Commentary[] = [
  { id: 'SG_CALM', section: 'suggestion', audience: 'self', tier: 3, priority: 100, excl: 'pro', cond: { any: [{ overallgte: 3 }, alert] }, t: '专业帮助：请联系本机构的心理服务人员，也可以请信任的人陪您一起去；任何时候都可以拨打{{nightline}}。' },
  { id: 'SG_PRO', section: 'suggestion', audience: 'self', tier: 3, priority: 60, excl: 'pro', cond: { overallgte: 2 }, t: '专业帮助：可在作答页点“联系我”的按钮，请本机构的心理服务人员联系您，也可以到医院心理科评估。' },
  { id: 'SG_TALK', section: 'suggestion', audience: 'self', tier: 2, priority: 40, cond: { overallgte: 1 }, t: '连接：每周至少与一位您信任的人聊聊近况，接受他人的帮助。' },
  { id: 'SG_SLEEP', section: 'suggestion', audience: 'self', priority: 30, cond: { item: 'PHQ9.q3', gte: 2 }, excl: 'sleep', t: '睡眠：固定起床时间，睡前一小时放下手机，白天适度活动；失眠持续两周以上请就医。' },
  { id: 'SG_SLEEP15', section: 'suggestion', audience: 'self', priority: 25, cond: { item: 'PHQ15.q15', gte: 2 }, excl: 'sleep', t: '睡眠：午后少喝咖啡和浓茶，睡前做几分钟放松练习；睡不着时起身做点安静的事，困了再回床上。' },
  { id: 'SG_FATIGUE', section: 'suggestion', audience: 'self', priority: 20, cond: { item: 'PHQ9.q4', gte: 2 }, t: '精力：把任务拆小，每完成一步就休息；每天30分钟步行或其他适度运动。' },
  { id: 'SG_WORRY', section: 'suggestion', audience: 'self', priority: 20, cond: { item: 'GAD7.q2', gte: 2 }, t: '担忧：每天留出15分钟“担忧时间”写下烦恼和可做的一小步，其余时间提醒自己稍后再想。' },
  { id: 'SG_RELAX', section: 'suggestion', audience: 'self', priority: 10, cond: { overallgte: 1 }, t: '放松：每天做两次缓慢的腹式呼吸，每次五分钟；留一段时间给自己喜欢的事。' },
  { id: 'SG_KEEP', section: 'suggestion', audience: 'self', cond: { overall: 0 }, t: '保持：规律作息、均衡饮食、适度运动，把让自己愉快的活动写进每周安排。' },
  { id: 'SG_KEEPTALK', section: 'suggestion', audience: 'self', tier: 2, cond: { overall: 0 }, t: '连接：和信任的人保持联系，遇到难处时及早开口，也留意身边人的感受。' },
  { id: 'SG_PARTNER', section: 'suggestion', audience: 'self', appid: maternity, tier: 2, priority: 1, excl: 'partner', cond: { all: [{ overallgte: 1 }, { not: lost }] }, t: '家人支持：请伴侣分担夜间照护与家务，邀请家人一起参加孕妇学校课程。' },
  { id: 'SG_HELPER', section: 'suggestion', audience: 'self', appid: maternity, tier: 2, excl: 'partner', cond: { all: [{ overallgte: 1 }, { not: lost }] }, t: '身边的帮助：请您信任的人分担夜间照护与家务，也可以一起参加孕妇学校课程。' },
  { id: 'SG_GRIEF', section: 'suggestion', audience: 'self', appid: maternity, tier: 2, priority: 50, excl: 'partner', cond: lost, t: '哀伤：和您信任的人约定一段时间说说感受，不必急着振作；需要安静时也可以直接说。' },
  { id: 'SG_BOND', section: 'suggestion', audience: 'self', appid: maternity, excl: 'bond', priority: -10, cond: { all: [{ overallgte: 0 }, ordinary, { not: lost }] }, t: '母婴联结：每天留几分钟和宝宝说说话、轻轻抚触；哺乳期用药请遵医嘱。' },
  { id: 'SG_PARENT', section: 'suggestion', audience: 'self', appid: students, tier: 2, priority: 1, excl: 'adult', cond: { overallgte: 2 }, t: '和家长沟通：选一个放松的时刻，先说感受再说事情；需要时可请心理老师一起。' },
  { id: 'SG_ADULT', section: 'suggestion', audience: 'self', appid: students, tier: 2, excl: 'adult', cond: { overallgte: 2 }, t: '和大人沟通：选一个放松的时刻，和信任的大人先说感受再说事情；需要时可请心理老师一起。' },
  { id: 'SG_SEEK', section: 'suggestion', audience: 'self', appid: students, tier: 3, excl: 'pro', cond: { all: [{ overallgte: 0 }, { not: { overallgte: 2 } }, { hasalert: 0 }] }, t: '求助渠道：有烦恼时可以直接找心理老师，也可以在作答页点“联系我”的按钮。' },
  { id: 'SG_STUDY', section: 'suggestion', audience: 'self', appid: students, cond: { all: [{ overallgte: 0 }, ordinary] }, t: '学习节律：学习四十分钟休息十分钟，把大任务分成小目标，考试前后都保证睡眠。' },
  { id: 'SG_PEER', section: 'suggestion', audience: 'self', appid: workers, tier: 2, cond: { overallgte: 1 }, t: '同侪支持：和同班组的人约定互相提醒休息，任务后聊一聊经过；需要时使用员工心理援助（EAP）。' },
  { id: 'SG_SHIFT', section: 'suggestion', audience: 'self', appid: workers, cond: { archive: 'nightshifts', gte: 4 }, excl: 'sleep', t: '睡眠与轮班：下夜班回家戴墨镜减少光照，卧室遮光隔音，轮休日先补觉再活动。' },
  { id: 'SG_SOCIAL', section: 'suggestion', audience: 'self', appid: elders, tier: 2, cond: { overallgte: 1 }, t: '社交参与：每周参加一两次社区活动，和老朋友通话，做力所能及的家务。' },
  { id: 'SG_CHRONIC', section: 'suggestion', audience: 'self', appid: elders, cond: { archive: 'chronic.count', gte: 1 }, t: '慢病管理：按时复诊、按医嘱用药，把睡眠和心情的变化也告诉家庭医生。' },
  { id: 'SG_CARE', section: 'suggestion', audience: 'self', appid: elders, tier: 2, priority: 1, excl: 'care', cond: { archive: 'adl', in: ['02', '03'] }, t: '照护：需要帮忙时直接告诉照护者；照护者也需要休息，可以一起问问社区有哪些帮助。' },
  { id: 'SG_CARE_ALONE', section: 'suggestion', audience: 'self', appid: elders, tier: 2, excl: 'care', cond: { archive: 'adl', in: ['02', '03'] }, t: '照护：需要帮忙时，可以告诉您信任的人，也可以问问家庭医生和社区有哪些照护服务。' },

  { id: 'SGST_INVALID', section: 'suggestion', audience: 'staff', tier: 3, priority: 90, cond: { valid: false }, t: '作答效度不足：说明目的与保密后择期重测，不据此下结论；关键条目阳性者仍须当面核实。' },
  { id: 'SGST_ALERT', section: 'suggestion', audience: 'staff', tier: 3, priority: 95, cond: alert, t: '关键条目阳性：由受过培训的人员尽快单独面谈，使用ASQ核实，记录念头、计划、支持与约定。' },
  { id: 'SGST_3', section: 'suggestion', audience: 'staff', tier: 3, priority: 80, cond: { overallgte: 3 }, t: '专业帮助：尽快完成结构化评估，建议转介精神专科或心理门诊，并跟踪反馈。' },
  { id: 'SGST_3F', section: 'suggestion', audience: 'staff', appid: students, tier: 2, priority: 70, excl: 'telling', cond: { any: [{ overallgte: 3 }, alert] }, t: '告知：与学生谈话后告知监护人；监护人可能是伤害来源时，改告知其他可靠的大人，并按规定报告。' },
  { id: 'SGST_3A', section: 'suggestion', audience: 'staff', appid: students, tier: 2, priority: 69, excl: 'telling', cond: { any: [{ overallgte: 3 }, alert] }, t: '告知：先单独问清是否受到伤害，再决定告知谁；可能的伤害来源不告知，并按规定报告。' },
  { id: 'SGST_2', section: 'suggestion', audience: 'staff', tier: 3, priority: 60, cond: { overall: 2 }, t: '专业帮助：联系本人并面谈评估，定期随访，必要时转介。' },
  { id: 'SGST_1', section: 'suggestion', audience: 'staff', priority: 40, cond: { overall: 1 }, t: '自我照顾：推送自助文章与放松练习，可参加团体心理教育，28天左右复测。' },
  { id: 'SGST_FAM', section: 'suggestion', audience: 'staff', tier: 2, priority: 30, excl: 'companion', cond: { overallgte: 2 }, t: '支持：在本人同意的前提下，邀请一位家人或信任的人参与，商定日常观察要点。' },
  { id: 'SGST_TRUST', section: 'suggestion', audience: 'staff', tier: 2, priority: 29, excl: 'companion', cond: { overallgte: 2 }, t: '支持：请本人说出一位信任的人，经本人同意后再联系，商定日常观察要点。' },
  { id: 'SGST_SLEEP', section: 'suggestion', audience: 'staff', priority: 20, cond: { item: 'PHQ9.q3', gte: 2 }, t: '自我照顾：提供睡眠卫生指导，两周后询问改善情况。' },
  { id: 'SGST_0', section: 'suggestion', audience: 'staff', cond: { overall: 0 }, t: '自我照顾：按方案常规复测，提供心理健康科普。' },
  { id: 'SGST_MATERNITY', section: 'suggestion', audience: 'staff', appid: maternity, tier: 2, priority: -10, cond: { all: [{ valid: true }, { not: lost }] }, t: '孕产期支持：了解母婴联结与夜间照护由谁分担；哺乳期用药由医生评估，须遵医嘱。' },
  { id: 'SGST_STUDENT', section: 'suggestion', audience: 'staff', appid: students, tier: 2, priority: -10, cond: { valid: true }, t: '成长支持：一起看学习节律，说明心理老师等求助渠道；怎样和大人沟通先听学生的意见。' },
  { id: 'SGST_WORKER', section: 'suggestion', audience: 'staff', appid: workers, tier: 2, priority: -10, cond: { valid: true }, t: '岗位支持：介绍员工心理援助（EAP）与同侪支持，了解睡眠与轮班安排。' },
  { id: 'SGST_ELDER', section: 'suggestion', audience: 'staff', appid: elders, tier: 2, priority: -10, cond: { valid: true }, t: '生活支持：了解社交参与、慢病管理和照护安排，请家庭医生一起跟进。' },
];

/** Proposed conclusions; the reviewer may replace them. */
// prettier-ignore
export const conclusionRows: readonly Commentary[] = [
  { id: 'CO_INVALID', section: 'conclusion', audience: 'staff', priority: 100, excl: 'conclusion', cond: { valid: false }, t: '本次作答效度不足，不作解释，建议择期重测。' },
  { id: 'CO_ALERT', section: 'conclusion', audience: 'staff', priority: 90, excl: 'conclusion', cond: { all: [alert, { overallgte: 1 }] }, t: '筛查提示存在情绪困扰，且关键条目阳性，须面谈核实后定级；本结论不作为诊断依据。' },
  { id: 'CO_3', section: 'conclusion', audience: 'staff', priority: 50, excl: 'conclusion', cond: { overallgte: 3 }, t: '筛查提示较重的情绪困扰，建议启动预警处置并转介专科评估；本结论不作为诊断依据。' },
  { id: 'CO_2', section: 'conclusion', audience: 'staff', priority: 40, excl: 'conclusion', cond: { overall: 2 }, t: '筛查提示中等程度的情绪困扰，建议面谈评估与定期随访；本结论不作为诊断依据。' },
  { id: 'CO_1', section: 'conclusion', audience: 'staff', priority: 30, excl: 'conclusion', cond: { overall: 1 }, t: '筛查提示轻度情绪困扰，建议自我调节并复测；本结论不作为诊断依据。' },
  { id: 'CO_0', section: 'conclusion', audience: 'staff', priority: 20, excl: 'conclusion', cond: { overall: 0 }, t: '筛查未提示明显的情绪困扰；本结论不作为诊断依据。' },
  { id: 'CO_NONE', section: 'conclusion', audience: 'staff', excl: 'conclusion', cond: { person: 'assessed', eq: 0 }, t: '未得到可解释的等级，请核对答卷并视情况重测。' },
];
