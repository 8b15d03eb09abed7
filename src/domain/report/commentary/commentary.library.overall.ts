import type { Commentary } from '#domain/report/commentary/commentary.ts';

const alert = { hasalert: 1 } as const;
const lost = { archive: 'babyoutcome', eq: '04' } as const;

/**
 * Section `overall`. Rows with `excl: 'calm'` invite the person to talk. At level 3 or more, or after an alert, the person's
 * own version uses only these rows (see `report.sections.ts`).
 */
// prettier-ignore
export const overallRows: readonly Commentary[] = [
  { id: 'OV0', section: 'overall', audience: 'self', cond: { overall: 0 }, t: '{{recall}}您的情绪状态总体平稳，筛查未提示明显的情绪困扰。请继续保持规律作息、适度运动，和信任的人常联系。' },
  { id: 'OV1', section: 'overall', audience: 'self', cond: { overall: 1 }, t: '{{recall}}您有一些轻度困扰，这在生活压力增加时较为常见。建议留意情绪变化，主动安排放松与休息，两至四周后可再次测评。' },
  { id: 'OV2', section: 'overall', audience: 'self', cond: { overall: 2 }, t: '筛查提示{{recall}}您的情绪需要关心，困扰可能已影响到睡眠、精力或日常安排。这并不少见，建议近期与心理咨询师、心理教师或医生谈一谈。' },
  { id: 'OV3', section: 'overall', audience: 'self', excl: 'calm', cond: { overallgte: 3 }, t: '您近期承受了较多困扰，我们希望尽快和您聊一聊。寻求帮助是对自己负责，请联系本机构的心理服务人员；任何时候都可以拨打{{nightline}}。' },
  { id: 'OVALERT', section: 'overall', audience: 'self', priority: 100, excl: 'calm', cond: { all: [alert, { maxscorelevel: { lte: 1 } }] }, t: '您的总体得分不高，但部分回答让我们希望多了解一些您的近况。欢迎与本机构的心理服务人员聊一聊；任何时候都可以拨打{{nightline}}。' },
  { id: 'OVALERT2', section: 'overall', audience: 'self', priority: 50, excl: 'calm', cond: { all: [alert, { maxscorelevel: { gte: 2 } }] }, t: '您近期承受了较多困扰，我们希望尽快和您聊一聊。这些感受很多人都经历过，也能够得到帮助。请联系本机构的心理服务人员；任何时候都可以拨打{{nightline}}。' },
  { id: 'OVALERTN', section: 'overall', audience: 'self', priority: -10, excl: 'calm', cond: alert, t: '部分回答让我们希望尽快和您聊一聊近况。请联系本机构的心理服务人员，也可以请信任的人陪您一起来；任何时候都可以拨打{{nightline}}。' },

  { id: 'OV0S', section: 'overall', audience: 'self', appid: '000000002', cond: { overall: 0 }, t: '{{recall}}你的情绪状态总体平稳，筛查未提示明显的情绪困扰。成长中情绪有起伏很正常，请继续保持规律作息和运动，和信任的人多聊聊开心与不开心的事。' },
  { id: 'OV1S', section: 'overall', audience: 'self', appid: '000000002', cond: { overall: 1 }, t: '{{recall}}你有一些轻度困扰，在学习和成长的压力下这很常见。给自己留一点放松的时间，和信任的人说说，两至四周后可以再测一次。' },
  { id: 'OV2S', section: 'overall', audience: 'self', appid: '000000002', cond: { overall: 2 }, t: '筛查提示{{recall}}你的情绪需要关心。成长中遇到困难很正常，你不需要独自面对，可以和你信任的人或心理老师聊聊。' },
  { id: 'OV0M', section: 'overall', audience: 'self', appid: '000000001', cond: { all: [{ overall: 0 }, { not: lost }] }, t: '{{recall}}您的情绪状态总体平稳，筛查未提示明显的情绪困扰。孕产期情绪波动常见，请多休息，和信任的人常联系，有变化时告诉医生。' },
  { id: 'OV0W', section: 'overall', audience: 'self', appid: '000000003', cond: { overall: 0 }, t: '{{recall}}您的情绪状态总体平稳，筛查未提示明显的情绪困扰。工作压力大时情绪起伏很常见，请继续保持规律作息，按时休整。' },
  { id: 'OV0E', section: 'overall', audience: 'self', appid: '000000004', cond: { overall: 0 }, t: '{{recall}}您的情绪状态总体平稳，筛查未提示明显的情绪困扰。身体和情绪会互相影响，请继续保持规律作息，和信任的人常联系。' },
  { id: 'OV1M', section: 'overall', audience: 'self', appid: '000000001', cond: { overall: 1 }, t: '孕产期情绪波动常见，{{stage}}有一些轻度困扰不必自责。请多休息，把感受告诉您信任的人，下次产检时也可以告诉医生。' },
  { id: 'OV2M', section: 'overall', audience: 'self', appid: '000000001', cond: { overall: 2 }, t: '孕产期情绪波动常见。筛查提示{{recall}}您的情绪需要关心，这不是您的错。请告诉您信任的人，并在近期和产科或心理门诊的医生谈一谈。' },
  { id: 'OVLOSSM', section: 'overall', audience: 'self', appid: '000000001', priority: 60, cond: { all: [lost, { any: [{ overall: 1 }, { overall: 2 }] }] }, t: '经历这样的事情，难过、自责或麻木都是可以理解的。筛查提示{{recall}}您有一些情绪困扰，不必独自承受，我们愿意陪您慢慢走过这段时间。' },
  { id: 'OV1W', section: 'overall', audience: 'self', appid: '000000003', cond: { overall: 1 }, t: '{{recall}}您有一些轻度困扰，工作压力长期较大时较为常见。请留意睡眠与疲劳，主动安排休整，两至四周后可再次测评。' },
  { id: 'OV2W', section: 'overall', audience: 'self', appid: '000000003', cond: { overall: 2 }, t: '筛查提示{{recall}}您的情绪需要关心，困扰可能已影响到睡眠、精力或工作状态。压力下出现这些反应很常见，建议近期预约员工心理援助或医生。' },
  { id: 'OV1E', section: 'overall', audience: 'self', appid: '000000004', cond: { overall: 1 }, t: '{{recall}}您有一些轻度困扰，身体不适或生活变化时较为常见。身体和情绪会互相影响，请多和信任的人聊聊，一个月左右再测一次。' },
  { id: 'OV2E', section: 'overall', audience: 'self', appid: '000000004', cond: { overall: 2 }, t: '筛查提示{{recall}}您的情绪需要关心，困扰可能影响睡眠、胃口或精神。身体和情绪会互相影响，这不是“想不开”，也能够改善，建议请信任的人陪同找家庭医生或心理门诊谈一谈。' },

  { id: 'OV1MN', section: 'overall', audience: 'self', appid: '000000001', priority: -20, cond: { all: [{ overall: 1 }, { not: lost }] }, t: '孕产期情绪波动常见。筛查提示您有一些轻度困扰，请多休息，把感受告诉您信任的人，下次产检时也可以告诉医生。' },

  // These rows serve forms without a recall period and plans without a known stage.
  { id: 'OV0N', section: 'overall', audience: 'self', priority: -20, cond: { overall: 0 }, t: '您的情绪状态总体平稳，筛查未提示明显的情绪困扰。请继续保持规律作息、适度运动，和信任的人常联系。' },
  { id: 'OV1N', section: 'overall', audience: 'self', priority: -20, cond: { overall: 1 }, t: '筛查提示您有一些轻度困扰，这在生活压力增加时较为常见。建议留意情绪变化，主动安排放松与休息，两至四周后可再次测评。' },
  { id: 'OV2N', section: 'overall', audience: 'self', priority: -20, cond: { overall: 2 }, t: '筛查提示您的情绪需要关心，困扰可能已影响到睡眠、精力或日常安排。这并不少见，建议近期与心理咨询师、心理教师或医生谈一谈。' },
  { id: 'OVNONE', section: 'overall', audience: 'self', priority: -30, cond: { person: 'assessed', eq: 0 }, t: '本次没有得到可以解释的总分，暂不对情绪状态作说明。如近期感到困扰，欢迎与本机构的心理服务人员聊一聊。' },

  { id: 'OVALERTST', section: 'overall', audience: 'staff', priority: 100, cond: { all: [alert, { maxscorelevel: { lte: 1 } }] }, t: '量表总分未达中度，但关键条目阳性（{{alertmsgs}}）；综合等级由条目预警抬升，请以面谈核实为准。' },
  { id: 'OVALERTST2', section: 'overall', audience: 'staff', priority: 90, cond: { all: [alert, { maxscorelevel: { gte: 2 } }] }, t: '综合等级{{overall}}，且关键条目阳性（{{alertmsgs}}）。请按预警流程当面核实。' },
  { id: 'OVALERTSTN', section: 'overall', audience: 'staff', priority: 80, cond: alert, t: '关键条目阳性（{{alertmsgs}}），量表总分暂不可解释，请以面谈核实为准。' },
  { id: 'OVST0', section: 'overall', audience: 'staff', cond: { overall: 0 }, t: '综合等级0，各量表总分均在参考范围内，按方案常规复测即可。' },
  { id: 'OVST1', section: 'overall', audience: 'staff', cond: { overall: 1 }, t: '综合等级1，筛查提示轻度情绪困扰。建议列入关注名单，提供自助与团体心理教育，28天左右复测。' },
  { id: 'OVST2', section: 'overall', audience: 'staff', cond: { overall: 2 }, t: '综合等级2，筛查提示中等程度的情绪困扰。建议面谈了解功能影响与支持情况，并安排随访。' },
  { id: 'OVST3', section: 'overall', audience: 'staff', cond: { overall: 3 }, t: '综合等级3，筛查提示较重的情绪困扰。请按预警流程受理、面谈核实并评估自伤风险，必要时转介专科评估。' },
  { id: 'OVST4', section: 'overall', audience: 'staff', cond: { overall: 4 }, t: '综合等级4，筛查提示严重的情绪困扰。请立即联系本人面谈核实并评估自伤风险，建议转介精神专科评估。' },
  { id: 'OVSTNONE', section: 'overall', audience: 'staff', priority: -30, cond: { person: 'assessed', eq: 0 }, t: '未得到可解释的等级（未答题目较多或无需作答），请核对答卷，必要时择期重测。' },
];
