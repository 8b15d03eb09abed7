/** The words of the overall levels 0–4 of results, the same as in reports. */
export const OVERALL_LEVELS = ['良好', '轻度', '中度', '较重', '严重'] as const;

/** The words of the levels by domain, after PHQ-9 and GAD-7. Only other forms reach level 4 of anxiety. */
export const DOMAIN_LEVELS = {
  '01': ['无抑郁症状', '轻度', '中度', '中重度', '重度'],
  '02': ['无焦虑症状', '轻度', '中度', '重度', '极重度'],
} as const;
