import type { WorkCalendar } from '#domain/base/calendar.ts';
import type { LocalDuties } from '#domain/warning/clock/caseduty.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { ExemptGround } from '#domain/warning/decision/exemption.ts';
import type {
  ConfirmSubject,
  ContactResultCode,
  StaffCloseReasonCode,
  WarningLevelCode,
  WarningStateCode,
} from '#domain/warning/warningfacts.ts';

/** The actions of staff on a warning. Staff first write the record (interview, referral, …) and then take the action. */
export const WARNING_ACTIONS = {
  accept: '受理',
  unaccept: '撤回受理',
  assign: '分派',
  verify: '核实',
  exclude: '排除/误报',
  intervene: '开始干预',
  refer: '转介',
  observe: '转入随访观察',
  close: '结案',
  reopen: '重开',
  raise: '升级',
  lower: '降级',
  notifyguardian: '告知监护人',
  exemptguardian: '登记不告知监护人原因',
  confirm: '复核确认',
  transfer: '转出/移交',
  receive: '登记移交回执',
  discharge: '登记出院',
  reportdeath: '登记死亡',
  correctdeath: '更正死亡登记',
} as const;
export type WarningActionKind = keyof typeof WARNING_ACTIONS;

/** An action with its input. */
export type WarningAction =
  | { kind: 'accept'; owneruserid?: string }
  /** takes an acceptance by mistake back; the owner is the former one */
  | { kind: 'unaccept'; owneruserid: string | null }
  | { kind: 'assign'; owneruserid: string }
  | { kind: 'verify'; contactresult: ContactResultCode; content: string; channel?: string }
  | { kind: 'exclude'; content: string }
  | { kind: 'intervene' }
  | { kind: 'refer' }
  | { kind: 'observe' }
  | { kind: 'close'; closereason: StaffCloseReasonCode; closenote: string; policerecord?: string }
  | { kind: 'reopen'; reason: string }
  | { kind: 'raise'; level: WarningLevelCode; reason: string }
  | { kind: 'lower'; level: WarningLevelCode; reason: string }
  | { kind: 'notifyguardian'; time?: Date }
  | { kind: 'exemptguardian'; ground: ExemptGround; reason: string; alternate: string }
  | { kind: 'confirm'; subject: ConfirmSubject; content: string }
  | { kind: 'transfer'; to: string; islinked?: boolean }
  | { kind: 'receive'; accepttime?: Date }
  | { kind: 'discharge'; time: Date; afterattempt: boolean }
  | { kind: 'reportdeath'; source: string }
  | { kind: 'correctdeath'; reason: string };

/** When and by which human an action is done, and the spans of the institution. */
export interface ActionContext {
  now: Date;
  userid: string;
  /** keys of the human behind the session; none for main and shared accounts */
  human: readonly string[];
  local?: LocalDuties;
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
}

/** How long an acceptance by mistake can be taken back. */
export const UNACCEPT_MINUTES = 10;

/** The target state of each action; an action without one does not change the state. */
export const TARGETS: Readonly<Partial<Record<WarningActionKind, WarningStateCode>>> = {
  accept: '02',
  unaccept: '01',
  exclude: '08',
  intervene: '04',
  refer: '05',
  observe: '06',
  reopen: '03',
};
