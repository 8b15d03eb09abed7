/** The words of the overall levels 0–4 of results, the same as in reports. */
export const OVERALL_LEVELS = ['良好', '轻度', '中度', '较重', '严重'] as const;
