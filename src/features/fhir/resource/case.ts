import type { Appointment, CarePlan, DiagnosticReport, Flag, RiskAssessment } from 'fhir/r4.js';
import { ConsultStatus, ConsultType, FollowMethod, FollowStatus, ReportStatus, WarningState } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/levels.ts';
import { compact, type FhirSpace, toId, toInstant } from '#features/fhir/resource/resource.ts';

/** Cases, what is planned for a person, and reports as FHIR. */

export interface FhirCase {
  warningcode: string;
  cuserid: string;
  level: number;
  /** 01 education … of the institution; it names the levels */
  sector: string;
  state: string;
  createtime: Date;
  closetime: Date | null;
  owneruserid: string | null;
  /** the sheets that opened it */
  examcode: string | null;
}

const isOpen = ({ state }: Pick<FhirCase, 'state'>): boolean => state !== WarningState.closed && state !== WarningState.excluded;

/** Returns the judgement of a case: how urgent it is. It names no diagnosis and no probability. */
export const toRiskAssessment = (space: FhirSpace, item: FhirCase, basis: readonly string[]): RiskAssessment & { id: string } =>
  compact({
    resourceType: 'RiskAssessment' as const,
    id: toId(item.warningcode),
    status: isOpen(item)
      ? ('preliminary' as const)
      : item.state === WarningState.excluded
        ? ('entered-in-error' as const)
        : ('final' as const),
    subject: space.refer('Patient', item.cuserid),
    occurrenceDateTime: toInstant(item.createtime),
    performer: item.owneruserid ? space.refer('Practitioner', item.owneruserid) : undefined,
    basis: basis.map((url) => ({ reference: url })),
    prediction: [
      {
        qualitativeRisk: {
          coding: [space.coding('warning-level', String(item.level), levelName(item.level, item.sector))],
          text: levelName(item.level, item.sector),
        },
      },
    ],
    note: [{ text: '筛查结果与预警等级不等于医学诊断' }],
  });

/** Returns the mark of a person with a case; it is active while the case is open. */
export const toFlag = (space: FhirSpace, item: FhirCase): Flag & { id: string } =>
  compact({
    resourceType: 'Flag' as const,
    id: toId(`${item.warningcode}-flag`),
    status: isOpen(item)
      ? ('active' as const)
      : item.state === WarningState.excluded
        ? ('entered-in-error' as const)
        : ('inactive' as const),
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/flag-category', code: 'safety' }] }],
    code: {
      coding: [space.coding('warning-state', item.state, WarningState.label(item.state))],
      text: `${levelName(item.level, item.sector)}，${WarningState.label(item.state)}`,
    },
    subject: space.refer('Patient', item.cuserid),
    period: compact({
      start: toInstant(item.createtime),
      end: item.closetime ? toInstant(item.closetime) : undefined,
    }),
  });

export interface FhirFollowUp {
  followupid: number;
  cuserid: string;
  warningcode: string | null;
  duetime: Date;
  method: string;
  status: string;
}

type ActivityStatus = 'scheduled' | 'completed' | 'cancelled';
const FOLLOW_STATUS: Readonly<Record<string, ActivityStatus>> = {
  [FollowStatus.waiting]: 'scheduled',
  [FollowStatus.overdue]: 'scheduled',
  [FollowStatus.done]: 'completed',
  [FollowStatus.lost]: 'cancelled',
  [FollowStatus.cancelled]: 'cancelled',
};

/** Returns the follow-ups of a case as its plan. What was said in them stays in the house. */
export const toCarePlan = (space: FhirSpace, item: FhirCase, followups: readonly FhirFollowUp[]): CarePlan & { id: string } =>
  compact({
    resourceType: 'CarePlan' as const,
    id: toId(`${item.warningcode}-plan`),
    status: isOpen(item)
      ? ('active' as const)
      : item.state === WarningState.excluded
        ? ('revoked' as const)
        : ('completed' as const),
    intent: 'plan' as const,
    subject: space.refer('Patient', item.cuserid),
    created: toInstant(item.createtime),
    author: item.owneruserid ? space.refer('Practitioner', item.owneruserid) : undefined,
    supportingInfo: [space.refer('RiskAssessment', item.warningcode)],
    activity: followups.map(({ duetime, method, status }) => ({
      detail: {
        status: FOLLOW_STATUS[status] ?? ('unknown' as const),
        code: { coding: [space.coding('follow-method', method, FollowMethod.label(method))], text: '随访' },
        scheduledPeriod: { start: toInstant(duetime) },
      },
    })),
  });

export interface FhirConsult {
  consultid: number;
  cuserid: string;
  status: string;
  consulttype: string;
  slotbegin: Date | null;
  slotend: Date | null;
  counsellor: string | null;
}

const CONSULT_STATUS: Readonly<Record<string, Appointment['status']>> = {
  [ConsultStatus.waiting]: 'proposed',
  [ConsultStatus.booked]: 'booked',
  [ConsultStatus.done]: 'fulfilled',
  [ConsultStatus.cancelled]: 'cancelled',
  [ConsultStatus.missed]: 'noshow',
};

/** Returns a consultation with its time; its topics and notes stay in the house. */
export const toAppointment = (space: FhirSpace, consult: FhirConsult): Appointment & { id: string } =>
  compact({
    resourceType: 'Appointment' as const,
    id: toId(`A${consult.consultid}`),
    status: CONSULT_STATUS[consult.status] ?? ('proposed' as const),
    serviceType: [
      { coding: [space.coding('consult-type', consult.consulttype, ConsultType.label(consult.consulttype))], text: '心理咨询' },
    ],
    start: consult.slotbegin && consult.slotend ? toInstant(consult.slotbegin) : undefined,
    end: consult.slotbegin && consult.slotend ? toInstant(consult.slotend) : undefined,
    participant: [
      { actor: space.refer('Patient', consult.cuserid), status: 'accepted' as const },
      ...(consult.counsellor ? [{ actor: space.refer('Practitioner', consult.counsellor), status: 'accepted' as const }] : []),
    ],
  });

export interface FhirReport {
  reportcode: string;
  cuserid: string;
  title: string;
  status: number;
  createtime: Date;
  conclusion: string | null;
}

/** Returns a report: the conclusion of staff, and that a screening is no diagnosis. */
export const toDiagnosticReport = (
  space: FhirSpace,
  report: FhirReport,
  results: readonly string[],
): DiagnosticReport & { id: string } =>
  compact({
    resourceType: 'DiagnosticReport' as const,
    id: toId(report.reportcode),
    status: report.status === ReportStatus.reviewed ? ('final' as const) : ('preliminary' as const),
    category: [{ coding: [space.coding('report-category', 'survey', '心理测评')] }],
    code: { text: report.title },
    subject: space.refer('Patient', report.cuserid),
    issued: toInstant(report.createtime),
    result: results.map((url) => ({ reference: url })),
    conclusion: [report.conclusion?.trim(), '筛查结果不等于医学诊断。'].filter(Boolean).join('\n'),
  });
