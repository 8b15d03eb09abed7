import type { ScopeKind } from '#domain/teamreport/teamreport.facts.ts';

/** What group reports are about, in the words of the screens. */
const KINDS: Readonly<Record<ScopeKind, string>> = {
  task: '任务',
  teams: '班级/团体',
  grade: '年级',
  institution: '全机构',
  period: '时间段',
};
export const kindName = (kind: ScopeKind): string => KINDS[kind];
export const KIND_OPTIONS = (Object.keys(KINDS) as ScopeKind[]).map((value) => ({ value, label: KINDS[value] }));

/** The page of a group report. */
export const teamReportPath = (teamreportcode: string): string => `/task/teamReport/${encodeURIComponent(teamreportcode)}`;
